//! `nestnet run`: a worked program on data that only links move, compared with a direct computation.

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::{Outcome, text};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nestnet::programs::{PROGRAMS, Program, run as run_program};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet run fft \"rsn(hypercube(2), 3)\"
  nestnet run sort \"dual_cube(4)\" --seed 7 --json

Every node has one item and sends at most one message a step; a step moves items over links of the \
network alone. With an odd number of address bits `transpose` moves two matrices, and with one \
or two bits over a multiple of three `multiply` works on two or four pairs of them. The exit code is \
1 if the result is not that of the direct computation.")]
pub struct Args {
    /// What to run
    #[arg(value_parser = programs())]
    program: Program,
    /// The network, such as "rsn(hypercube(2), 3)" or "dual_cube(4)"
    spec: String,
    /// The random seed of the data
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = counts::<u64>(ANY))]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The table of programs.
fn programs() -> impl TypedValueParser<Value = Program> {
    let named = PROGRAMS.iter().map(|(_, name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(named)
        .try_map(|name| Program::named(&name).ok_or("it is not one of these"))
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    job.with_budget(|budget| {
        let name = args.program.name();
        let ran = job.answered(run_program(&built, args.program, args.seed, &budget))?;
        job.finish();
        if args.json {
            text::print_json_of(&spec, &ran)?;
        } else {
            let number = |value: u64| text::grouped(&value.to_string());
            let agrees = if ran.agrees { "equal to" } else { "NOT equal to" };
            let rows = [
                ("nodes", format!("{}, {} address bits", number(ran.nodes), ran.dimensions)),
                ("steps", number(ran.spent.steps)),
                ("recurrence", format!("{} steps", number(ran.recurrence))),
                ("moves", format!("{} messages over links", number(ran.spent.moves))),
                ("result", format!("{agrees} {}", ran.compared_with)),
            ];
            text::print(&format!("{spec}, {name}, seed {}\n{}", args.seed, text::table(&rows)))?;
        }
        Ok(if ran.agrees { Outcome::Done } else { Outcome::No })
    })
}
