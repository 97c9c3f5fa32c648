//! Every family is listed, and explained by its name.

use crate::nestnet;

#[test]
fn every_family_is_listed_and_explained() {
    let all = nestnet(["families"]);
    let object = crate::json(&["families", "--json"]);
    let rows = object["families"].as_array().expect("a list");
    assert_eq!(rows.len(), ::nestnet::family::families().count());
    for row in rows {
        let (name, usage) = (row["name"].as_str().unwrap(), row["usage"].as_str().unwrap());
        assert!(all.stdout.contains(&format!("  {usage}\n")), "{usage}");
        assert_eq!(&crate::json(&["families", name, "--json"]), row);
        let one = nestnet(["families", name]);
        assert_eq!(one.code, Some(0));
        for param in row["params"].as_array().expect("a list") {
            assert!(one.stdout.contains(param["about"].as_str().unwrap()), "{name}");
        }
    }
}
