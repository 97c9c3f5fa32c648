//! What can be asked at the command line, in which groups, and what is said where the question is not understood.

use crate::{Cli, text};
use clap::builder::Styles;
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use nestnet::sanitize::visible_lines;
use std::any::TypeId;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};

/// The verbs by what one wants.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Know a network", &["info", "measure", "neighbors", "cut", "throughput", "families"]),
    ("Decide", &["design", "compare", "grow", "resilience", "study", "report"]),
    ("Route", &["route", "routing", "paths", "deadlock", "simulate"]),
    ("Communicate", &["broadcast", "collective", "run", "emulate", "embed"]),
    ("Check papers", &["claims"]),
    ("Look", &["draw", "view", "serve"]),
    ("Import and export", &["edges", "export", "import", "tables"]),
    ("This program", &["merge", "completions", "man", "help"]),
];

/// The whole command line.
pub fn command() -> Command {
    let mut command = with_negative_numbers(Cli::command());
    // So that `help` is among the verbs.
    command.build();
    let groups = groups(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{}\n{{options}}{{after-help}}",
        heading("Options")
    ))
}

fn heading(text: &str) -> String {
    let style = *Styles::default().get_header();
    format!("{style}{text}:{style:#}")
}

fn groups(command: &Command) -> String {
    let verbs = || GROUPS.iter().flat_map(|(_, verbs)| verbs.iter());
    let width = verbs().map(|verb| verb.len()).max().unwrap_or(0);
    let style = *Styles::default().get_literal();
    let mut text = String::new();
    for (title, verbs) in GROUPS {
        let _ = writeln!(text, "{}", heading(title));
        for name in verbs {
            // Verbs of a feature that is off are not there.
            let Some(verb) = command.find_subcommand(name) else { continue };
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {style}{name:width$}{style:#}  {about}");
        }
        text.push('\n');
    }
    text
}

/// The help of every verb as a page of Markdown, group by group. It is as wide as this, whatever the terminal.
pub fn markdown(command: &Command) -> String {
    const WIDTH: usize = 100;
    let mut page = String::from(
        "# Verbs\n\n\
         The help of every verb. This page is what `nestnet man --markdown` prints.\n",
    );
    for (title, verbs) in GROUPS {
        let _ = write!(page, "\n## {title}\n");
        for name in verbs.iter().filter(|name| **name != "help") {
            let Some(verb) = command.find_subcommand(name) else { continue };
            let help = verb.clone().term_width(WIDTH).render_long_help().to_string();
            let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
            let _ = write!(page, "\n### {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
        }
    }
    page
}

/// Lets numbers be negative, so that whoever reads them can say which are wanted.
fn with_negative_numbers(command: Command) -> Command {
    let is_number = |arg: &Arg| {
        let numbers = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<u128>(),
            TypeId::of::<usize>(),
            TypeId::of::<f64>(),
        ];
        numbers.into_iter().any(|number| arg.get_value_parser().type_id() == number)
    };
    let command = command.mut_args(|arg| {
        let number = arg.get_action().takes_values() && is_number(&arg);
        if number { arg.allow_hyphen_values(true) } else { arg }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// What is asked, or the exit code once it is said why that is not clear.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Cli, u8> {
    let command = command();
    text::know_flags(flags_of(&command));
    let matches = command.try_get_matches_from(words);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
        let code = u8::try_from(error.exit_code()).unwrap_or(2);
        let text = error.render().to_string();
        let shown = visible_lines(&text);
        // Colors are fine where no other codes are.
        let printed = match shown == text {
            true => error.print().and_then(|()| io::stdout().flush()),
            false => write!(io::stderr(), "{shown}"),
        };
        match printed {
            // Help is an answer, which is there only where it could be written; its reader may have seen enough.
            Err(error) if code == 0 && error.kind() != io::ErrorKind::BrokenPipe => {
                // Where nobody listens, the exit code is all that is left to say.
                let _ = writeln!(io::stderr(), "error: {error}");
                2
            }
            _ => code,
        }
    })
}

/// The names of all options of a command and of its verbs.
fn flags_of(command: &Command) -> Box<dyn Iterator<Item = String> + '_> {
    let own = command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned));
    Box::new(own.chain(command.get_subcommands().flat_map(flags_of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| verbs.to_vec()).collect();
        let command = command();
        let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
        let mut verbs: Vec<&str> = shown.map(Command::get_name).collect();
        grouped.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(grouped, verbs);
    }

    /// Whoever names a file to write says so by its type, and it is looked at before the work.
    #[test]
    fn every_file_that_is_written_is_checked_first() {
        const READ: [&str; 4] = ["goal", "file", "token_file", "parts"];
        // Written before the work begins.
        const CHECKPOINT: &str = "checkpoint";
        let written = TypeId::of::<crate::output::OutputPath>();
        let command = command();
        for verb in command.get_subcommands() {
            let files = verb.get_arguments().filter(|option| {
                let names = option.get_value_names().unwrap_or_default();
                names.iter().any(|name| name == "FILE")
            });
            for option in files {
                let is_read = READ.contains(&option.get_id().as_str());
                let is_checked = option.get_value_parser().type_id() == written;
                let named = format!("{} --{}", verb.get_name(), option.get_id());
                assert!(is_checked != (is_read || option.get_id() == CHECKPOINT), "{named}");
            }
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        with_negative_numbers(Cli::command()).debug_assert();
    }
}
