//! What can be said to `nestnet simulate`.

use crate::numbers::{ANY, POSITIVE, counts, fraction};
use nestnet::sim::{Allocator, Config, Injection, Own, Switching, Window};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet simulate \"rdn(torus(5, 5), 1)\"
  nestnet simulate \"rdn(ring(5), 1)\" --router paper,valiant -o curve.svg
  nestnet simulate \"torus(8, 8)\" --load 0.1,0.2,0.4 --traffic tornado --router valiant
  nestnet simulate \"mesh(8, 8)\" --router dor --vcs 8 --load 0.2 --json
  nestnet simulate \"hosts(torus(4, 4), 2)\" --load 0.2 --packet 1:1,5:1
  nestnet simulate \"ring(8)\" --vcs 1 --load 0.9 --packet 8
  nestnet simulate \"torus(5, 5)\" --load 0.2 --fail 0-1@5000
  nestnet simulate \"torus(5, 5)\" --load 0.2 --fail-rate 1e-6
  nestnet simulate \"rdn(ring(3), 1)\" --load 0.3 --traffic worst --picture busy.svg

Routers have queues at their inputs, virtual channels and credits; every packet is followed flit by \
flit. Besides the routers of `nestnet routing` there are `min`, one fixed shortest path for every \
pair on all virtual channels, `dor`, dimension order on meshes and tori, and `ugal`, the shortest \
path or a path through a random node, by queue length. A load is what a host offers, in flits a cycle.
Exit code 1 where packets deadlock.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 1)", or several to compare
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<String>,
    /// Flits per host and cycle, one or several; all loads up to saturation if omitted
    #[arg(long, value_name = "LOAD", value_delimiter = ',', value_parser = fraction)]
    pub load: Vec<f64>,
    /// Find the load-latency curve and where it ends; so also if no load is given
    #[arg(long, conflicts_with = "load")]
    pub sweep: bool,
    /// Who sends to whom, as in `nestnet throughput`: uniform, tornado, shift(3), worst …
    #[arg(long, value_name = "PATTERN", default_value = "uniform")]
    pub traffic: String,
    /// No messages of a host to itself, as `nestnet throughput` does
    #[arg(long)]
    without_self: bool,
    /// Which router, or several to compare, such as paper,valiant; `shortest` if omitted, where
    /// there is one
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub router: Vec<String>,
    /// Of the hops that the router offers take the one with the most credits
    #[arg(long)]
    pub adaptive: bool,
    /// Flits of a packet, or sizes and how often each is, such as 1:3,5:1
    #[arg(long, value_name = "FLITS", default_value = "1", value_parser = packets)]
    packet: Packets,
    /// Virtual channels of a link, shared evenly among those of the router [default: 4, or as
    /// many as the router has]
    #[arg(long, value_name = "N", value_parser = counts::<u16>(1..=64))]
    pub vcs: Option<u16>,
    /// Flits that the queue of a virtual channel holds
    #[arg(long, value_name = "FLITS", default_value_t = 8, value_parser = counts::<u16>(1..=1 << 14))]
    buffer: u16,
    /// Cycles to compute a route; 0 is one router ahead
    #[arg(long, value_name = "CYCLES", default_value_t = 1, value_parser = counts::<u16>(0..=4096))]
    routing_delay: u16,
    /// Cycles to allocate a virtual channel
    #[arg(long, value_name = "CYCLES", default_value_t = 1, value_parser = counts::<u16>(1..=4096))]
    vc_delay: u16,
    /// Cycles to allocate the switch
    #[arg(long, value_name = "CYCLES", default_value_t = 1, value_parser = counts::<u16>(1..=4096))]
    switch_delay: u16,
    /// Cycles to cross the switch
    #[arg(long, value_name = "CYCLES", default_value_t = 1, value_parser = counts::<u16>(0..=4096))]
    st_delay: u16,
    /// Cycles until a credit can be used
    #[arg(long, value_name = "CYCLES", default_value_t = 1, value_parser = counts::<u16>(0..=4096))]
    credit_delay: u16,
    /// Flits of one port that may cross in one cycle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = counts::<u16>(1..=64))]
    input_speedup: u16,
    /// Who gets a virtual channel
    #[arg(long, value_enum, default_value_t = AllocatorName::Islip)]
    vc_allocator: AllocatorName,
    /// Who gets the switch
    #[arg(long, value_enum, default_value_t = AllocatorName::Islip)]
    switch_allocator: AllocatorName,
    /// When a packet goes on: as soon as a flit can, or when the next queue has room for all
    #[arg(long, value_enum, default_value_t = SwitchingName::Wormhole)]
    switching: SwitchingName,
    /// Packets come in bursts of so many cycles on average
    #[arg(long, value_name = "CYCLES", value_parser = counts::<u32>(POSITIVE))]
    burst: Option<u32>,
    /// Cycles on a link, for all or by level, such as 0=1,1=2,2=10
    #[arg(long, value_name = "CYCLES", default_value = "1", value_parser = latencies)]
    latency: Latencies,
    /// Cycles before what is measured
    #[arg(long, value_name = "CYCLES", default_value_t = Window::default().warmup,
        value_parser = counts::<u64>(0..=1 << 40))]
    warmup: u64,
    /// Cycles that are measured
    #[arg(long, value_name = "CYCLES", default_value_t = Window::default().cycles,
        value_parser = counts::<u64>(1..=1 << 40))]
    cycles: u64,
    /// The random seed
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = counts::<u64>(ANY))]
    pub seed: u64,
    /// A link between two nodes and the cycle in which it fails, such as 3-7@2000; may be repeated
    #[arg(long, value_name = "LINK@CYCLE", value_delimiter = ',', requires = "load")]
    pub fail: Vec<String>,
    /// With which probability every link between routers fails in a cycle, such as 1e-6
    #[arg(long, value_name = "FRACTION", value_parser = crate::numbers::fraction)]
    pub fail_rate: Option<f64>,
    /// Run the messages of a file in GOAL, such as `nestnet collective` writes, instead of a load;
    /// a picture then shows who is busy when
    #[arg(long, value_name = "FILE", conflicts_with_all = ["load", "sweep", "traffic", "fail", "fail_rate", "channels", "picture"])]
    pub goal: Option<String>,
    /// Bytes of a flit, for --goal
    #[arg(long, value_name = "BYTES", default_value_t = 16, value_parser = counts::<u64>(1..=1 << 20))]
    pub flit: u64,
    /// Write the curve to a file that ends in .svg, .png, .pdf or .csv
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write how busy every link was at every load, as CSV
    #[arg(long, value_name = "FILE")]
    pub channels: Option<PathBuf>,
    /// Draw the network to a file that ends in .svg, .png or .pdf, colored by how busy every link
    /// was at the last load
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Add to the JSON how busy every link was at the last load: from, to, part of the cycles
    #[arg(long, requires = "json")]
    pub utilization: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Sizes of packets with their weights.
#[derive(Clone, Debug)]
struct Packets(Vec<(u16, f64)>);

/// Cycles on links, by level.
#[derive(Clone, Debug)]
struct Latencies(Vec<u16>);

#[derive(Clone, Copy, clap::ValueEnum)]
enum AllocatorName {
    /// Outputs offer, inputs accept
    Islip,
    /// Inputs ask, outputs choose
    #[value(name = "separable_input_first")]
    SeparableInputFirst,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SwitchingName {
    /// As soon as a flit can
    Wormhole,
    /// When there is room for all of it
    CutThrough,
}

impl AllocatorName {
    fn get(self) -> Allocator {
        match self {
            AllocatorName::Islip => Allocator::Islip,
            AllocatorName::SeparableInputFirst => Allocator::SeparableInputFirst,
        }
    }
}

impl Args {
    /// All but what depends on the router.
    pub fn config(&self) -> Config {
        Config {
            buffer: self.buffer,
            routing_delay: self.routing_delay,
            vc_delay: self.vc_delay,
            switch_delay: self.switch_delay,
            st_delay: self.st_delay,
            credit_delay: self.credit_delay,
            input_speedup: self.input_speedup,
            vc_allocator: self.vc_allocator.get(),
            switch_allocator: self.switch_allocator.get(),
            switching: match self.switching {
                SwitchingName::Wormhole => Switching::Wormhole,
                SwitchingName::CutThrough => Switching::CutThrough,
            },
            latency: self.latency.0.clone(),
            packets: self.packet.0.clone(),
            injection: match self.burst {
                Some(burst) => Injection::OnOff { burst: burst.into() },
                None => Injection::Bernoulli,
            },
            ..Config::default()
        }
    }

    /// Which cycles are measured.
    pub fn window(&self) -> Window {
        Window { warmup: self.warmup, cycles: self.cycles }
    }

    /// What becomes of messages to oneself.
    pub fn own(&self) -> Own {
        if self.without_self { Own::LeftOut } else { Own::Sent }
    }
}

fn packets(text: &str) -> Result<Packets, String> {
    let one = |part: &str| {
        let (size, weight) = part.split_once(':').unwrap_or((part, "1"));
        let size = counts::<u16>(1..=1 << 14)(size)?;
        let weight: Option<f64> = weight.trim().parse().ok();
        let weight = weight.filter(|weight: &f64| weight.is_finite() && *weight > 0.0);
        Ok((size, weight.ok_or("expected sizes and weights such as 1:3,5:1")?))
    };
    text.split(',').map(one).collect::<Result<_, String>>().map(Packets)
}

fn latencies(text: &str) -> Result<Latencies, String> {
    let count = counts::<u16>(1..=4096);
    if !text.contains('=') {
        return Ok(Latencies(vec![count(text)?]));
    }
    let mut given: Vec<(u16, u16)> = Vec::new();
    for part in text.split(',') {
        let (level, cycles) =
            part.split_once('=').ok_or("expected levels and cycles such as 0=1,1=2")?;
        given.push((counts::<u16>(0..=255)(level)?, count(cycles)?));
    }
    given.sort_unstable();
    // A level that is not named is as the one below it.
    let mut all = vec![1; given.last().map_or(0, |&(level, _)| usize::from(level) + 1)];
    for (level, cycles) in given {
        all[usize::from(level)..].fill(cycles);
    }
    Ok(Latencies(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixes_and_levels_are_read() {
        assert_eq!(packets("4").unwrap().0, [(4, 1.0)]);
        assert_eq!(packets("1:3,5:0.5").unwrap().0, [(1, 3.0), (5, 0.5)]);
        assert!(packets("0").is_err() && packets("1:-1").is_err() && packets("").is_err());
        assert_eq!(latencies("3").unwrap().0, [3]);
        assert_eq!(latencies("0=1,2=10").unwrap().0, [1, 1, 10]);
        assert!(latencies("0=0").is_err() && latencies("a=1").is_err() && latencies("1=").is_err());
    }
}
