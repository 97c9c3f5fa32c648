//! What can be chosen and what is measured: the tables of the library, as the page shows them in its forms and headings.

use super::plot;
use crate::text::with_titles;
use nestnet::collective::Collective;
use nestnet::design::{DESIGN_OPTIONS, HOST_OPTIONS, NODE_OPTIONS, SIZE_OPTIONS};
use nestnet::format::FORMATS;
use nestnet::metrics::{Better, METRICS};
use nestnet::options::{Kind, Setting, Usual};
use nestnet::physical::COST_OPTIONS;
use nestnet::traffic::TRAFFIC;
use serde_json::{Value, json};

/// All tables as one JSON object.
pub fn tables() -> Value {
    let metrics = METRICS.iter().map(|row| {
        let better = match row.better {
            Better::Less => "less",
            Better::More => "more",
            Better::Neither => "",
        };
        json!({ "key": row.key, "unit": row.unit, "about": row.about, "better": better })
    });
    let traffic = TRAFFIC.iter().map(|row| json!({ "usage": row.usage, "about": row.about }));
    let written = FORMATS.iter().filter(|format| format.write.is_some());
    let formats = written.map(|format| {
        let end = format.extensions.first().unwrap_or(&"txt");
        json!({ "name": format.name, "about": format.title, "extension": end })
    });
    let [nodes, hosts, radix] = &SIZE_OPTIONS;
    let of_nodes = [nodes].into_iter().chain(&DESIGN_OPTIONS).chain(&NODE_OPTIONS);
    let of_hosts = [hosts, radix].into_iter().chain(&HOST_OPTIONS).chain(&DESIGN_OPTIONS);
    json!({
        "metrics": metrics.collect::<Vec<_>>(),
        "cost": COST_OPTIONS.iter().map(setting).collect::<Vec<_>>(),
        "design": {
            "nodes": of_nodes.map(setting).collect::<Vec<_>>(),
            "hosts": of_hosts.map(setting).collect::<Vec<_>>(),
        },
        "traffic": traffic.collect::<Vec<_>>(),
        "collectives": Collective::ALL.map(Collective::name),
        "formats": formats.collect::<Vec<_>>(),
        "plots": plot::FORMS.iter().map(|(form, _)| form).collect::<Vec<_>>(),
    })
}

fn setting<T>(row: &Setting<T>) -> Value {
    let names = match &row.kind {
        Kind::Names(names) => *names,
        _ => &[],
    };
    let names: Vec<Value> = names
        .iter()
        .map(|name| json!({ "name": name.name, "about": with_titles(name.about) }))
        .collect();
    let usual = match row.usual {
        Usual::Value(text) | Usual::Said(text) => text,
        Usual::Nothing => "",
    };
    let (about, usual) = (with_titles(row.about), with_titles(usual));
    let (name, title, unit) = (row.flag(), row.title, row.unit);
    json!({ "name": name, "title": title, "about": about, "unit": unit, "usual": usual, "names": names })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet::design;

    #[test]
    fn forms_have_what_the_library_has() {
        let tables = tables();
        assert_eq!(tables["cost"].as_array().unwrap().len(), COST_OPTIONS.len());
        assert_eq!(tables["cost"][0]["names"][1]["name"], "cluster");
        assert!(!tables.to_string().contains("=`"), "{tables}");
        assert!(tables["traffic"].as_array().unwrap().iter().any(|row| row["usage"] == "tornado"));
        assert_eq!(tables["plots"][0], "svg");
        let names = |kind: &str| -> Vec<Value> {
            let rows = tables["design"][kind].as_array().unwrap();
            rows.iter().map(|row| row["name"].clone()).collect()
        };
        let (nodes, hosts) = (names("nodes"), names("hosts"));
        let all: Vec<_> = nodes.iter().chain(&hosts).collect();
        assert!(design::options().all(|row| all.contains(&&json!(row.flag()))), "{all:?}");
        assert!(nodes.contains(&json!("objective")) && !nodes.contains(&json!("max-price")));
        assert!(hosts.contains(&json!("max-price")) && !hosts.contains(&json!("objective")));
    }
}
