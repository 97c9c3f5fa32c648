//! What do hosts send, to whom and when? Packets are drawn when their turn comes.

use super::config::{Config, Injection, Own, SimError, mean_size};
use super::persist::persist;
use super::random::{Random, Trials};
use nestnet_graph::Node;
use nestnet_routing::traffic::{OnOff, Pattern, Traffic};

/// Where a packet of a host goes that is made in a cycle: `None` where it sends nothing.
pub type Destination<'a> = &'a (dyn Fn(u64, u64, &mut Random) -> Option<Node> + Sync);

/// What all sources share.
#[derive(Clone)]
pub(super) struct Supply<'a> {
    pub destination: Destination<'a>,
    pub seed: u64,
    /// Of each message class.
    rates: Vec<Rate>,
}

/// How often a host makes packets of a message class.
#[derive(Clone)]
pub(super) struct Rate {
    /// Cycles between packets, in a burst where there are bursts.
    pub gap: Trials,
    bursts: Option<Bursts>,
    /// Sizes, and up to which part of the draws each is meant.
    pub sizes: Vec<(u16, f64)>,
}

/// Cycles of bursts and between them.
#[derive(Clone)]
struct Bursts {
    length: Trials,
    pause: Trials,
}

/// One host.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Its number among all hosts of the network.
    pub number: u32,
    /// Its message class.
    pub class: u8,
    pub random: Random,
    /// When the packet was or will be made that is sent next.
    pub next: u64,
    /// The cycle behind the last of its burst.
    pub burst_end: u64,
    /// The packet that is being sent, and how many flits of it are left.
    pub packet: u32,
    pub left: u16,
    /// The size of the packet that is sent next.
    pub size: u16,
    /// Cycles from when a flit leaves it to when it is received.
    pub after: u16,
    pub vc: u8,
}

/// A packet that is to be sent, where what is sent is not drawn at random.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parcel {
    pub to: Node,
    pub size: u16,
    /// Which message it is a part of.
    pub message: u32,
    pub created: u64,
}

/// Never.
pub(super) const NEVER: u64 = u64::MAX;

impl<'a> Supply<'a> {
    /// `load` is in flits a cycle.
    pub fn new(
        config: &Config,
        destination: Destination<'a>,
        load: f64,
        seed: u64,
    ) -> Result<Self, SimError> {
        if !(0.0..=1.0).contains(&load) {
            return Err(SimError::Load { load });
        }
        let rate = |class| Rate::new(config, class, load * config.share_of(class));
        Ok(Supply { destination, seed, rates: (0..config.sources_of_host()).map(rate).collect() })
    }

    /// That of packets where there is one message class.
    pub fn rate(&self) -> &Rate {
        &self.rates[0]
    }

    /// Whether hosts send in bursts.
    pub fn is_bursty(&self) -> bool {
        self.rates.iter().any(|rate| rate.bursts.is_some())
    }

    /// The sources of a host before their first packet, one for each message class.
    pub fn sources(&self, number: u32) -> impl Iterator<Item = Source> + '_ {
        (0..).take(self.rates.len()).map(move |class| {
            let stream = u64::from(number) | u64::from(class) << 32;
            let mut source = Source {
                number,
                class,
                random: Random::new(self.seed, stream),
                next: 0,
                burst_end: 0,
                packet: 0,
                left: 0,
                size: 0,
                after: 0,
                vc: u8::MAX,
            };
            self.draw(&mut source);
            // The first cycle may have a packet too.
            if source.next != NEVER {
                source.next -= 1;
            }
            source
        })
    }

    /// The source of a host where there is one message class.
    pub fn source(&self, number: u32) -> Source {
        self.sources(number).next().expect("there is a message class")
    }

    /// When the next packet is made, and its size.
    #[inline]
    pub fn draw(&self, source: &mut Source) {
        let rate = &self.rates[usize::from(source.class)];
        source.next = rate.after(source);
        source.size = drawn(&rate.sizes, &mut source.random);
    }
}

impl Rate {
    /// `load` is in flits a cycle.
    fn new(config: &Config, class: usize, load: f64) -> Self {
        let sizes = config.packets_of(class);
        let mean = mean_size(&sizes);
        let (gap, bursts) = match config.injection {
            Injection::OnOff { burst } if load < 1.0 => {
                let end = 1.0 / burst;
                let begin = (end * load / (1.0 - load)).min(1.0);
                let bursts = Bursts { length: Trials::new(end), pause: Trials::new(begin) };
                (1.0 / mean, Some(bursts))
            }
            Injection::Periods(OnOff { on, off }) if load < 1.0 => {
                let (on, off) = (on.max(1) as f64, off.max(1) as f64);
                let rate = load * (on + off) / on;
                // Beyond a flit in every cycle of a period the pauses are shorter.
                let pause = if rate > 1.0 { (on * (1.0 - load) / load).max(1.0) } else { off };
                let bursts =
                    Bursts { length: Trials::new(1.0 / on), pause: Trials::new(1.0 / pause) };
                (rate.min(1.0) / mean, Some(bursts))
            }
            _ => (load / mean, None),
        };
        Rate { gap: Trials::new(gap), bursts, sizes: cumulative(&sizes) }
    }

    fn after(&self, source: &mut Source) -> u64 {
        match &self.bursts {
            None => {
                let gap = self.gap.draw(&mut source.random);
                gap.map_or(NEVER, |gap| source.next.saturating_add(gap))
            }
            Some(bursts) => self.after_in_bursts(bursts, source),
        }
    }

    #[inline(never)]
    fn after_in_bursts(&self, bursts: &Bursts, source: &mut Source) -> u64 {
        let random = &mut source.random;
        let mut from = source.next;
        loop {
            let Some(gap) = self.gap.draw(random) else { return NEVER };
            let next = from.saturating_add(gap);
            if next < source.burst_end {
                return next;
            }
            let Some(pause) = bursts.pause.draw(random) else { return NEVER };
            let length = bursts.length.draw(random).unwrap_or(1);
            // The cycle before the burst, so that its first can have a packet.
            from = source.burst_end.max(from).saturating_add(pause - 1);
            source.burst_end = from.saturating_add(1 + length);
        }
    }
}

impl std::fmt::Debug for Supply<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Supply").field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// Sizes, and up to which part of the draws each is meant.
pub(super) fn cumulative(packets: &[(u16, f64)]) -> Vec<(u16, f64)> {
    let total: f64 = packets.iter().map(|&(_, weight)| weight).sum();
    let sizes = packets.iter().scan(0.0, |sum, &(size, weight)| {
        *sum += weight / total;
        Some((size, *sum))
    });
    sizes.collect()
}

/// One of these sizes.
#[inline(always)]
pub(super) fn drawn(sizes: &[(u16, f64)], random: &mut Random) -> u16 {
    let size = if sizes.len() == 1 {
        sizes.first()
    } else {
        let part = random.part();
        sizes.iter().find(|&&(_, most)| part < most).or(sizes.last())
    };
    size.map_or(1, |&(size, _)| size)
}

/// Draws where a message of a host goes.
pub fn destinations(
    traffic: &Traffic,
    own: Own,
) -> impl Fn(u64, u64, &mut Random) -> Option<Node> + Sync + '_ {
    move |from, cycle, random| target(traffic, own, from, cycle, random).map(Node)
}

#[inline(always)]
fn target(traffic: &Traffic, own: Own, from: u64, cycle: u64, random: &mut Random) -> Option<u64> {
    match (&traffic.pattern, own) {
        (Pattern::Uniform, Own::Sent) => Some(random.below(traffic.hosts)),
        (Pattern::Permuted(permutation), Own::Sent) => Some(permutation.target(from)),
        _ => composed(traffic, own, from, cycle, random),
    }
}

/// The same of traffic that is made of other traffic, or is drawn in another way.
#[inline(never)]
fn composed(
    traffic: &Traffic,
    own: Own,
    from: u64,
    cycle: u64,
    random: &mut Random,
) -> Option<u64> {
    match (&traffic.pattern, own) {
        (Pattern::Mixed(mixed), Own::Sent) => {
            let part = mixed.pick(&mut |bound| random.below(bound.max(1)));
            target(part, own, from, cycle, random)
        }
        (Pattern::Phases(phases), _) => target(phases.at(cycle), own, from, cycle, random),
        (Pattern::OnOff { traffic, .. }, _) => target(traffic, own, from, cycle, random),
        (_, Own::Sent) => traffic.draw_any(from, &mut |bound| random.below(bound.max(1))),
        (_, Own::LeftOut) => traffic.draw(from, &mut |bound| random.below(bound.max(1))),
    }
}

persist!(Source { number, class, random, next, burst_end, packet, left, size, after, vc });

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_routing::traffic::{Ends, Source, read};

    #[test]
    fn a_host_may_be_its_own_target() {
        let uniform = Traffic::uniform(4);
        let mut random = Random::new(1, 1);
        let mut count = |own| {
            let draw = destinations(&uniform, own);
            (0..4000).filter(|_| draw(2, 0, &mut random) == Some(Node(2))).count()
        };
        assert!((900..1100).contains(&count(Own::Sent)));
        assert_eq!(count(Own::LeftOut), 0);
        let fixed = Traffic::permutation("fixed", vec![0, 2, 1]);
        assert_eq!(destinations(&fixed, Own::Sent)(0, 0, &mut random), Some(Node(0)));
        assert_eq!(destinations(&fixed, Own::LeftOut)(0, 0, &mut random), None);
        assert_eq!(destinations(&fixed, Own::LeftOut)(1, 0, &mut random), Some(Node(2)));
    }

    /// Of 4000 messages of host 2, how many it sends to each host.
    #[test]
    fn hot_hosts_and_matrices_send_to_oneself_as_others_do() {
        let ends = Ends::plain(4);
        let file = |_: &str| Ok("2 2 3\n2 1 1\n0 1 1\n".to_owned());
        let source = Source { file: &file, ..Source::alone(&ends) };
        let mut random = Random::new(1, 1);
        let mut counts = |text: &str, own| {
            let traffic = read(text, &source).unwrap();
            let draw = destinations(&traffic, own);
            let mut counts = [0; 4];
            for _ in 0..4000 {
                let Some(to) = draw(2, 0, &mut random) else { continue };
                counts[usize::try_from(to.0).unwrap()] += 1;
            }
            counts
        };
        let near = |counts: [u64; 4], wanted: [u64; 4]| {
            let near = |(one, other): (u64, u64)| one.abs_diff(other) <= other / 8;
            assert!(counts.into_iter().zip(wanted).all(near), "{counts:?} {wanted:?}");
        };
        // A half to itself, and a quarter of the rest.
        near(counts("hotspot(0.5, 2)", Own::Sent), [500, 500, 2500, 500]);
        near(counts("hotspot(0.5, 2)", Own::LeftOut), [1333, 1333, 0, 1333]);
        near(counts("hotspot(0.5, 1)", Own::Sent), [500, 2500, 500, 500]);
        near(counts("matrix(rates)", Own::Sent), [0, 1000, 3000, 0]);
        near(counts("matrix(rates)", Own::LeftOut), [0, 4000, 0, 0]);
        near(counts("mix(1*matrix(rates), 1*hotspot(2))", Own::Sent), [0, 500, 3500, 0]);
    }

    #[test]
    fn phases_follow_each_other_and_repeat() {
        let ends = Ends::plain(8);
        let text = "phases(3*shift(1), 2*shift(2), 1*mix(1*shift(3)))";
        let traffic = read(text, &Source::alone(&ends)).unwrap();
        let (draw, mut random) = (destinations(&traffic, Own::Sent), Random::new(1, 1));
        let to: Vec<u64> = (0..12).map(|cycle| draw(0, cycle, &mut random).unwrap().0).collect();
        assert_eq!(to, [1, 1, 1, 2, 2, 3, 1, 1, 1, 2, 2, 3]);
        assert_eq!((traffic.period(), traffic.periods()), (Some(6), None));
    }

    /// Load in flits a cycle, cycles of a period and between periods.
    #[test]
    fn hosts_send_in_periods_and_keep_their_load() {
        let traffic = Traffic::uniform(4);
        let to = destinations(&traffic, Own::Sent);
        for (load, on, off) in [(0.1, 20, 60), (0.2, 20, 60), (0.25, 50, 150), (0.6, 20, 60)] {
            let injection = Injection::Periods(OnOff { on, off });
            let config = Config { injection, packets: vec![(2, 1.0)], ..Config::default() };
            let supply = Supply::new(&config, &to, load, 3).unwrap();
            let mut source = supply.source(1);
            let mut packets = Vec::new();
            while source.next < 2_000_000 {
                packets.push(source.next);
                supply.draw(&mut source);
            }
            let found = 2.0 * packets.len() as f64 / 2e6;
            assert!((found / load - 1.0).abs() < 0.03, "{load} {on} {off}: {found}");
            // Packets of a host come together: their number in a stretch of cycles varies more than at random.
            let mut counts = vec![0.0; 20_000];
            packets.iter().for_each(|&at| counts[usize::try_from(at / 100).unwrap()] += 1.0);
            let mean = counts.iter().sum::<f64>() / 2e4;
            let spread = counts.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 2e4;
            assert!(spread > 2.0 * mean, "{load} {on} {off}: {spread} {mean}");
        }
    }
}
