//! Specs with arguments of any size, made from bytes, and what is asked of each. Shared with the fuzz target `large`.

use nestnet::compare::{COLUMNS, Matched, Options, baselines, cell, contender};
use nestnet::design::{ClusterQuestion, Question, cluster, design};
use nestnet::family::{Family, Kind, families};
use nestnet::grow::grow;
use nestnet::measures::Limits;
use nestnet::physical::CostModel;
use nestnet::report::{Topic, report};
use nestnet::{Budget, Built, Context, Spec, Watch, build_with};
use std::time::{Duration, Instant};

/// Bytes that choose; zeros after the last.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn byte(&mut self) -> u64 {
        self.0.next().copied().unwrap_or(0).into()
    }

    /// One of `count` numbers from 0.
    fn below(&mut self, count: usize) -> usize {
        let number = self.byte() << 8 | self.byte();
        usize::try_from(number).expect("16 bits") % count.max(1)
    }

    /// A number from `min` to `max`: small, near a power of two, or near an end.
    fn number(&mut self, min: u64, max: u64) -> u64 {
        let near = self.byte() % 5;
        let number = match self.byte() % 8 {
            0..3 => min.saturating_add(self.byte() % 16),
            3..6 => (1u64 << (self.byte() % 64)).saturating_add(near).saturating_sub(2),
            6 => max.saturating_sub(near),
            _ => min.saturating_add(near),
        };
        number.clamp(min, max)
    }
}

/// A spec of some family, nested to a depth, with arguments that its table allows.
pub fn spec(bytes: &[u8]) -> String {
    text(&mut Choices(bytes.iter()), 0)
}

fn text(choices: &mut Choices<'_>, depth: usize) -> String {
    let nests = |family: &&Family| {
        family
            .params
            .iter()
            .all(|param| !matches!(param.kind, Kind::Network | Kind::Fabric | Kind::Networks))
    };
    let readable =
        |family: &&Family| family.params.iter().all(|param| !matches!(param.kind, Kind::Text));
    let rows: Vec<&Family> =
        families().filter(readable).filter(|family| depth < 2 || nests(family)).collect();
    let family = rows[choices.below(rows.len())];
    let mut arguments = Vec::new();
    for param in family.params {
        if param.optional && choices.byte().is_multiple_of(2) {
            break;
        }
        match param.kind {
            Kind::Integer { min, max } => arguments.push(choices.number(min, max).to_string()),
            Kind::Integers { min, max } => {
                for _ in 0..1 + choices.byte() % 4 {
                    arguments.push(choices.number(min, max).to_string());
                }
            }
            Kind::IntegerList { min, max } => {
                let count = 1 + choices.byte() % 4;
                let items: Vec<String> =
                    (0..count).map(|_| choices.number(min, max).to_string()).collect();
                arguments.push(format!("[{}]", items.join(", ")));
            }
            Kind::Network | Kind::Networks => arguments.push(text(choices, depth + 1)),
            Kind::Fabric => arguments.push(format!("hosts({}, 2)", text(choices, depth + 1))),
            Kind::Word(words) => {
                arguments.push(format!("{}={}", param.name, words[choices.below(words.len())]));
            }
            Kind::Text => {}
        }
    }
    match arguments.is_empty() {
        true => family.name.to_owned(),
        false => format!("{}({})", family.name, arguments.join(", ")),
    }
}

/// Asks of the network that `text` names what `compare`, `report`, `grow` and `design` ask. Whether there is one.
pub fn ask(text: &str) -> bool {
    let deadline = Instant::now() + Duration::from_millis(200);
    let stop = || Instant::now() > deadline;
    let watch = Watch { stop: &stop, ..Watch::SILENT };
    let budget = Budget { memory: 16 << 20, steps: 1 << 20, watch };
    let context = Context { budget, ..Context::ALONE };
    // The tool refuses what it cannot build: that is an answer.
    let Ok(parsed) = Spec::parse(text) else { return false };
    let Ok(built) = build_with(&parsed, text, &context) else { return false };
    compare(&built, &budget);
    if let Ok(sizes) = grow(text, &context) {
        assert!(sizes.iter().all(|size| !size.spec.to_string().is_empty()));
    }
    search(&built, &budget);
    let networks = [built];
    let topic = Topic {
        title: text.to_owned(),
        about: String::new(),
        networks: &networks,
        contenders: &[],
        left_out: &[],
        charts: Vec::new(),
        tables: Vec::new(),
    };
    assert!(report(&topic, Limits { how: None, budget }).contains("<h1>"));
    true
}

fn compare(built: &Built, budget: &Budget<'_>) {
    let cost_model = CostModel::default();
    for by in Matched::ALL {
        let (found, left_out) = baselines(built, by, &cost_model, budget);
        assert!(found.iter().all(|spec| !spec.name.is_empty()));
        assert!(left_out.iter().all(|one| !one.family.is_empty()));
    }
    let limits = Limits { how: None, budget: *budget };
    let options = Options { limits, cost_model, tiles: None, samples: 4, seed: 1 };
    let one = contender(built, &options);
    assert!(COLUMNS.iter().all(|column| !cell(column, &one, false).is_empty()));
}

/// As many nodes, or hosts on switches of as many ports, as this network has.
fn search(built: &Built, budget: &Budget<'_>) {
    let (nodes, degree) = (built.theory.hosts(), built.theory.degrees().max);
    let narrow = Question { depth: 0, max_base: 4, max_degree: Some(degree), ..Question::new(1) };
    if let Ok(nodes) = u128::try_from(&nodes) {
        let _ = design(&Question { nodes, ..narrow }, budget);
    }
    if let Ok(hosts) = u64::try_from(&nodes) {
        let question = ClusterQuestion {
            depth: 0,
            max_base: 4,
            each: Some(1),
            ..ClusterQuestion::new(hosts, degree)
        };
        let _ = cluster(&question, budget);
    }
}
