//! `design` and `grow` from outside.

use crate::{Ended, FIGURES, json, nestnet};

const SMALL: [&str; 10] = [
    "design",
    "--nodes",
    "20",
    "--max-degree",
    "4",
    "--depth",
    "1",
    "--max-base",
    "6",
    "--no-report",
];

#[test]
fn a_front_is_printed_and_nothing_else() {
    let Ended { code, stdout, stderr } = nestnet(SMALL);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.trim_start().starts_with("network"), "{stdout}");
    assert!(stdout.contains("candidates are Pareto-optimal in degree, diameter"), "{stdout}");
    assert_eq!(stderr, "");
    let few = nestnet(SMALL.iter().copied().chain(["--limit", "1"]));
    assert!(few.stdout.contains("not shown (--limit)"), "{}", few.stdout);
}

#[test]
fn json_has_every_key_of_every_row() {
    let args: Vec<&str> = SMALL.iter().copied().chain(["--json"]).collect();
    let object = json(&args);
    assert!(object["candidates"].as_u64().unwrap() > 10);
    let front = object["front"].as_array().unwrap();
    assert!(!front.is_empty());
    for row in front {
        for key in FIGURES.into_iter().chain(["vertex_connectivity", "match"]) {
            assert!(!row[key].is_null(), "{key} of {row}");
        }
        let measured =
            json(&["measure", row["spec"].as_str().unwrap(), "--only", "distances,cr", "--json"]);
        assert_eq!(row["average_distance"]["value"], measured["average_distance"]["value"]);
        assert_eq!(row["diameter"]["low"], measured["diameter"]["low"]);
        assert_eq!(row["cr"], measured["cr"]);
    }
}

#[test]
fn what_does_not_fit_is_a_no_with_a_way_out() {
    let args = SMALL.iter().copied().chain(["--max-diameter", "1"]);
    let Ended { code, stdout, .. } = nestnet(args);
    assert_eq!(code, Some(1));
    assert!(
        stdout.starts_with("no candidate of degree ≤ 4 with diameter ≤ 1 at 20 ± 10 %: relax ")
    );
    assert!(stdout.contains("--max-diameter to "), "{stdout}");
}

#[test]
fn bad_questions_name_the_option() {
    for (args, fault) in [
        (["--nodes", "0"].as_slice(), "expected a number from 1 to 10^30"),
        (&["--nodes", "1e31"], "expected a number from 1 to 10^30"),
        (&["--nodes", "9", "--tolerance", "ten"], "such as 0.05 or 5%"),
        (&["--nodes", "9", "--objective", "digree"], "did you mean `degree`?"),
        (&["--nodes", "9", "--family", "rnd"], "did you mean `rdn`?"),
        (&["--nodes", "64", "--radix", "16"], "'--nodes <N>' cannot be used with '--radix <R>'"),
        (&["--nodes", "64", "--max-price", "9"], "cannot be used with '--max-price <DOLLARS>'"),
        (&["--hosts", "64", "--radix", "8", "--family", "plane"], "did you mean `planes`?"),
    ] {
        let Ended { code, stdout, stderr } = nestnet(["design"].iter().chain(args));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(stderr.contains(fault), "{args:?}: {stderr}");
    }
}

#[test]
fn no_rows_are_a_count_without_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(crate::NESTNET);
    let asked = &SMALL[..9];
    command.args(asked).args(["--limit", "0"]).current_dir(folder.path());
    let Ended { code, stdout, stderr } = command.output().unwrap().into();
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.lines().next().unwrap().contains("candidates are Pareto-optimal"), "{stdout}");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_bounds_the_search_is_said_and_can_be_lifted() {
    let asked = ["design", "--nodes", "100", "--tolerance", "0", "--depth", "1", "--family", "re"];
    let asked = [&asked[..], &["--no-report"]].concat();
    let found = |more: &[&str]| nestnet([&asked[..], more].concat()).stdout;
    let usual = found(&[]);
    assert!(
        usual.contains(
            "searched: constructions to depth 1 (--depth), bases of up to 32 nodes (--max-base), \
             frames of up to 16 (--max-frame), 5 around what is nested (--max-nested-frame)"
        ),
        "{usual}"
    );
    // Which is re(hoffman_singleton, hypercube(1), 1) by shorter names.
    let hidden = "re(slimfly(5), complete(2), 1)";
    assert!(!usual.contains(hidden), "{usual}");
    let wide = found(&["--max-frame", "50", "--limit", "200"]);
    assert!(wide.contains(hidden), "{wide}");
}

#[test]
fn networks_that_cannot_grow_say_no() {
    let Ended { code, stdout, .. } = nestnet(["grow", "petersen"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("none of its integers can be one larger"), "{stdout}");
}

/// Ports that `compare` breaks out are broken out here.
#[test]
fn planes_grow_on_the_switches_of_which_they_are_built() {
    let spec = "planes(clos(16, 2, 1, 32), 2)";
    let Ended { code, stdout, .. } = nestnet(["grow", spec, "--switch-ports", "8"]);
    assert_eq!(code, Some(0), "{stdout}");
    assert!(stdout.contains("of 16 ports (8, each broken out into 2)"), "{stdout}");
}

/// The CSV, the JSON and the row say the same price, line by line and in all.
#[test]
fn a_bill_of_materials_adds_up_to_the_price_of_the_row() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bill.csv");
    let path = file.to_str().unwrap();
    for more in [&[][..], &["--price-used-ports"], &["--breakout", "2", "--placement", "in-order"]]
    {
        let question = ["design", "--hosts", "64", "--radix", "16", "--depth", "0", "--json"];
        let args = [&question[..], &["--bill", path], more].concat();
        let object = json(&args);
        let spec = object["recommended"]["spec"].as_str().unwrap();
        let front = object["front"].as_array().unwrap();
        let row = front.iter().find(|row| row["spec"] == spec).unwrap();
        let hosts = object["hosts"].as_f64().unwrap();
        let csv = std::fs::read_to_string(&file).unwrap();
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("item,meters,count,unit_price,price,watts"));
        let (mut price, mut power, mut boxes) = (0.0, 0.0, 0);
        let mut total = None;
        for line in lines {
            // A name may have commas between quotes.
            let (name, rest) = match line.strip_prefix('"') {
                Some(quoted) => quoted.split_once("\",").unwrap(),
                None => line.split_once(',').unwrap(),
            };
            let cells: Vec<&str> = rest.split(',').collect();
            let number = |at: usize| cells[at].parse::<f64>().unwrap();
            if name == "total" {
                total = Some([number(3), number(4)]);
                continue;
            }
            // Cents are rounded.
            let each = number(1) * number(2);
            assert!((each - number(3)).abs() <= 0.01 * number(1), "{line}");
            price += number(3);
            power += number(4);
            boxes += if name.starts_with("switch") { cells[1].parse().unwrap() } else { 0 };
        }
        let total = total.unwrap();
        for (sum, said, key) in
            [(price, total[0], "price_per_host"), (power, total[1], "power_per_host")]
        {
            assert!((sum - said).abs() < 0.5, "{csv}");
            let of_row = row[key].as_f64().unwrap() * hosts;
            assert!((said - of_row).abs() < 0.01 + 1e-9 * of_row, "{said} {of_row}");
        }
        assert_eq!(boxes, row["switches"].as_u64().unwrap());
        // Every cable is in the histogram, and no placement has less cable than the bound.
        let bill = &object["bill"];
        let lengths = bill["cable_lengths"].as_array().unwrap();
        let cables: u64 = lengths.iter().map(|row| row["cables"].as_u64().unwrap()).sum();
        assert_eq!(cables, row["links"].as_u64().unwrap() + row["hosts"].as_u64().unwrap());
        match bill["least_cable_length"].as_f64() {
            Some(least) => assert!(0.0 < least && least <= bill["cable_length"].as_f64().unwrap()),
            None => assert!(more.contains(&"in-order")),
        }
    }
}

/// A page about a fabric speaks of it, and of papers only where one of their networks is in it.
#[test]
fn a_page_about_a_fabric_has_what_a_buyer_asks() {
    let folder = tempfile::tempdir().unwrap();
    let [page, bill] = ["page.html", "bill.csv"].map(|name| folder.path().join(name));
    let of = |spec: &str| {
        let [page, bill] = [&page, &bill].map(|path| path.to_str().unwrap());
        let ended = nestnet(["report", spec, "-o", page, "--bill", bill, "--no-baselines"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        std::fs::read_to_string(page).unwrap()
    };
    let text = of("clos(8, 2)");
    for part in ["Fabric", "worst case", "bisection", "Racks and cables", "Bill of materials"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(text.contains("connects 32 hosts by 12 switches") && !text.contains("papers say"));
    assert!(std::fs::read_to_string(&bill).unwrap().contains("\nNIC,,32,"));
    assert!(of("hosts(rdn(ring(3), 1), 2)").contains("What the papers say"));
    assert!(!of("ring(5)").contains("Bill of materials"));
    // That of a design has all rows, those of reference too.
    let path = page.to_str().unwrap();
    let args = ["design", "--hosts", "64", "--radix", "16", "--depth", "0", "--report", path];
    let ended = nestnet(args);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("  racks: ") && ended.stdout.contains("by any placement"));
    let text = std::fs::read_to_string(&page).unwrap();
    for part in ["Pareto-optimal fabrics", "Reference fabrics", "<th>worst</th>", "clos(16, 2"] {
        assert!(text.contains(part), "{part}");
    }
}

/// Boxes and cables of an expansion, counted by hand: one more switch of a complete network of four.
#[test]
fn an_expansion_has_boxes_cables_and_a_price() {
    let found = json(&["grow", "hosts(complete(4), 2)", "--hosts", "10", "--json"]);
    let next = found["next"].as_array().unwrap();
    let larger = next.iter().find(|one| one["spec"] == "hosts(complete(5), 2)").unwrap();
    let plan = &larger["expansion"];
    for (key, value) in [
        ("hosts", 10),
        ("new_hosts", 2),
        ("switches", 5),
        ("new_switches", 1),
        ("cables_moved", 0),
        ("new_cables", 6),
    ] {
        assert_eq!(plan[key], value, "{key}");
    }
    // The box, two NICs, 2 + 2·4 ports, and six cables of some price.
    let boxes = 3000.0 + 2.0 * 1600.0 + 10.0 * 450.0;
    let price = plan["price"].as_f64().unwrap();
    assert!(price > boxes + 6.0 * 80.0 && price < boxes + 6.0 * 1700.0, "{price}");
    assert_eq!(plan["price_per_new_host"].as_f64().unwrap(), price / 2.0);
    // A ring must be opened.
    let text = nestnet(["grow", "hosts(ring(5), 2)", "--hosts", "14"]).stdout;
    assert!(text.contains("n of ring by 2 larger: hosts(ring(7), 2)"), "{text}");
    assert!(text.contains("14 hosts (4 new), 7 switches (2 new), 6 new cables;"), "{text}");
    // A cable that moves is one of those that are new in the larger ring.
    let line = "rewiring: of 15 cables 14 stay and 1 moves, 6 are new; each present switch needs no free port";
    assert!(text.contains(line), "{text}");
}

/// Every switch of the complete network has 31 ports to others: with 64 hosts, or 64 switches, it needs 95.
#[test]
fn switches_of_too_few_ports_are_no_plan() {
    let question = ["grow", "hosts(complete(32), 32)", "--hosts", "2048", "--switch-ports", "64"];
    let Ended { code, stdout, .. } = nestnet(question);
    assert_eq!(code, Some(1), "{stdout}");
    for part in [
        "a switch uses 63 of 64 ports",
        "omitted: 2 larger networks",
        "hosts(complete(32), 64) needs 95 of 64 ports",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    assert!(!stdout.contains("expansion"), "{stdout}");
    // A host more fits, and a switch more too.
    let text = nestnet(["grow", "hosts(complete(32), 32)", "--switch-ports", "64"]).stdout;
    assert!(text.contains("each present switch needs up to 1 free port and has 1"), "{text}");
    assert!(!text.contains("omitted"), "{text}");
    // What fits is a plan, beside what does not.
    let torus = ["grow", "hosts(torus(4, 4), 2)", "--hosts", "48", "--switch-ports", "6", "--json"];
    let found = json(&torus);
    assert_eq!(found["next"].as_array().map(Vec::len), Some(2), "{found}");
    assert_eq!(found["left_out"][0]["spec"], "hosts(torus(4, 4), 3)");
    assert_eq!(found["left_out"][0]["ports"], 7);
    // Where nobody says how many ports there are, all are offered.
    let free = json(&[&question[..4], &["--json"]].concat());
    assert_eq!(free["next"].as_array().map(Vec::len), Some(2), "{free}");
    assert!(free["switches"].is_null() && free["left_out"].as_array().is_some_and(Vec::is_empty));
}

/// A folded Clos network has as many hosts as were asked for, and its cables add up.
#[test]
fn a_clos_grows_to_the_hosts_that_are_wanted() {
    let fabric = "clos(64, 2, 1, 1024)";
    for more in [&[][..], &["--hosts", "2048"], &["--switch-ports", "64"]] {
        let text = nestnet([&["grow", fabric][..], more].concat()).stdout;
        for part in [
            "1,072 nodes, 2,048 cables\n",
            "hosts by 1,024 larger: clos(64, 2, taper=1, hosts=2048), 2,144 nodes, 4,096 cables\n",
            "rewiring: of 2,048 cables 1,536 stay and 512 move, 2,048 are new; each present switch",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    // Where two levels are full a third is offered.
    let text = nestnet(["grow", fabric, "--hosts", "2049"]).stdout;
    assert!(text.contains("levels one larger: clos(64, 3, taper=1, hosts=2049)"), "{text}");
    let Ended { code, stdout, .. } = nestnet(["grow", fabric, "--hosts", "70000"]);
    assert_eq!(code, Some(1), "{stdout}");
    assert!(stdout.contains("none of its integers, made larger, gives 70,000 hosts"), "{stdout}");
    assert!(stdout.contains("`nestnet design --hosts 70000` finds others"), "{stdout}");
}

/// What is recommended for a chip is simulated with the virtual channels that were asked for, and comes near to its
/// throughput; the command that is shown runs the same again, also by the tables that are written.
#[test]
fn a_chip_is_confirmed_by_simulation() {
    let families = ["--family", "mesh"];
    let asked =
        ["design", "--nodes", "16", "--max-degree", "4", "--max-vcs", "2", "--cost-model", "chip"];
    let found = json(&[&asked[..], &families, &["--no-report", "--json"]].concat());
    let spec = found["recommended"]["spec"].as_str().unwrap();
    let mut front = found["front"].as_array().unwrap().iter();
    let row = front.find(|row| row["spec"] == spec).unwrap();
    let seen = &found["simulated"];
    assert_eq!(&row["simulated"], seen);
    assert_eq!(seen["vcs"], 2);
    let (accepted, throughput) = (seen["accepted"].as_f64().unwrap(), row["throughput"].as_f64());
    assert!(accepted >= 0.85 * throughput.unwrap().min(1.0), "{accepted} of {throughput:?}");
    let folder = tempfile::tempdir().unwrap();
    let routes = folder.path().join("routes.txt");
    let routes = routes.to_str().unwrap();
    let router = row["routing"].as_str().unwrap();
    let written = nestnet(["tables", spec, "--router", router, "--output", routes]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let command = seen["command"].as_str().unwrap().replace('\'', "");
    let options = command.split_once("--vcs").unwrap().1;
    for router in [router.to_owned(), format!("table({routes})")] {
        let mut again = vec!["simulate", spec, "--without-self", "--router", &router, "--vcs"];
        again.extend(options.split_whitespace());
        again.push("--json");
        let again = &json(&again)["curves"][0]["most_accepted"];
        assert_eq!(again.as_f64().unwrap(), accepted, "{router}");
    }
}
