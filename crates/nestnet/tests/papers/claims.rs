//! The ledgers as a whole: what is measured wrongly is seen, and every row says where and what.

use nestnet::claim::{
    Basis, Case, Check, Claim, Finding, Fit, Kind, Lab, Ledger, Relation, Standing, TEMPLATE,
    Verdict, judge,
};
use std::collections::HashSet;

fn ledgers() -> Vec<Ledger> {
    Ledger::all().unwrap_or_else(|error| panic!("{error}"))
}

/// What is measured changed by one: a row that holds as an equality must see it.
#[test]
fn another_measured_value_is_red() {
    let lab = Lab::default();
    let mut tried = 0;
    for ledger in ledgers() {
        for claim in ledger.claims.into_iter().step_by(5) {
            for number in 0..claim.readings.len() {
                let reading = &claim.readings[number];
                let numeric = |check: &Check| check.is == Relation::Equal && check.printed != "yes";
                if reading.verdict != Verdict::Holds || !reading.check.iter().all(numeric) {
                    continue;
                }
                let found = judge(&claim, false, &lab);
                let cases = &found.readings[number].cases;
                let counts = |case: &Case| case.measured.as_real().is_some();
                if cases.is_empty() || !cases.iter().all(counts) {
                    continue;
                }
                let mut changed = claim.clone();
                for check in &mut changed.readings[number].check {
                    check.measured = format!("({}) + 1", check.measured);
                }
                assert!(!judge(&changed, false, &lab).agrees(), "{}", claim.id);
                tried += 1;
            }
        }
    }
    assert!(tried >= 20, "{tried} rows were changed");
}

/// Families exchanged for others that are made much like them: rows that hold as equalities must see that it is another.
const MUTATIONS: [(&str, &str); 3] =
    [("re_heawood(", "re_heawood2("), ("flooded(", "folded("), ("rdn(ring(", "rdn(path(")];

#[test]
fn another_family_is_red() {
    let lab = Lab::default();
    let (mut all, mut found) = (0, Vec::new());
    for (family, mutant) in MUTATIONS {
        let (mut tried, mut red) = (0, 0);
        for claim in ledgers().into_iter().flat_map(|ledger| ledger.claims) {
            let reading = &claim.readings[0];
            let asks = |check: &Check| {
                check.is == Relation::Equal && check.measured.contains(&format!("({family}"))
            };
            if tried == 12 || reading.verdict != Verdict::Holds || !reading.check.iter().all(asks) {
                continue;
            }
            let mut changed = claim.clone();
            for check in &mut changed.readings[0].check {
                let [family, mutant] = [family, mutant].map(|name| format!("({name}"));
                check.measured = check.measured.replace(&family, &mutant);
            }
            tried += 1;
            red += u32::from(!judge(&changed, false, &lab).agrees());
        }
        all += red;
        found.push((family, mutant, red, tried));
    }
    // What does not depend on how the network is wired, such as its size, may stay as it is.
    assert!(found.iter().all(|&(_, _, red, _)| red >= 1) && all >= 5, "{found:?}");
}

#[test]
fn rows_say_where_and_what() {
    let mut ids = HashSet::new();
    let mut rows = 0;
    for ledger in ledgers() {
        for claim in &ledger.claims {
            assert!(ids.insert(claim.id.clone()), "two rows are called {}", claim.id);
            let in_paper = claim.id.strip_prefix(&ledger.key).and_then(|id| id.strip_prefix('.'));
            assert!(in_paper.is_some_and(|id| !id.is_empty()), "{} in {}", claim.id, ledger.key);
            assert!(!claim.place.is_empty() && claim.says.ends_with('.'), "{}", claim.id);
            let named = claim.readings.iter().all(|reading| !reading.name.is_empty());
            assert!(claim.readings.len() == 1 || named, "{}: a reading has no name", claim.id);
            rows += 1;
        }
    }
    assert!(rows > 250, "{rows} rows");
}

#[test]
fn a_ledger_that_is_not_complete_says_which_row() {
    let row = "title = 't'\n[[claim]]\nid = 'a'\nwhere = 'w'\nsays = 's.'\n";
    let check = "[[claim.check]]\nmeasured = 'nodes(ring(3))'\nprinted = '3'\n";
    for (text, fault) in [
        (format!("{row}{check}"), "`a` needs a verdict, or readings that have one each"),
        (format!("{row}verdict = 'holds'\n"), "`a` has a verdict but no check"),
        (format!("{row}verdict = 'fails'\n{check}"), "`a` fails without a repair"),
        (format!("{row}verdict = 'open'\n"), "`a` is open without a note that says why"),
        (format!("{row}verdict = 'holds'\ntable = 'T'\n{check}"), "`a` has a table or a row"),
        (format!("{row}verdict = 'maybe'\n{check}"), "unknown variant `maybe`"),
        (format!("{row}verdict = 'holds'\n{check}is = 'nearly'\n"), "unknown variant `nearly`"),
        (format!("{row}verdict = 'holds'\n{check}color = 'red'\n"), "unknown field `color`"),
        (
            format!("{row}verdict = 'holds'\n{check}{}", &row["title = 't'\n".len()..]),
            "two rows are called `a`",
        ),
        (
            format!("{row}verdict = 'holds'\n[[claim.check]]\nmeasured = 'node(ring(3))'\n"),
            "no quantity `node`: did you mean `nodes`?",
        ),
    ] {
        let message = Ledger::parse("mine", &text).expect_err(fault).to_string();
        assert!(message.starts_with("mine: ") && message.contains(fault), "{message}");
    }
    // What is only found out when it is measured is an error too, and no verdict.
    let text = format!("{row}verdict = 'holds'\n{}", check.replace("ring(3)", "rong(3)"));
    let ledger = Ledger::parse("mine", &text).unwrap();
    let judged = judge(&ledger.claims[0], false, &Lab::default());
    assert!(!judged.agrees());
    assert!(judged.readings[0].errors[0].to_string().contains("unknown network `rong`"));
    assert_eq!(judged.finding(), Finding::NotAsMeasured);
}

/// Which parameters of a row are which arguments of a spec; `ROW:name` is a name in that row alone.
const QUOTED: &[(&str, &[(&str, &str)])] = &[
    ("rcr(2, 2, 2)", &[("k", "2"), ("r", "2"), ("j", "2")]),
    ("rcr(1, 5, 3)", &[("k", "1"), ("r", "5"), ("j", "3")]),
    ("rcr(3, 1, 0)", &[("k", "3"), ("r", "1"), ("j", "0")]),
    ("rsn(hypercube(2), 3)", &[("base", "'hypercube(2)'"), ("l", "3")]),
    ("rsn(ring(5), 2)", &[("base", "'ring(5)'"), ("l", "2")]),
    // There an n-cube is as large as the network.
    ("hcn(3)", &[("n", "3"), ("section-1-hcn-degree:n", "6")]),
    ("hcn3(3)", &[("n", "9")]),
    ("re(ring(4), ring(3), 3)", &[("f", "'ring(4)'"), ("u", "'ring(3)'"), ("r", "3")]),
    ("re(complete(4), ring(3), 5)", &[("f", "'complete(4)'"), ("u", "'ring(3)'"), ("r", "5")]),
    (
        "re(ring(4), ring(4), 2, pivots=degree)",
        &[("f", "'ring(4)'"), ("u", "'ring(4)'"), ("r", "2")],
    ),
    (
        "re(complete(4), ring(3), 5, pivots=degree)",
        &[("f", "'complete(4)'"), ("u", "'ring(3)'"), ("r", "5")],
    ),
    ("rdn(ring(3), 2)", &[("base", "'ring(3)'"), ("k", "2")]),
    ("rdn(hypercube(3), 1)", &[("base", "'hypercube(3)'"), ("k", "1")]),
    ("re_heawood(3)", &[("n", "3")]),
    ("root_folded(heawood, 3)", &[("n", "3")]),
    ("root_folded(petersen, 2)", &[("n", "2")]),
    ("flooded(heawood, 3)", &[("n", "3")]),
];

/// What `info` says that a paper says is what the row of its ledger has: the formula, at these parameters, and whether it
/// is an equality.
#[test]
fn quotations_are_those_of_the_ledger() {
    let ledgers = Ledger::all().expect("our own ledgers");
    let mut quoted = 0;
    for (spec, parameters) in QUOTED {
        let said = nestnet::info(spec, &nestnet::Context::ALONE).expect("a network").paper_says;
        assert!(!said.is_empty(), "{spec}");
        for formula in said {
            let (what, value) = (formula.what, &formula.value);
            let claims = ledgers.iter().flat_map(|ledger| &ledger.claims);
            let claim = { claims }.find(|claim| claim.id == formula.row);
            let claim = claim.unwrap_or_else(|| panic!("{spec}: no row `{}`", formula.row));
            let measure = match what {
                "degree" => "degree_",
                other => other,
            };
            let checks = claim.readings.iter().flat_map(|reading| &reading.check);
            let check = { checks }
                .find(|check| {
                    check.measured.starts_with(measure) || check.measured.starts_with("if(degree")
                })
                .unwrap_or_else(|| panic!("{spec}: {} measures no {what}", claim.id));
            let bound = matches!(check.is, Relation::AtMost);
            assert_eq!(bound, formula.relation == "at most", "{spec}: {what}, {}", claim.id);
            // The printed formula of the row, with the arguments of this spec in place.
            let row = formula.row.split_once('.').map_or("", |(_, row)| row);
            let of_row = |name: &str| {
                let own = format!("{row}:{name}");
                parameters.iter().find(|(other, _)| *other == own).map(|(_, value)| *value)
            };
            let given: Vec<String> = parameters
                .iter()
                .filter(|(name, _)| !name.contains(':'))
                .map(|(name, value)| format!("{name} = [{}]", of_row(name).unwrap_or(value)))
                .collect();
            let text = format!(
                "title = \"t\"\n[[claim]]\nid = \"t.a\"\nwhere = \"w\"\nsays = \"s\"\nverdict = \"holds\"\n\
                 [[claim.check]]\ngiven = {{ {} }}\nmeasured = {:?}\nprinted = \"{value}\"\n",
                given.join(", "),
                check.printed
            );
            let ledger = Ledger::parse("t", &text).expect("a ledger");
            let judged = judge(&ledger.claims[0], false, &Lab::default());
            assert!(judged.agrees(), "{spec}: {what} {value}, {} has {}", claim.id, check.printed);
            quoted += 1;
        }
    }
    assert!(quoted > 30, "{quoted}");
}

/// Every proof that is named is in docs/proofs.md, and none is a path of the source.
#[test]
fn proofs_are_where_they_are_said_to_be() {
    let page = include_str!("../../../../docs/proofs.md");
    let mut anchors = 0;
    for ledger in Ledger::all().expect("our own ledgers") {
        for claim in &ledger.claims {
            for proof in claim.readings.iter().filter_map(|reading| reading.proof.as_deref()) {
                assert!(!proof.contains("family/"), "{}: {proof}", claim.id);
                if let Some(rest) = proof.strip_prefix("proofs.md#") {
                    let anchor = rest.split(':').next().unwrap_or_default();
                    let id = format!("<a id=\"{anchor}\"></a>");
                    assert!(page.contains(&id), "{}: no anchor {anchor}", claim.id);
                    anchors += 1;
                }
            }
        }
    }
    assert!(anchors > 60, "{anchors}");
}

/// Whether it is stated as an equality.
fn is_equality(case: &Case) -> bool {
    matches!(case.relation, Relation::Equal | Relation::Worst | Relation::Rounds)
}

/// Whether it is an equality of numbers that is not exceeded.
fn is_bound(case: &Case) -> bool {
    let standing = case.measured.stands(&case.printed);
    is_equality(case) && matches!(standing, Some(Standing::Below | Standing::Equal))
}

/// What of a row is against the rule of the page of errata. 2: a false equality that is never exceeded is marked as true
/// as a bound. 5: a definition cannot fail. And what fails by measurement has a command that shows it.
fn against_the_rule(claim: &Claim, lab: &Lab<'_>) -> Option<&'static str> {
    let fails = |verdict: Verdict| verdict.is_failure();
    if !claim.readings.iter().any(|reading| fails(reading.verdict)) {
        return None;
    }
    if claim.kind == Kind::Definition {
        return Some("a definition cannot fail");
    }
    for found in judge(claim, false, lab).readings {
        let reading = found.reading;
        if reading.verdict == Verdict::Fails && !found.cases.is_empty() {
            let decides = |case: &&Case| case.fit == Fit::No || is_equality(case);
            if found.cases.iter().filter(decides).all(is_bound) {
                return Some("it is true as a bound");
            }
        }
        let bad = |case: &&Case| matches!(case.fit, Fit::No | Fit::Slack);
        if fails(reading.verdict)
            && let Some(case) = found.cases.iter().find(bad)
            && reading.show.is_none()
            && case.command.is_none()
            && case.basis != Basis::Arithmetic
        {
            return Some("no command shows it");
        }
    }
    None
}

#[test]
fn verdicts_follow_the_rule_of_the_page() {
    let others = [
        ("template", TEMPLATE),
        ("dragonfly", include_str!("../../../../docs/ledgers/dragonfly.toml")),
    ];
    let others = others.map(|(key, text)| Ledger::parse(key, text).expect("a ledger"));
    let lab = Lab::default();
    for claim in ledgers().into_iter().chain(others).flat_map(|ledger| ledger.claims) {
        assert_eq!(against_the_rule(&claim, &lab), None, "{}", claim.id);
    }
}

#[test]
fn what_is_against_the_rule_is_seen() {
    let row = |place: &str, is: &str, printed: &str| {
        format!(
            "title = 't'\n[[claim]]\nid = 'a'\nwhere = '{place}'\nsays = 's.'\nverdict = 'fails'\nrepair = 'r'\n\
             [[claim.check]]\ngiven = {{ n = [5, 6] }}\nmeasured = 'diameter(ring({{n}}))'\n\
             is = '{is}'\nprinted = '{printed}'\n"
        )
    };
    for (place, is, printed, fault) in [
        ("Section 1", "equal", "n/2", Some("it is true as a bound")),
        ("Section 1", "equal", "n", Some("it is true as a bound")),
        ("Section 1", "equal", "5/2", None),
        ("Section 1", "at-least", "n", None),
        ("Definition 1", "at-least", "n", Some("a definition cannot fail")),
    ] {
        let ledger = Ledger::parse("mine", &row(place, is, printed)).expect("a ledger");
        let found = against_the_rule(&ledger.claims[0], &Lab::default());
        assert_eq!(found, fault, "{place}: {is} {printed}");
    }
}

/// An order of growth has no factor: a row that measures one says that the factor is ours.
#[test]
fn orders_of_growth_say_as_what_they_are_taken() {
    for claim in ledgers().into_iter().flat_map(|ledger| ledger.claims) {
        let order = ["O(", "Θ(", "Ω("].iter().any(|order| claim.says.contains(order));
        let ours = ["taken as", "checked with"].iter().any(|words| claim.says.contains(words));
        let slip = claim.verdict() == Verdict::Misprint;
        assert!(!order || ours || slip, "{}: {}", claim.id, claim.says);
    }
}

/// The template is a ledger, and every verdict in it is as measured.
#[test]
fn the_template_is_judged_as_it_stands() {
    let ledger = Ledger::parse("template", TEMPLATE).expect("a ledger");
    for claim in &ledger.claims {
        assert!(judge(claim, false, &Lab::default()).agrees(), "{}", claim.id);
    }
    let worked = include_str!("../../../../docs/ledgers/dragonfly.toml");
    let ledger = Ledger::parse("dragonfly", worked).expect("a ledger");
    for claim in &ledger.claims {
        assert!(judge(claim, false, &Lab::default()).agrees(), "{}", claim.id);
    }
}

/// The edition of the errata is the one that is cited.
#[test]
fn the_citation_has_the_date_of_the_errata() {
    let citation = include_str!("../../../../CITATION.cff");
    let date = nestnet::claim::errata::EDITION;
    assert!(citation.contains(&format!("date-released: {date}")), "{date}");
    assert!(citation.contains(&format!("version: {}", env!("CARGO_PKG_VERSION"))));
}
