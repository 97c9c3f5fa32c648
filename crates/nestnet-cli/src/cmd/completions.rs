//! `nestnet completions`: how does a shell complete our words?

use crate::{Outcome, cli, text};
use clap_complete::Shell;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet completions bash > ~/.local/share/bash-completion/completions/nestnet
  nestnet completions zsh > ~/.zfunc/_nestnet
  nestnet completions fish > ~/.config/fish/completions/nestnet.fish")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "nestnet", &mut script);
    text::print(&String::from_utf8(script)?)?;
    Ok(Outcome::Done)
}
