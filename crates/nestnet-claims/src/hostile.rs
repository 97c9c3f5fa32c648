//! What of formulas and ledgers that mean harm? They end, with a value or with a reason, and within their limits.

use super::*;
use nestnet_graph::{Budget, Watch};
use std::sync::atomic::{AtomicU64, Ordering};

fn lab(memory: u64, steps: u128, watch: Watch<'_>) -> Lab<'_> {
    Lab::new(Budget { memory, steps, watch })
}

fn value(text: &str) -> Result<Value, String> {
    let lab = lab(1 << 30, 1 << 26, Watch::SILENT);
    let formula = Expression::parse(text).map_err(|error| error.to_string())?;
    evaluate(&formula, &Scope::new(), &lab).map_err(|error| error.to_string())
}

#[test]
fn long_formulas_have_values() {
    for (text, wanted) in [
        (format!("{}1", "-".repeat(3_000)), 1),
        (format!("{}1", "-".repeat(3_001)), -1),
        (format!("1{}", " + 1".repeat(5_000)), 5_001),
        (format!("1{}", " - 1".repeat(5_000)), -4_999),
        (format!("7{}", " * 1 / 1".repeat(5_000)), 7),
        (format!("if(1 = 1{}, 2, 3)", " and 1 = 1".repeat(5_000)), 2),
        (format!("{}1{}", "(".repeat(90), ")".repeat(90)), 1),
        (format!("{}1", "1^".repeat(90)), 1),
        (format!("sum(i, 1, 3, {}i)", "-".repeat(3_000)), 6),
    ] {
        assert_eq!(value(&text), Ok(Value::exact(wanted)), "{}", &text[..20]);
    }
}

#[test]
fn deep_formulas_are_refused() {
    let nested =
        |open: &str, close: &str| format!("{}1{}", open.repeat(3_000), close.repeat(3_000));
    for text in [
        nested("1^", ""),
        nested("(", ")"),
        nested("-(", ")"),
        nested("floor(", ")"),
        nested("sum(i, 1, 2, ", ")"),
        nested("nodes(ring({", "}))"),
        nested("links_at(ring(3), ", ")"),
    ] {
        let message = value(&text).unwrap_err();
        assert!(message.contains("nested more than 100 deep"), "{}: {message}", &text[..20]);
        assert!(message.len() < 300, "{message}");
    }
}

#[test]
fn what_never_closes_is_refused_at_once() {
    for open in ["(", "floor(", "nodes(", "'{", "nodes({", "nodes(ring({"] {
        assert!(Expression::parse(&open.repeat(8_000)).is_err(), "{open}");
    }
    let long = "1+".repeat(60_000);
    let message = Expression::parse(&long).unwrap_err().to_string();
    assert!(message.contains("at most 100000 letters, not 120000"), "{message}");
    let digits = Expression::parse(&"9".repeat(90_000)).unwrap_err();
    assert_eq!(digits.fault, ExpressionFault::LongNumber);
}

#[test]
fn large_numbers_are_refused() {
    for text in [
        "binomial(10^9, 5*10^8)",
        "binomial(10^2000, 10^1999)",
        "factorial(10^9)",
        "factorial(10^2000)",
        "2^(10^12)",
        "2^(2^60)",
        "(1/3)^(10^12)",
        "(2/3)^-(10^12)",
        "9^9^9",
        "10^9999 ^ 10^9999",
        "product(i, 1, 10^4, 2^1000)",
        "sum(i, 1, 10^4, 1 / (2^1000 + i))",
    ] {
        let message = value(text).unwrap_err();
        assert!(message.contains("is too large"), "{text}: {message}");
    }
    assert_eq!(value("1^(10^30) + (-1)^(10^30+1) + 0^(10^30)"), Ok(Value::exact(0)));
}

#[test]
fn long_texts_are_refused() {
    let text = format!("'{}'", "{10^9999}".repeat(1_000));
    assert!(value(&text).unwrap_err().contains("the text has more than"));
}

#[test]
fn steps_are_counted() {
    let message = value("sum(i, 1, 10^9, sum(j, 1, 10^9, 1))").unwrap_err();
    assert!(message.contains("the range 1 to 1000000000 is too long"), "{message}");
    let message = value("sum(i, 1, 10^5, sum(j, 1, 10^5, 1))").unwrap_err();
    assert!(message.contains("more than 67108864 steps"), "{message}");
    assert!(value("largest(i, -9*10^18, 9*10^18, i)").unwrap_err().contains("too long"));
    assert_eq!(value("sum(i, 1, 10^3, sum(j, 1, 10^2, 1))"), Ok(Value::exact(100_000)));
}

/// A watch that stops after it was asked so often.
fn stops_after<T>(most: u64, work: impl FnOnce(Watch<'_>) -> T) -> (T, u64) {
    let asked = AtomicU64::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
    let found = work(Watch { stop: &stop, progress: &|_| () });
    (found, asked.into_inner())
}

#[test]
fn a_stop_ends_a_formula() {
    for text in [
        "sum(i, 1, 10^9, sum(j, 1, 10^9, 1))",
        "all(i, 1, 10^9, i > 0)",
        "sum(i, 1, 10^9, nodes(ring({i+2})))",
        "sum(i, 1, 10^9, binomial(10^4, 5*10^3))",
    ] {
        let formula = Expression::parse(text).unwrap();
        let (found, asked) = stops_after(5_000, |watch| {
            evaluate(&formula, &Scope::new(), &lab(1 << 30, u128::MAX / 128, watch))
        });
        let error = found.unwrap_err();
        assert!(error.is_unfinished(), "{text}: {error}");
        assert!((5_001..6_000).contains(&asked), "{text}: asked {asked} times");
    }
}

#[test]
fn a_stop_ends_a_walk_over_all_nodes() {
    for text in [
        "links_at(hypercube(60), 0)",
        "same_links(hypercube(60), hypercube(60))",
        "eccentricity(hypercube(24), 0)",
        "neighbors(complete(100000000), 0)",
        "four_cycles_at(complete(3000), 0)",
    ] {
        let formula = Expression::parse(text).unwrap();
        let (found, _) = stops_after(3_500, |watch| {
            evaluate(&formula, &Scope::new(), &lab(8 << 30, u128::MAX, watch))
        });
        let error = found.expect_err(text);
        assert!(
            matches!(&error, EvaluateError::Quantity { why, .. }
            if matches!(why, QuantityError::Interrupted(_))),
            "{text}: {error}"
        );
        let small = lab(1 << 10, 1 << 10, Watch::SILENT);
        let error = evaluate(&formula, &Scope::new(), &small).expect_err(text);
        assert!(error.is_unfinished(), "{text}: {error}");
    }
}

/// A ledger of one row with six parameters of 19 values each: 47 million cases.
fn many(only: &str) -> Ledger {
    let values: Vec<String> = (0..19).map(|value| value.to_string()).collect();
    let given =
        ["a", "b", "c", "d", "e", "f"].map(|name| format!("{name} = [{}]", values.join(", ")));
    let text = format!(
        "title = 't'\n[[claim]]\nid = 'many'\nwhere = 'w'\nsays = 's.'\nverdict = 'holds'\n\
         [[claim.check]]\ngiven = {{ {} }}\n{only}\nmeasured = 'a + b'\nprinted = 'b + a'\n",
        given.join(", ")
    );
    Ledger::parse("mine", &text).unwrap()
}

#[test]
fn millions_of_cases_are_counted_first() {
    let judged = many("");
    let judged = judge(&judged.claims[0], false, &lab(1 << 30, 1 << 40, Watch::SILENT));
    assert_eq!(judged.finding(), Finding::NotFinished);
    let message = judged.readings[0].errors[0].to_string();
    assert!(message.starts_with("there are 47045881 cases: their list needs"), "{message}");
}

#[test]
fn millions_of_combinations_end_when_stopped() {
    let ledger = many("where = 'a < 0'");
    let (finding, asked) = stops_after(10_000, |watch| {
        judge(&ledger.claims[0], false, &lab(1 << 30, 1 << 40, watch)).finding()
    });
    assert_eq!(finding, Finding::NotFinished);
    assert!(asked < 11_000, "asked {asked} times");
}

#[test]
fn cases_are_kept_within_the_memory() {
    let ledger = many("where = 'a + b + c = 0'");
    let lab = lab(100_000, 1 << 40, Watch::SILENT);
    let judged = judge(&ledger.claims[0], false, &lab);
    assert_eq!(judged.finding(), Finding::NotFinished);
    let cases = judged.readings[0].cases.len();
    assert!((100..1_000).contains(&cases), "{cases} cases in 100 kB");
}

#[test]
fn networks_are_forgotten_before_they_fill_the_memory() {
    let lab = lab(1 << 20, 1 << 40, Watch::SILENT);
    let formula = Expression::parse("sum(i, 3, 2000, nodes(ring({i})))").unwrap();
    let found = evaluate(&formula, &Scope::new(), &lab).unwrap();
    assert_eq!(found, Value::exact((3..=2000).sum::<i64>()));
    assert!(lab.samples_held() < 1_000, "{} networks are held", lab.samples_held());
}

#[test]
fn a_ledger_is_not_longer_than_a_book() {
    let text = format!("title = '{}'\n", "t".repeat(5 << 20));
    let error = Ledger::parse("mine", &text).unwrap_err();
    assert!(matches!(error, LedgerError::TooLong { bytes: 5_242_891, .. }), "{error}");
    let deep = format!("title = 't'\nclaim = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(Ledger::parse("mine", &deep), Err(LedgerError::Form { .. })));
}
