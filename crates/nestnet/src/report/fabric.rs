//! A network of switches, as the buyer of a cluster sees it: traffic, racks and cables, bill of materials.

use super::html::{Bar, bars, facts, safe, table};
use crate::compare::Contender;
use crate::physical::{Bill, Item};
use nestnet_analysis::number_format::{count, number};
use std::fmt::Write as _;

/// What is known of it; empty where nothing is.
pub(super) fn parts(contender: &Contender) -> String {
    let mut text = String::new();
    let traffic = traffic(contender);
    if !traffic.is_empty() {
        let _ = write!(text, "<h3>Fabric</h3>\n{traffic}");
    }
    if let Ok(bill) = &contender.bill {
        let _ = write!(text, "<h3>Racks and cables</h3>\n{}", cables(bill));
        let _ = write!(text, "<h3>Bill of materials</h3>\n{}", materials(bill));
    }
    text
}

/// A number that people read: no more digits than tell something.
fn rounded(value: f64) -> String {
    number((value * 1000.0).round() / 1000.0)
}

fn traffic(contender: &Contender) -> String {
    let mut rows = Vec::new();
    if let Some(carried) = &contender.carried {
        if let Some(routed) = &carried.routed {
            rows.push(("routing".to_owned(), routed.name.to_owned(), "proven free of deadlock"));
            rows.push(("virtual channels".to_owned(), routed.vcs.to_string(), ""));
            rows.push((
                "uniform throughput".to_owned(),
                rounded(routed.uniform.min(1.0)),
                "the fraction of the full rate of every host under uniform traffic",
            ));
            let worst = routed.worst.map(|worst| rounded(worst.min(1.0)));
            rows.push((
                "worst case".to_owned(),
                worst.unwrap_or_else(|| "not computed".to_owned()),
                "the same under the worst permutation of hosts",
            ));
        }
        if let Some(part) = carried.bisection {
            rows.push((
                "bisection".to_owned(),
                rounded(part),
                "cables across a bisection for each host of one side; 1 is full",
            ));
        }
    }
    if let Ok(bill) = &contender.bill {
        let each = |value: f64, unit: &str| format!("{} {unit}", number(value.round()));
        rows.push(("price".to_owned(), each(bill.price_per_host(), "$ a host"), ""));
        rows.push(("power".to_owned(), each(bill.power_per_host(), "W a host"), ""));
    }
    if rows.is_empty() { String::new() } else { facts(&rows) }
}

fn cables(bill: &Bill) -> String {
    let meters = |value: f64| format!("{} m", number(value.round()));
    let bound = bill.least_length.map_or_else(String::new, |least| {
        format!("; no placement of these switches in these racks has less than {}", meters(least))
    });
    let racks = format!(
        "{} racks in {} rows, at most {} hosts or switches without hosts in one.",
        count(&bill.racks.into()),
        count(&bill.rows.into()),
        count(&bill.in_rack.into()),
    );
    let length = format!(
        "{} of cable, the longest {} m{bound}.",
        meters(bill.length),
        rounded(bill.longest)
    );
    let rows: Vec<Bar> = bill
        .cable_lengths
        .iter()
        .map(|row| Bar {
            name: format!("up to {} m", number(row.up_to)),
            value: row.cables as f64,
            label: count(&row.cables.into()),
            mine: false,
        })
        .collect();
    let drawn = if rows.is_empty() { String::new() } else { bars(&rows, "cables by length") };
    format!("<p>{} {}</p>\n{drawn}", safe(&racks), safe(&length))
}

fn materials(bill: &Bill) -> String {
    let head = ["item", "length, m", "count", "$ each", "$", "W"].map(str::to_owned);
    let whole = |value: f64| number(value.round());
    let row = |one: &Item| {
        vec![
            safe(&one.item),
            one.meters.map_or_else(|| "–".to_owned(), |meters| format!("up to {}", number(meters))),
            count(&one.count.into()),
            whole(one.unit_price),
            whole(one.price),
            whole(one.power),
        ]
    };
    let mut rows: Vec<Vec<String>> = bill.items.iter().map(row).collect();
    let [price, power] = [bill.price, bill.power].map(whole);
    rows.push(vec!["total".to_owned(), String::new(), String::new(), String::new(), price, power]);
    // Where all ports of a switch are paid, its line names them.
    let in_use = bill.items.iter().any(|one| one.item == "switch");
    let ports = "<p>Switches are billed with the ports in use alone; the option <code>switch_ports</code> bills all.</p>\n";
    format!("{}{}", if in_use { ports } else { "" }, table(&head, &rows))
}
