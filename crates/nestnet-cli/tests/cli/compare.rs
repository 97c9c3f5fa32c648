//! `compare` and `report` from outside.

use crate::{FIGURES, json, nestnet};
use std::fs;

#[test]
fn rows_have_every_key_and_what_else_was_asked_for() {
    let object = json(&["compare", "rdn(ring(3), 1)", "hypercube(4)", "--also", "girth", "--json"]);
    let rows = object["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        for key in FIGURES.into_iter().chain(["table_bytes", "levels", "girth", "price_per_host"]) {
            assert!(!row[key].is_null(), "{key} of {row}");
        }
        let links = &row["physical"]["links"];
        let placed: u64 = ["chip", "board", "rack", "row", "floor"]
            .iter()
            .map(|package| links[package].as_u64().unwrap())
            .sum();
        assert_eq!(placed, row["links"].as_u64().unwrap());
    }
    assert!(rows[0]["best"].as_array().unwrap().contains(&"degree".into()));
}

/// Where links and cables are is no answer to columns of the network alone.
#[test]
fn only_the_columns_that_are_named_are_printed() {
    let printed = |columns: &[&str]| {
        let ended = nestnet([&["compare", "torus(4, 4)", "ring(5)"], columns].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{columns:?}");
        ended.stdout
    };
    let named = printed(&["--columns", "nodes,degree,diameter"]);
    assert_eq!(named.trim_end().lines().count(), 3, "{named}");
    for columns in [&[][..], &["--columns", "nodes,price_per_host"]] {
        assert!(printed(columns).contains("links within"), "{columns:?}");
    }
}

/// A column is named by its key or by its heading.
#[test]
fn columns_have_the_names_of_their_headings() {
    let printed = |columns: &str| {
        let ended = nestnet(["compare", "hosts(ring(4), 2)", "--columns", columns]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{columns}");
        ended.stdout
    };
    let by_key = printed("bisection_fraction,average_distance,longest_cable,price_per_host");
    assert_eq!(printed("bisection,average,longest,$/host"), by_key);
    assert!(by_key.lines().next().unwrap().contains("bisection"), "{by_key}");
    assert_eq!(nestnet(["compare", "ring(4)", "--columns", "bisections"]).code, Some(2));
}

/// The page, its CSV and a comparison have one price, also where ports are broken out.
#[test]
fn the_bill_of_a_report_is_the_price_of_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (page, csv) = (path("page.html"), path("bill.csv"));
    for spec in ["planes(clos(16, 2, 1, 64), 2)", "rails(8, 4, 4, 4, 9)", "hosts(ring(4), 3)"] {
        let ports = ["--switch-ports", "8"];
        let args = ["report", spec, "-o", &page, "--bill", &csv, "--no-baselines"];
        let ended = nestnet([&args[..], &ports].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{spec}");
        let compared = ["compare", spec, "--cost-model", "cluster", "--json"];
        let row = json(&[&compared[..], &ports].concat())["rows"][0].clone();
        let price = row["physical"]["price"].as_f64().unwrap();
        let total = fs::read_to_string(&csv).unwrap();
        let total = total.lines().last().unwrap().strip_prefix("total,,,,").unwrap();
        let total: f64 = total.split(',').next().unwrap().parse().unwrap();
        assert!((total - price).abs() < 0.01, "{spec}: {total}, not {price}");
        let shown = price.round().to_string();
        let groups = shown.as_bytes().rchunks(3).rev();
        let groups: Vec<&str> = groups.map(|group| str::from_utf8(group).unwrap()).collect();
        let cell = format!("<td>{}</td>", groups.join(","));
        assert!(fs::read_to_string(&page).unwrap().contains(&cell), "{spec}: {cell}");
    }
}

/// Two links of a host at half the rate are one: a taper of planes is that of one of them.
#[test]
fn planes_carry_what_one_of_them_does() {
    let plane = |taper: u64| format!("clos(8, 2, {taper}, 32)");
    for taper in [1, 2] {
        let (one, both) = (plane(taper), format!("planes({}, 2)", plane(taper)));
        let object = json(&["compare", &one, &both, "--json"]);
        for key in ["throughput", "worst_case", "bisection_fraction"] {
            assert_eq!(object["rows"][0][key], object["rows"][1][key], "{key}");
        }
        let full = object["rows"][0]["throughput"].as_f64().unwrap() >= 0.95;
        assert_eq!(full, taper == 1);
    }
}

#[test]
fn baselines_come_by_themselves() {
    let object = json(&["compare", "rdn(petersen, 1)", "--match-nodes", "--json"]);
    let rows = object["rows"].as_array().unwrap();
    let specs: Vec<&str> = rows.iter().map(|row| row["spec"].as_str().unwrap()).collect();
    for wanted in ["torus(14, 14)", "hypercube(8)", "random_regular(200, 4, 1)", "ccc(5)"] {
        assert!(specs.contains(&wanted), "{wanted} in {specs:?}");
    }
}

#[test]
fn a_page_is_whole_and_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let ended = nestnet(["report", "rdn(ring(3), 1)", "-o", path.to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("wrote "));
    let page = fs::read_to_string(&path).unwrap();
    for part in
        ["Comparison", "Picture", "Numbers", "Distances", "Routing and deadlock", "Broadcast"]
    {
        assert!(page.contains(&format!(">{part}<")), "{part}");
    }
    assert!(page.contains("What the papers say") && page.contains("class=fails"));
    // The name of a vocabulary is no address to fetch.
    let fetched = page.replace("http://www.w3.org/2000/svg", "");
    for sign in ["http", "<script", "<link", "src=", "@import", "url("] {
        assert!(!fetched.contains(sign), "{sign}");
    }
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn bad_questions_name_the_option() {
    for (args, fault) in [
        (["compare"].as_slice(), "<SPECS>"),
        (
            &["compare", "ring(5)", "--columns", "digree"],
            "--columns: no column `digree`: did you mean `degree`?",
        ),
        (
            &["compare", "ring(5)", "--rack", "8"],
            "rack: 8 nodes must be at least 1 and at least the 32",
        ),
        (&["compare", "ring(5)", "--copper", "1,2"], "expected three numbers with commas"),
        (&["compare", "ring(5)", "--row-pitch", "nan"], "row pitch: NaN is not allowed"),
        (&["compare", "rong(5)"], "unknown network `rong`"),
        (
            &["report", "ring(5)", "-o", "no/such/folder/x.html"],
            "there is no folder no/such/folder",
        ),
    ] {
        let ended = nestnet(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.contains(fault), "{args:?}: {}", ended.stderr);
    }
}

/// A cluster is paid by its hosts, switches and cables, and a chip by its wire.
#[test]
fn cost_models_price_what_is_built() {
    let row = |args: &[&str]| {
        let all = json(&[&["compare", "clos(4, 2)", "--json"], args].concat());
        all["rows"][0].clone()
    };
    let in_order = row(&["--cost-model", "cluster", "--placement", "in-order"]);
    // Eight hosts in one rack with four leaves; two spines in a rack of their own.
    assert_eq!(in_order["physical"]["racks"], 2);
    let boxes = 8.0 * 1600.0 + 6.0 * 3000.0 + 24.0 * 450.0;
    // To the spines across an aisle by active copper.
    let (near, far) = (8.0 * (80.0 + 40.0 * 1.5), 8.0 * (250.0 + 50.0 * 4.4));
    let price = in_order["price_per_host"].as_f64().unwrap();
    assert!((price - (boxes + near + far) / 8.0).abs() < 1e-6, "{price}");
    // One rack has room for all of them, and all cables are inside.
    let cluster = row(&["--cost-model", "cluster"]);
    assert_eq!(cluster["physical"]["racks"], 1);
    let price = cluster["price_per_host"].as_f64().unwrap();
    assert!((price - (boxes + 2.0 * near) / 8.0).abs() < 1e-6, "{price}");
    let fast = row(&["--cost-model", "cluster", "--speed", "800"]);
    assert!(fast["price_per_host"].as_f64().unwrap() > price);
    let free = row(&["--cost-model", "cluster", "--nic", "0,0"]);
    assert!((price - free["price_per_host"].as_f64().unwrap() - 1600.0).abs() < 1e-6);
    let chip = json(&["compare", "mesh(8, 8)", "torus(8, 8)", "--cost-model", "chip", "--json"]);
    let of = |row: usize, key: &str| chip["rows"][row]["chip"][key].as_f64().unwrap();
    assert_eq!((of(0, "wire"), of(0, "longest_wire")), (112.0, 1.0));
    assert_eq!((of(1, "wire"), of(1, "longest_wire")), (224.0, 2.0));
    assert!(chip["rows"][0].get("price_per_host").is_none(), "there are no dollars");
    assert!(chip["rows"][0]["energy_per_bit"].as_f64().unwrap() > 0.0);
    let text = nestnet(["compare", "mesh(4, 4)", "ring(16)", "--cost-model", "chip"]).stdout;
    assert!(text.contains("wire mm") && !text.contains("$/host"), "{text}");
}

/// By the same switches as `design`: 4,940 $ a host of 64 ports, in the table of the README.
#[test]
fn ports_are_broken_out_where_planes_need_it() {
    let planes = "planes(clos(128, 2, 1, 4096), 2)";
    let found = |more: &[&str]| {
        let question = ["compare", planes, "--cost-model", "cluster", "--switch-ports"];
        nestnet([&question, more].concat())
    };
    let row = |more: &[&str]| {
        let printed = found(&[more, &["--json"]].concat()).stdout;
        serde_json::from_str::<serde_json::Value>(&printed).unwrap()["rows"][0].clone()
    };
    let (own, by_hand) = (
        row(&["64"]),
        row(&["64", "--speed", "200", "--breakout", "2", "--nic", "1600,25", "--nic-links", "2"]),
    );
    for key in ["price_per_host", "power_per_host", "physical"] {
        assert_eq!(own[key], by_hand[key], "{key}");
    }
    assert_eq!(own["price_per_host"].as_f64().unwrap().round(), 4940.0);
    let text = found(&["64"]).stdout;
    assert!(text.contains("64 ports of a switch is broken out into 2 links"), "{text}");
    let text = found(&["128"]).stdout;
    assert!(!text.contains("broken out"), "{text}");
    let text = found(&["32"]).stdout;
    assert!(
        text.contains("its largest switch has 128 links, and switches have ports for 32"),
        "{text}"
    );
}
