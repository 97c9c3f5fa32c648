//! Schedules as MSCCL algorithms in XML: for every GPU its thread blocks, and in each the steps in order.
//!
//! What is written: `allgather`, `allreduce` (in place) and `alltoall` of networks whose nodes are all hosts, with the
//! protocol `Simple` and one channel. A GPU is a node and has one thread block for each neighbor, which sends to it and
//! receives from it, and one that copies. Step types are `s`, `r`, `rrc` (receive and add), `cpy` and `nop`, which
//! waits where a step depends on several. Sizes have no limit here; the runtime has its own.

use super::schedule::{Goal, Schedule, Transfer};
use nestnet_graph::sanitize::visible_lines;
use nestnet_graph::{Network, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use thiserror::Error;

/// Why a schedule cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MscclError {
    /// There is no such collective.
    #[error("MSCCL algorithms are written for allgather, allreduce and all-to-all only")]
    NoCollective,
    /// Some nodes only switch.
    #[error("MSCCL algorithms are for GPUs: {switches} nodes of this network are no hosts")]
    Switches {
        /// How many.
        switches: u64,
    },
    /// It could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A place in a buffer: input, output or scratch.
type Place = (char, u64);
/// A step of a thread block of the same GPU.
type At = (usize, usize);

struct Step {
    kind: &'static str,
    from: Place,
    to: Place,
    after: Option<At>,
    awaited: bool,
}

#[derive(Default)]
struct Gpu {
    /// The thread block of each neighbor, `None` for the one that copies.
    blocks: BTreeMap<Option<Node>, usize>,
    steps: Vec<Vec<Step>>,
    /// Whom each thread block sends to and receives from.
    sends: BTreeSet<usize>,
    receives: BTreeSet<usize>,
    /// Where blocks on their way are kept.
    scratch: BTreeMap<u64, u64>,
    /// Who wrote each block last, and who has read it since.
    written: BTreeMap<u64, At>,
    read: BTreeMap<u64, Vec<At>>,
}

impl Gpu {
    fn thread_block(&mut self, peer: Option<Node>) -> usize {
        let next = self.blocks.len();
        let number = *self.blocks.entry(peer).or_insert(next);
        if number == next {
            self.steps.push(Vec::new());
        }
        number
    }

    /// Appends a step after all that it depends on, which costs an empty step for each but one.
    fn push(&mut self, block: usize, kind: &'static str, ends: [Place; 2], after: Vec<At>) -> At {
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        // A thread block works in order, so that the last of its steps says it all.
        for (other, step) in after.into_iter().filter(|&(other, _)| other != block) {
            let last = last.entry(other).or_insert(step);
            *last = step.max(*last);
        }
        for (&other, &step) in &last {
            self.steps[other][step].awaited = true;
        }
        let mut waits: Vec<At> = last.into_iter().collect();
        let own = waits.pop();
        let nop = |at| Step {
            kind: "nop",
            from: ('i', 0),
            to: ('i', 0),
            after: Some(at),
            awaited: false,
        };
        self.steps[block].extend(waits.into_iter().map(nop));
        let [from, to] = ends;
        self.steps[block].push(Step { kind, from, to, after: own, awaited: false });
        (block, self.steps[block].len() - 1)
    }
}

/// Where a block is kept at a node.
fn place(goal: Goal, hosts: u64, node: Node, gpu: &mut Gpu, block: u64) -> Place {
    match goal {
        Goal::AllToAll if block / hosts == node.0 => ('i', block % hosts),
        Goal::AllToAll if block % hosts == node.0 => ('o', block / hosts),
        Goal::AllToAll => {
            let next = gpu.scratch.len() as u64;
            ('s', *gpu.scratch.entry(block).or_insert(next))
        }
        Goal::Allgather => ('o', block),
        _ => ('i', block),
    }
}

/// Writes a schedule that achieves `goal`, under a name. All GPUs are kept in memory until the end.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_graph::Csr;
/// use nestnet_collectives::{Goal, Ports, around, msccl};
///
/// let ring = Csr::from_links(3, &[(0, 1), (1, 2), (2, 0)], 1 << 20)?;
/// let schedule = around(&ring, &[0, 1, 2], Ports::One, &Budget::UNLIMITED)?;
/// let mut text = Vec::new();
/// msccl::write(&ring, Goal::Allgather, &schedule, "ring", &mut text)?;
/// assert!(String::from_utf8(text)?.starts_with("<algo name=\"ring\" proto=\"Simple\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    network: &dyn Network,
    goal: Goal,
    schedule: &Schedule,
    name: &str,
    mut output: impl Write,
) -> Result<(), MscclError> {
    let (order, hosts) = (network.order(), network.hosts());
    let (collective, chunks) = match goal {
        Goal::Allgather => ("allgather", (1, hosts)),
        Goal::Allreduce { blocks } => ("allreduce", (blocks, blocks)),
        Goal::AllToAll => ("alltoall", (hosts, hosts)),
        _ => return Err(MscclError::NoCollective),
    };
    if hosts != order {
        return Err(MscclError::Switches { switches: order - hosts });
    }
    let gpus = gpus(network, goal, schedule);
    let in_place = u8::from(matches!(goal, Goal::Allreduce { .. }));
    let name = escaped(name);
    writeln!(
        output,
        "<algo name=\"{name}\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" \
         ngpus=\"{order}\" coll=\"{collective}\" inplace=\"{in_place}\">",
        chunks.0.max(chunks.1),
    )?;
    for (id, gpu) in gpus.iter().enumerate() {
        let (inputs, outputs) = chunks;
        writeln!(
            output,
            "  <gpu id=\"{id}\" i_chunks=\"{inputs}\" o_chunks=\"{outputs}\" s_chunks=\"{}\">",
            gpu.scratch.len()
        )?;
        let mut peers: Vec<_> = gpu.blocks.iter().map(|(peer, block)| (block, peer)).collect();
        peers.sort_unstable();
        for (&block, peer) in peers {
            let peer_if = |is: bool| match peer {
                Some(peer) if is => peer.to_string(),
                _ => "-1".to_owned(),
            };
            let (send, receive) =
                (peer_if(gpu.sends.contains(&block)), peer_if(gpu.receives.contains(&block)));
            writeln!(
                output,
                "    <tb id=\"{block}\" send=\"{send}\" recv=\"{receive}\" chan=\"0\">"
            )?;
            for (number, step) in gpu.steps[block].iter().enumerate() {
                write_step(&mut output, number, step)?;
            }
            writeln!(output, "    </tb>")?;
        }
        writeln!(output, "  </gpu>")?;
    }
    writeln!(output, "</algo>")?;
    output.flush()?;
    Ok(())
}

fn write_step(output: &mut impl Write, number: usize, step: &Step) -> io::Result<()> {
    let Step { kind, from, to, after, awaited } = step;
    let (block, of) = match after {
        Some((block, step)) => (block.to_string(), step.to_string()),
        None => ("-1".to_owned(), "-1".to_owned()),
    };
    writeln!(
        output,
        "      <step s=\"{number}\" type=\"{kind}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" \
         dstoff=\"{}\" cnt=\"1\" depid=\"{block}\" deps=\"{of}\" hasdep=\"{}\"/>",
        from.0,
        from.1,
        to.0,
        to.1,
        u8::from(*awaited)
    )
}

/// What every GPU does.
fn gpus(network: &dyn Network, goal: Goal, schedule: &Schedule) -> Vec<Gpu> {
    let hosts = network.hosts();
    let mut gpus: Vec<Gpu> = (0..hosts).map(|_| Gpu::default()).collect();
    let of = |node: Node| usize::try_from(node.0).expect("it is in memory");
    for (own, gpu) in (0..).zip(&mut gpus) {
        let (from, to, block) = match goal {
            Goal::Allgather => (('i', 0), ('o', own), own),
            Goal::AllToAll => (('i', own), ('o', own), own * hosts + own),
            _ => continue,
        };
        let copies = gpu.thread_block(None);
        let at = gpu.push(copies, "cpy", [from, to], Vec::new());
        gpu.written.insert(block, at);
    }
    // Of sums: whose parts are in them.
    let mut parts: BTreeMap<(Node, u64), BTreeSet<Node>> = BTreeMap::new();
    let sums = matches!(goal, Goal::Allreduce { .. });
    for step in &schedule.steps {
        let ends = |t: &Transfer| Some((t.from, network.neighbor(t.from, t.port)?, t.block));
        let ends: Vec<_> = step.iter().filter_map(ends).collect();
        let part = |parts: &BTreeMap<_, BTreeSet<Node>>, node: Node, block| {
            parts.get(&(node, block)).cloned().unwrap_or_else(|| BTreeSet::from([node]))
        };
        let mut sent = Vec::new();
        for &(from, to, block) in &ends {
            let there = place(goal, hosts, to, &mut gpus[of(to)], block);
            let gpu = &mut gpus[of(from)];
            let here = place(goal, hosts, from, gpu, block);
            let thread_block = gpu.thread_block(Some(to));
            gpu.sends.insert(thread_block);
            let after = gpu.written.get(&block).copied().into_iter().collect();
            let at = gpu.push(thread_block, "s", [here, there], after);
            gpu.read.entry(block).or_default().push(at);
            sent.push(sums.then(|| part(&parts, from, block)));
        }
        for (&(from, to, block), sent) in ends.iter().zip(sent) {
            let there = place(goal, hosts, from, &mut gpus[of(from)], block);
            let gpu = &mut gpus[of(to)];
            let here = place(goal, hosts, to, gpu, block);
            let thread_block = gpu.thread_block(Some(from));
            gpu.receives.insert(thread_block);
            let mut after: Vec<At> = gpu.written.get(&block).copied().into_iter().collect();
            after.extend(gpu.read.remove(&block).into_iter().flatten());
            let mut kind = "r";
            let mut source = there;
            if let Some(sent) = sent {
                let own = part(&parts, to, block);
                if own.is_disjoint(&sent) {
                    (kind, source) = ("rrc", here);
                }
                parts.insert((to, block), &own | &sent);
            }
            let at = gpu.push(thread_block, kind, [source, here], after);
            gpu.written.insert(block, at);
        }
    }
    gpus
}

fn escaped(text: &str) -> String {
    visible_lines(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cube, Ports, around};
    use nestnet_graph::Budget;
    use nestnet_seed::samples::{cube, ring};

    fn text(network: &dyn Network, goal: Goal, schedule: &Schedule) -> String {
        let mut out = Vec::new();
        write(network, goal, schedule, "a \"b\"\u{1b}", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_exchange_sends_before_it_adds() {
        let pair = cube(1);
        let schedule = Cube::within(&pair, &Budget::UNLIMITED).unwrap().allreduce();
        let step = |number: u8, kind: &str| {
            format!(
                "      <step s=\"{number}\" type=\"{kind}\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"i\" \
                 dstoff=\"0\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
            )
        };
        let gpu = |id: u8, peer: u8| {
            format!(
                "  <gpu id=\"{id}\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\">\n    \
                 <tb id=\"0\" send=\"{peer}\" recv=\"{peer}\" chan=\"0\">\n{}{}    </tb>\n  </gpu>\n",
                step(0, "s"),
                step(1, "rrc")
            )
        };
        let head = "<algo name=\"a &quot;b&quot;�\" proto=\"Simple\" nchannels=\"1\" \
                    nchunksperloop=\"1\" ngpus=\"2\" coll=\"allreduce\" inplace=\"1\">\n";
        let expected = format!("{head}{}{}</algo>\n", gpu(0, 1), gpu(1, 0));
        assert_eq!(text(&pair, Goal::Allreduce { blocks: 1 }, &schedule), expected);
    }

    #[test]
    fn a_ring_passes_on_what_it_received() {
        let network = ring(3);
        let schedule = around(&network, &[0, 1, 2], Ports::One, &Budget::UNLIMITED).unwrap();
        let text = text(&network, Goal::Allgather, &schedule);
        // Node 0 copies its own, receives block 2 from node 2 and sends it to node 1.
        let sends = "    <tb id=\"1\" send=\"1\" recv=\"-1\" chan=\"0\">
      <step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"0\" deps=\"0\" hasdep=\"0\"/>
      <step s=\"1\" type=\"s\" srcbuf=\"o\" srcoff=\"2\" dstbuf=\"o\" dstoff=\"2\" cnt=\"1\" depid=\"2\" deps=\"0\" hasdep=\"0\"/>
    </tb>
    <tb id=\"2\" send=\"-1\" recv=\"2\" chan=\"0\">
      <step s=\"0\" type=\"r\" srcbuf=\"o\" srcoff=\"2\" dstbuf=\"o\" dstoff=\"2\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"1\"/>
";
        assert!(text.contains(sends), "{text}");
    }

    #[test]
    fn all_steps_are_written_and_what_is_awaited_comes_before() {
        let network = cube(3);
        let plan = Cube::within(&network, &Budget::UNLIMITED).unwrap();
        let schedule = plan.all_to_all(&Budget::UNLIMITED).unwrap();
        let transfers: usize = schedule.steps.iter().map(Vec::len).sum();
        let made = gpus(&network, Goal::AllToAll, &schedule);
        let count = |kind| {
            let steps = made.iter().flat_map(|gpu| gpu.steps.iter().flatten());
            steps.filter(|step| step.kind == kind).count()
        };
        assert_eq!((count("s"), count("r"), count("cpy")), (transfers, transfers, 8));
        for gpu in &made {
            for step in gpu.steps.iter().flatten() {
                if let Some((block, at)) = step.after {
                    assert!(gpu.steps[block][at].awaited);
                }
            }
        }
    }

    #[test]
    fn what_has_no_name_is_refused() {
        let none = Schedule::default();
        let error = write(&ring(3), Goal::Gather { root: Node(0) }, &none, "x", Vec::new());
        assert!(matches!(error, Err(MscclError::NoCollective)));
    }
}
