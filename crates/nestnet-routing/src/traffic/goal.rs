//! Programs in GOAL, the language of LogGOPSim: what each rank sends, receives and computes, and what waits for what.

use super::program::{Action, Program, Task};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why a text is no program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GoalError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line that means nothing here.
    #[error("line {line}: {why}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// Limit: ranks of a program in GOAL: a larger number is a mistake, and would take memory before the first task.
const MAX_RANKS: u64 = 1 << 24;

/// Reads a program. Lines `num_ranks N`, `rank R {`, `L: send 8b to R tag T`, `L: recv 8b from R tag T`, `L: calc N`,
/// `L requires M` and `}`; what else a task says, such as its processor, is passed over, and so is `//` to the end.
pub fn read(input: impl BufRead) -> Result<Program, GoalError> {
    let mut program = Program::default();
    let mut open: Option<(usize, HashMap<String, usize>)> = None;
    for (line, text) in (1..).zip(input.lines()) {
        let text = text?;
        let text = text.split("//").next().unwrap_or_default().trim();
        let wrong = |why: &str| GoalError::Line { line, why: why.to_owned() };
        let words: Vec<&str> = text.split_whitespace().collect();
        match (&words[..], &mut open) {
            ([], _) => (),
            (["num_ranks", count], None) => {
                let count: Option<u64> = count.parse().ok().filter(|&count| count <= MAX_RANKS);
                let count = count.and_then(|count| usize::try_from(count).ok());
                let count = count.ok_or_else(|| wrong("expected a number of ranks"))?;
                program.ranks.resize(count, Vec::new());
            }
            (["rank", rank, "{"], None) => {
                let rank: Option<usize> =
                    rank.parse().ok().filter(|&rank| rank < program.ranks.len());
                open = Some((rank.ok_or_else(|| wrong("there is no such rank"))?, HashMap::new()));
            }
            (["}"], Some(_)) => open = None,
            ([label, "requires", before], Some((rank, labels))) => {
                let place = |label: &str| {
                    let unknown = || wrong(&format!("there is no task {label} before this line"));
                    labels.get(label).copied().ok_or_else(unknown)
                };
                let (after, before) = (place(label)?, place(before)?);
                program.ranks[*rank][after].needs.push(before);
            }
            ([label, rest @ ..], Some((rank, labels))) if label.ends_with(':') => {
                let action = action(rest).ok_or_else(|| wrong("expected a send, recv or calc"))?;
                let ends = match action {
                    Action::Send { to: end, .. } | Action::Receive { from: end, .. } => end,
                    Action::Compute { .. } => 0,
                };
                if ends >= program.ranks.len() as u64 {
                    return Err(wrong("there is no such rank"));
                }
                let tasks = &mut program.ranks[*rank];
                labels.insert(label.trim_end_matches(':').to_owned(), tasks.len());
                tasks.push(Task { action, needs: Vec::new() });
            }
            _ => return Err(wrong("it is not understood")),
        }
    }
    match open {
        Some(_) => Err(GoalError::Line { line: 0, why: "the last rank is not closed".to_owned() }),
        None => Ok(program),
    }
}

/// Writes a program, so that [`read`] gives it again.
///
/// ```
/// use nestnet_routing::traffic::goal;
/// use nestnet_routing::traffic::program::{Action, Program, Task};
///
/// let send = Task { action: Action::Send { to: 1, bytes: 64, tag: 0 }, needs: vec![] };
/// let receive = Task { action: Action::Receive { from: 0, bytes: 64, tag: 0 }, needs: vec![] };
/// let program = Program { ranks: vec![vec![send], vec![receive]] };
/// let mut text = Vec::new();
/// goal::write(&program, &mut text)?;
/// assert_eq!(goal::read(&text[..])?, program);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where the output cannot be written.
pub fn write(program: &Program, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "num_ranks {}", program.ranks.len())?;
    for (rank, tasks) in program.ranks.iter().enumerate() {
        writeln!(output, "\nrank {rank} {{")?;
        for (label, Task { action, .. }) in (1..).zip(tasks) {
            match action {
                Action::Send { to, bytes, tag } => {
                    writeln!(output, "l{label}: send {bytes}b to {to} tag {tag}")?;
                }
                Action::Receive { from, bytes, tag } => {
                    writeln!(output, "l{label}: recv {bytes}b from {from} tag {tag}")?;
                }
                Action::Compute { time } => writeln!(output, "l{label}: calc {time}")?,
            }
        }
        for (label, Task { needs, .. }) in (1..).zip(tasks) {
            for before in needs {
                writeln!(output, "l{label} requires l{}", before + 1)?;
            }
        }
        writeln!(output, "}}")?;
    }
    output.flush()
}

fn action(words: &[&str]) -> Option<Action> {
    let bytes = |word: &str| word.trim_end_matches('b').parse().ok();
    let number = |word: &str| word.parse().ok();
    let tag = |rest: &[&str]| match rest {
        ["tag", tag, ..] => number(tag),
        _ => Some(0),
    };
    match words {
        ["send", size, "to", to, rest @ ..] => {
            Some(Action::Send { to: number(to)?, bytes: bytes(size)?, tag: tag(rest)? })
        }
        ["recv", size, "from", from, rest @ ..] => {
            Some(Action::Receive { from: number(from)?, bytes: bytes(size)?, tag: tag(rest)? })
        }
        ["calc", time, ..] => Some(Action::Compute { time: number(time)? }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIR: &str = "num_ranks 2\n\nrank 0 {\nl1: calc 10\nl2: send 8b to 1 tag 3 // far\nl2 requires l1\n}\nrank 1 {\nl1: recv 8b from 0 tag 3 cpu 0\n}\n";

    #[test]
    fn tasks_and_what_they_need_are_read() {
        let program = read(PAIR.as_bytes()).unwrap();
        let send = Action::Send { to: 1, bytes: 8, tag: 3 };
        assert_eq!(program.ranks[0][0].action, Action::Compute { time: 10 });
        assert_eq!(program.ranks[0][1], Task { action: send, needs: vec![0] });
        assert_eq!(program.ranks[1][0].action, Action::Receive { from: 0, bytes: 8, tag: 3 });
    }

    #[test]
    fn programs_are_written_as_they_are_read() {
        let program = read(PAIR.as_bytes()).unwrap();
        let mut text = Vec::new();
        write(&program, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let first =
            "num_ranks 2\n\nrank 0 {\nl1: calc 10\nl2: send 8b to 1 tag 3\nl2 requires l1\n}\n";
        assert_eq!(text, format!("{first}\nrank 1 {{\nl1: recv 8b from 0 tag 3\n}}\n"));
        assert_eq!(read(text.as_bytes()).unwrap(), program);
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        for (text, message) in [
            ("rank 0 {", "line 1: there is no such rank"),
            ("num_ranks x", "line 1: expected a number of ranks"),
            ("num_ranks 1\nrank 0 {\na: jump\n}", "line 3: expected a send, recv or calc"),
            ("num_ranks 1\nrank 0 {\na: send 1b to 5\n}", "line 3: there is no such rank"),
            (
                "num_ranks 1\nrank 0 {\na requires b\n}",
                "line 3: there is no task a before this line",
            ),
            ("num_ranks 1\nhello", "line 2: it is not understood"),
            ("num_ranks 1\nrank 0 {", "line 0: the last rank is not closed"),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message, "{text}");
        }
    }
}
