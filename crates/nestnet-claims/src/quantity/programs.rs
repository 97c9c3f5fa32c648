//! Quantities of what runs on a network: broadcasts, programs, emulations, embeddings.

use super::error::QuantityError;
use super::routes::text_name;
use super::row::Takes::{Network as N, Node as V, Number as I, Word as W};
use super::row::{Given, Quantity};
use crate::{Lab, Sample, Value};
use nestnet_analysis::broadcasts::{
    Algorithm, BroadcastError, Report, account, broadcast, run_printed,
};
use nestnet_analysis::embed::{self, Embedding, embed};
use nestnet_analysis::emulation::{Emulation, emulate};
use nestnet_analysis::programs::{PROGRAMS, Program, Run, run};
use nestnet_collectives::Ports;
use nestnet_collectives::broadcast::Modeled;
use nestnet_graph::Node;
use nestnet_topologies::family::array::{Array, Text};

/// The rows of this file.
pub const ROWS: &[Quantity] = &[
    Quantity::new(
        "broadcast_steps",
        &[N, V, W, W],
        broadcast_steps,
        "steps of a broadcast: paper, best or a name of ours; one or all ports",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --algorithm {2} --ports {3}"),
    Quantity::new(
        "broadcast_worst",
        &[N, W, W],
        broadcast_worst,
        "steps of a broadcast from the worst node",
    )
    .shown_by("nestnet broadcast '{0}' 0 --algorithm {1} --ports {2}"),
    Quantity::new(
        "broadcast_once",
        &[N, V, W, W],
        broadcast_once,
        "whether each node is informed exactly once",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --algorithm {2} --ports {3}"),
    Quantity::new(
        "broadcast_transfers",
        &[N, V, W, W],
        broadcast_transfers,
        "messages of a broadcast",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --algorithm {2} --ports {3}"),
    Quantity::new(
        "reached",
        &[N, V, W],
        reached,
        "nodes that a broadcast reaches as its text has it: printed, root or top",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --as-printed"),
    Quantity::new(
        "broadcast_ends",
        &[N, V, W],
        broadcast_ends,
        "whether a broadcast as its text has it comes to an end",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --as-printed"),
    Quantity::new(
        "steps_as_printed",
        &[N, V, W],
        steps_as_printed,
        "steps of a broadcast as its text has it, whomever it informs",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --as-printed"),
    Quantity::new(
        "transfers_in_last_step",
        &[N, V, W],
        transfers_in_last_step,
        "transfers of the last step of a broadcast: paper, or printed and the like",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --json"),
    Quantity::new(
        "modeled_steps",
        &[N, V],
        modeled_steps,
        "steps of its paper's broadcast as the paper counts them",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --algorithm paper"),
    Quantity::new(
        "modeled_missed",
        &[N, V],
        modeled_missed,
        "nodes that its paper's broadcast leaves out as the paper describes it",
    )
    .shown_by("nestnet broadcast '{0}' '{1}' --algorithm paper"),
    Quantity::new(
        "planted_dilation",
        &[N],
        embedded_dilation,
        "the longest image of a link of the largest complete binary tree, embedded as its paper does",
    )
    .shown_by("nestnet broadcast '{0}' 0 --as-printed"),
    Quantity::new(
        "partition_excess",
        &[I],
        partition_excess,
        "neighbor sets beyond four of a set of the partition PT(h) of a complete binary tree, at most",
    ),
    Quantity::new(
        "array_overflows",
        &[N, W],
        array_overflows,
        "entries that find no free column in the array in which its paper builds it: printed or repaired",
    )
    .shown_by("nestnet neighbors '{0}' --array"),
    Quantity::new(
        "array_pointers",
        &[N, W],
        array_pointers,
        "pivot pointers of that array that are not at the first node of their set in the end",
    )
    .shown_by("nestnet neighbors '{0}' --array"),
    Quantity::new("program_steps", &[N, W], program_steps, "steps of fft, sort, scan or transpose")
        .shown_by("nestnet run {1} '{0}'"),
    Quantity::new("program_agrees", &[N, W], program_agrees, "whether it computes what it should")
        .shown_by("nestnet run {1} '{0}'"),
    Quantity::new("slowdown", &[N], slowdown, "steps of the slowest dimension of an emulation")
        .shown_by("nestnet emulate '{0}'"),
    Quantity::new("all_port_slowdown", &[N], all_port_slowdown, "steps of all dimensions at once")
        .shown_by("nestnet emulate '{0}'"),
    Quantity::new(
        "dilation",
        &[N, N],
        dilation,
        "the longest image of a link of the first in the second, at best known",
    )
    .shown_by("nestnet embed '{0}' '{1}'"),
    Quantity::new(
        "congestion",
        &[N, N],
        congestion,
        "images over the busiest link of the second, at best known",
    )
    .shown_by("nestnet embed '{0}' '{1}'"),
    Quantity::new(
        "program_moves",
        &[N, W],
        program_moves,
        "messages that a program sends over links",
    )
    .shown_by("nestnet run {1} '{0}'"),
    Quantity::new(
        "slowdown_at",
        &[N, I],
        slowdown_at,
        "steps of one dimension of an emulation, from 1",
    )
    .shown_by("nestnet emulate '{0}' --dimension {1}"),
];

fn informed(
    lab: &Lab<'_>,
    sample: &Sample,
    root: Node,
    words: &[Given],
) -> Result<Report, QuantityError> {
    let name = words[0].word()?;
    let algorithm = Algorithm::of(&sample.built, name)
        .ok_or_else(|| QuantityError::word("an algorithm", "paper, best or one of ours", name))?;
    let ports = match words[1].word()? {
        "one" => Ports::One,
        "all" => Ports::All,
        other => return Err(QuantityError::word("a choice of ports", "one or all", other)),
    };
    let report = broadcast(&sample.built, root, algorithm, ports, lab.budget());
    report.map_err(QuantityError::from)
}

fn reached(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let name = text_name(given[2].word()?);
    let informed = run_printed(&given[0].sample()?.built, given[1].node()?, &name, lab.budget());
    Ok(informed.map_err(QuantityError::from)?.account.reached.into())
}

fn broadcast_ends(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let name = text_name(given[2].word()?);
    let informed = run_printed(&given[0].sample()?.built, given[1].node()?, &name, lab.budget());
    Ok(informed.map_err(QuantityError::from)?.repeats_after.is_none().into())
}

fn steps_as_printed(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let name = text_name(given[2].word()?);
    let run = run_printed(&given[0].sample()?.built, given[1].node()?, &name, lab.budget());
    Ok((run.map_err(QuantityError::from)?.account.transfers_per_step.len() as u64).into())
}

fn transfers_in_last_step(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let (sample, root) = (given[0].sample()?, given[1].node()?);
    let account = match given[2].word()? {
        "paper" => {
            let own = sample.built.own_broadcast().ok_or(BroadcastError::NoPaper);
            let own = own.map_err(QuantityError::from)?;
            account(&sample.built, &*own, root)
                .ok_or(QuantityError::Needs("network that is not too large to list"))?
        }
        name => {
            let printed = run_printed(&sample.built, root, &text_name(name), lab.budget());
            printed.map_err(QuantityError::from)?.account
        }
    };
    Ok(account.transfers_per_step.last().copied().unwrap_or(0).into())
}

fn array(given: &[Given]) -> Result<Array, QuantityError> {
    let text = match given[1].word()? {
        "printed" => Text::Printed,
        "repaired" => Text::Repaired,
        other => return Err(QuantityError::word("a text", "printed or repaired", other)),
    };
    let array = given[0].sample()?.built.array().and_then(|arrayed| arrayed.array(text));
    array.ok_or(QuantityError::Needs("network that its paper builds as a small array"))
}

fn array_overflows(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(array(given)?.overflows.into())
}

fn array_pointers(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let array = array(given)?;
    let column = array.columns.iter().position(|column| column == "pivot");
    let moved = |row: &&Vec<u64>| column.is_some_and(|column| row[column] != 0);
    Ok((array.rows.iter().filter(moved).count() as u64).into())
}

fn modeled(given: &[Given]) -> Result<Modeled, QuantityError> {
    let own = given[0].sample()?.built.own_broadcast().ok_or(BroadcastError::NoPaper);
    let own = own.map_err(QuantityError::from)?;
    let modeled = own.modeled(given[1].node()?).ok_or(BroadcastError::NoPaper);
    modeled.map_err(QuantityError::from)
}

fn modeled_steps(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(modeled(given)?.steps.into())
}

fn modeled_missed(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(modeled(given)?.missed.into())
}

fn embedded_dilation(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let host = &given[0].sample()?;
    let height = (host.network()?.order() + 1).ilog2();
    let guest = nestnet_topologies::build(&format!("tree({height})"))
        .map_err(|_| QuantityError::NoRoute)?;
    let found = embed(&guest, &host.built, embed::Algorithm::Paper, lab.budget());
    Ok(found.map_err(QuantityError::from)?.dilation.into())
}

fn partition_excess(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let height = u32::try_from(given[0].number()?).ok().filter(|h| (1..=20).contains(h));
    let height = height.ok_or(QuantityError::Needs("height up to 20"))?;
    Ok(nestnet_topologies::family::cube_of_rings::tree::excess(height).into())
}

fn broadcast_steps(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(informed(lab, given[0].sample()?, given[1].node()?, &given[2..])?.cost.steps.into())
}

fn broadcast_worst(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let sample = given[0].sample()?;
    let network = sample.network()?;
    let mut worst = 0;
    // A rule may treat alike nodes differently, so that classes do not suffice.
    for root in (0..network.order()).map(Node) {
        worst = worst.max(informed(lab, sample, root, &given[1..])?.cost.steps);
    }
    Ok(worst.into())
}

fn broadcast_once(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let report = informed(lab, given[0].sample()?, given[1].node()?, &given[2..])?;
    Ok((report.cost.repeats == 0).into())
}

fn broadcast_transfers(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(informed(lab, given[0].sample()?, given[1].node()?, &given[2..])?.cost.transfers.into())
}

fn ran(lab: &Lab<'_>, given: &[Given]) -> Result<Run, QuantityError> {
    let word = given[1].word()?;
    let program = Program::named(word).ok_or_else(|| {
        let known = PROGRAMS.map(|row| row.1).join(", ");
        QuantityError::word("a program", known, word)
    })?;
    let built = &given[0].sample()?.built;
    run(built, program, 1, lab.budget()).map_err(QuantityError::from)
}

fn program_steps(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(ran(lab, given)?.spent.steps.into())
}

fn program_agrees(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(ran(lab, given)?.agrees.into())
}

fn emulated(
    lab: &Lab<'_>,
    sample: &Sample,
    dimension: Option<usize>,
) -> Result<Emulation, QuantityError> {
    if !sample.built.logical.is_arranged() {
        return Err(QuantityError::NoGuest);
    }
    let found = emulate(&sample.built, dimension, lab.budget());
    found.map_err(QuantityError::from)
}

fn slowdown(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(emulated(lab, given[0].sample()?, None)?.slowest().into())
}

fn slowdown_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let dimension = usize::try_from(given[1].number()?)?;
    Ok(emulated(lab, given[0].sample()?, Some(dimension))?.slowest().into())
}

fn all_port_slowdown(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let found = emulated(lab, given[0].sample()?, None)?.all_ports;
    found.map(|found| found.steps.into()).ok_or(QuantityError::NoDimension)
}

fn program_moves(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(ran(lab, given)?.spent.moves.into())
}

fn embedded(lab: &Lab<'_>, given: &[Given]) -> Result<Embedding, QuantityError> {
    let [guest, host] = [given[0].sample()?, given[1].sample()?];
    let found = embed(
        &guest.built,
        &host.built,
        embed::Algorithm::Best { exchanges: 1 << 22 },
        lab.budget(),
    );
    found.map_err(QuantityError::from)
}

fn dilation(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(embedded(lab, given)?.dilation.into())
}

fn congestion(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(embedded(lab, given)?.congestion.into())
}
