//! `nestnet man`: the manual, a page for the program and one for each verb.

use crate::{Outcome, cli, output, text};
use anyhow::Context as _;
use clap::Command;
use clap_mangen::Man;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet man | man -l -
  nestnet man design | man -l -
  nestnet man --folder ~/.local/share/man/man1
  nestnet man --markdown > verbs.md")]
pub struct Args {
    /// The verb whose page is printed; that of the program if omitted
    verb: Option<String>,
    /// Write all pages to this folder instead; it is created where it does not exist
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    folder: Option<PathBuf>,
    /// Print the help of every verb as one page of Markdown
    #[arg(long, conflicts_with_all = ["verb", "folder"])]
    markdown: bool,
}

pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let command = cli::command();
    if args.markdown {
        text::print(&cli::markdown(&command))?;
        return Ok(Outcome::Done);
    }
    if let Some(folder) = &args.folder {
        let create = || format!("cannot create the folder {}", folder.display());
        std::fs::create_dir_all(folder).with_context(create)?;
        let is_shown = |verb: &&Command| verb.get_name() != "help" && !verb.is_hide_set();
        let verbs = command.get_subcommands().filter(is_shown);
        for page in verbs.map(verb_page).chain([command.clone()]) {
            let path = folder.join(format!("{}.1", page.get_name()));
            let text = roff(page)?;
            output::write_bytes(&path, &text)?;
        }
        return Ok(Outcome::Done);
    }
    let page = match &args.verb {
        None => command,
        Some(name) => {
            let verb = command.find_subcommand(name);
            verb_page(verb.with_context(|| format!("no verb `{name}`: see nestnet --help"))?)
        }
    };
    text::print(&String::from_utf8(roff(page)?)?)?;
    Ok(Outcome::Done)
}

/// A verb under the name of its page.
fn verb_page(verb: &Command) -> Command {
    let name = format!("nestnet-{}", verb.get_name());
    verb.clone().name(&name).version(env!("CARGO_PKG_VERSION"))
}

fn roff(page: Command) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    Ok(text)
}
