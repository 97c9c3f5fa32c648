//! Pieces of a page: text made safe, tables, bars. One file, readable in print and in the dark.

use nestnet_draw::palette;
use nestnet_graph::sanitize::visible_lines;
use std::fmt::Write as _;

/// Text in which nothing is a tag.
pub fn safe(text: &str) -> String {
    visible_lines(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Text in which nothing is a tag, and what stands between backticks is code.
pub fn prose(text: &str) -> String {
    let mut made = String::new();
    for (number, part) in safe(text).split('`').enumerate() {
        if number > 0 {
            made.push_str(if number % 2 == 1 { "<code>" } else { "</code>" });
        }
        made.push_str(part);
    }
    made
}

/// A table; cells are HTML already.
pub fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let mut text = String::from("<div class=wide><table>\n<thead><tr>");
    for cell in head {
        let _ = write!(text, "<th>{cell}</th>");
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for (number, cell) in row.iter().enumerate() {
            let tag = if number == 0 { "th" } else { "td" };
            let _ = write!(text, "<{tag}>{cell}</{tag}>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}

/// A table of names, values and what they mean.
pub fn facts(rows: &[(String, String, &str)]) -> String {
    let mut text = String::from("<table class=facts>\n");
    for (name, value, meaning) in rows {
        let (name, value, meaning) = (safe(name), safe(value), safe(meaning));
        let meaning = match meaning.is_empty() {
            true => String::new(),
            false => format!("<div class=soft>{meaning}</div>"),
        };
        let _ = writeln!(text, "<tr><th>{name}</th><td>{value}{meaning}</td></tr>");
    }
    text.push_str("</table>\n");
    text
}

/// Upright bars, one for each value, with its number below: a histogram.
pub fn histogram(values: &[f64], labels: &[String], about: &str) -> String {
    const HEIGHT: f64 = 160.0;
    const WIDTH: f64 = 640.0;
    /// Room for the numbers below.
    const BELOW: f64 = 22.0;
    let largest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let step = WIDTH / values.len().max(1) as f64;
    let mut text = format!(
        "<svg class=chart viewBox=\"0 0 {WIDTH} {}\" role=img aria-label=\"{}\">\n",
        HEIGHT + BELOW,
        safe(about)
    );
    // So many numbers fit below.
    let every = (24.0 / step).ceil().max(1.0);
    for (index, value) in values.iter().enumerate() {
        let (x, height) = (index as f64 * step, value / largest * HEIGHT);
        let label = labels.get(index).map_or("", String::as_str);
        let _ = writeln!(
            text,
            "<rect class=bar x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\"><title>{}</title></rect>",
            x + step * 0.1,
            HEIGHT - height,
            step * 0.8,
            safe(label)
        );
        if (index as f64 % every) == 0.0 {
            let _ = writeln!(
                text,
                "<text x=\"{:.2}\" y=\"{}\" text-anchor=middle>{index}</text>",
                x + step / 2.0,
                HEIGHT + 16.0
            );
        }
    }
    text.push_str("</svg>\n");
    text
}

/// A lying bar.
pub struct Bar {
    /// Beside it.
    pub name: String,
    /// How long it is.
    pub value: f64,
    /// Behind it.
    pub label: String,
    /// Whether it is one of those that the page is about.
    pub mine: bool,
}

/// Lying bars with a name each: the shorter of two is at once seen.
pub fn bars(rows: &[Bar], about: &str) -> String {
    const ROW: f64 = 20.0;
    const NAMES: f64 = 250.0;
    const LONGEST: f64 = 300.0;
    let largest = rows.iter().map(|row| row.value).fold(f64::MIN_POSITIVE, f64::max);
    let height = ROW * rows.len() as f64;
    let mut text = format!(
        "<svg class=chart viewBox=\"0 0 {} {height}\" role=img aria-label=\"{}\">\n",
        NAMES + LONGEST + 90.0,
        safe(about)
    );
    for (index, Bar { name, value, label, mine }) in rows.iter().enumerate() {
        let class = if *mine { "\"bar mine\"" } else { "bar" };
        let y = ROW * index as f64;
        let width = value / largest * LONGEST;
        let shown: String = if name.chars().count() > 38 {
            name.chars().take(37).chain(['…']).collect()
        } else {
            name.clone()
        };
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=end>{}</text>\
             <rect class={class} x=\"{NAMES}\" y=\"{:.1}\" width=\"{width:.2}\" height=\"13\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            NAMES - 6.0,
            y + 14.0,
            safe(&shown),
            y + 3.0,
            NAMES + width + 5.0,
            y + 14.0,
            safe(label)
        );
    }
    text.push_str("</svg>\n");
    text
}

/// The page around its body.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        safe(title),
        palette::style_sheet()
    )
}

const STYLE: &str = "\
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.35rem; margin: 2.6rem 0 .4rem;
  border-top: 2px solid var(--line); padding-top: 1.2rem; } h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p { margin: .4rem 0; } .soft { color: var(--quiet); } code { font: .92em ui-monospace, monospace; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: right; padding: .22rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 500; } .wide { overflow-x: auto; }
.facts th { text-align: left; color: var(--quiet); font-weight: 400; vertical-align: top; }
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.says td, .says th { white-space: normal; text-align: left; vertical-align: top; }
.best { background: var(--best); font-weight: 600; }
.holds, .free { color: var(--good); } .fails, .cycle { color: var(--wrong); font-weight: 600; }
.picture svg { max-width: 100%; height: auto; max-height: 46rem; display: block; margin: .6rem auto; }
.chart { width: 100%; max-width: 40rem; height: auto; display: block; }
.chart text { fill: var(--quiet); font: 11px system-ui, sans-serif; } .bar { fill: var(--bar); } .bar.mine { fill: var(--mark); }
nav a { margin-right: 1rem; } a { color: var(--accent); }
details > summary { cursor: pointer; color: var(--quiet); }
@media print { @page { margin: 12mm; } body { max-width: none; margin: 0; font-size: 11px; }
  h2 { break-before: page; } h2.first { break-before: auto; } h2, h3 { break-after: avoid; }
  .wide { overflow: visible; } table { font-size: 9px; } th, td { padding: .12rem .3rem; }
  tr, svg { break-inside: avoid; } td { white-space: normal; } nav, details > summary { display: none; } }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_a_tag() {
        assert_eq!(safe("a<b & \"c\"\u{1b}"), "a&lt;b &amp; &quot;c&quot;�");
        assert_eq!(prose("run `a<b`."), "run <code>a&lt;b</code>.");
        assert!(facts(&[("<x>".to_owned(), "1".to_owned(), "a meaning")]).contains("&lt;x&gt;"));
    }

    #[test]
    fn the_longest_bar_is_as_long_as_there_is_room() {
        let bar = |name: &str, value: f64, mine| Bar {
            name: name.to_owned(),
            value,
            label: value.to_string(),
            mine,
        };
        let rows = [bar("a", 1.0, true), bar("b", 4.0, false)];
        let text = bars(&rows, "two");
        assert!(text.contains("width=\"75.00\"") && text.contains("width=\"300.00\""));
        assert!(histogram(&[1.0, 2.0], &[], "h").contains("height=\"80.00\""));
    }
}
