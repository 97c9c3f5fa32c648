//! What can be asked: verbs of this program, with the words that the page may say to each.

use super::answer::{Answer, ProcessPool};
use axum::Router;
use axum::extract::{Query, State};
use axum::response::IntoResponse as _;
use axum::routing::get;
use nestnet::collectives::COLLECTIVE_OPTIONS;
use nestnet::compare::COMPARE_OPTIONS;
use nestnet::design;
use nestnet::fault_survey::FAULT_OPTIONS;
use nestnet::options::{Kind, Setting};
use nestnet::physical::COST_OPTIONS;
use nestnet::sim::OPTIONS;
use std::sync::Arc;

/// One question. What is not listed cannot be said, so that no question writes a file or reads one by an option.
pub struct Ask {
    /// The verb.
    pub verb: &'static str,
    /// What comes without a name, in order; those that are asked for first.
    pub places: &'static [&'static str],
    /// Options with a value, beside those of the tables of the verb.
    pub options: &'static [&'static str],
    /// Options without.
    pub flags: &'static [&'static str],
}

/// All questions.
pub const ASKS: &[Ask] = &[
    Ask { verb: "info", places: &["spec"], options: &[], flags: &[] },
    Ask { verb: "measure", places: &["spec"], options: &["only"], flags: &[] },
    Ask { verb: "cut", places: &["spec"], options: &[], flags: &[] },
    Ask { verb: "resilience", places: &["spec"], options: &[], flags: &[] },
    Ask { verb: "embed", places: &["guest", "spec"], options: &[], flags: &[] },
    Ask { verb: "emulate", places: &["spec"], options: &[], flags: &[] },
    Ask { verb: "families", places: &[], options: &[], flags: &[] },
    Ask {
        verb: "view",
        places: &["spec", "path"],
        options: &["find", "most", "smaller"],
        flags: &[],
    },
    Ask {
        verb: "route",
        places: &["spec", "from", "to"],
        options: &["router", "choice", "faults"],
        flags: &["as-printed"],
    },
    Ask { verb: "paths", places: &["spec", "from", "to"], options: &[], flags: &[] },
    Ask { verb: "deadlock", places: &["spec"], options: &["router", "vcs"], flags: &[] },
    Ask {
        verb: "broadcast",
        places: &["spec", "from"],
        options: &["ports", "algorithm", "inside", "most"],
        flags: &["steps", "as-printed"],
    },
    Ask { verb: "collective", places: &["goal", "spec"], options: &["root"], flags: &["steps"] },
    Ask {
        verb: "throughput",
        places: &["spec"],
        options: &["traffic", "router"],
        flags: &["loads"],
    },
    Ask {
        verb: "simulate",
        places: &["spec"],
        options: &["load", "traffic", "router"],
        flags: &["utilization"],
    },
    Ask { verb: "design", places: &[], options: &[], flags: &["no-report"] },
    Ask { verb: "compare", places: &["spec"], options: &[], flags: &[] },
    Ask { verb: "claims", places: &[], options: &["only", "verdict"], flags: &["list", "cases"] },
];

/// A question whose answer is a file that the browser saves.
pub struct FileAsk {
    /// What may be said.
    pub ask: Ask,
    /// What is always said: that it is printed.
    pub fixed: &'static [&'static str],
    /// The kind of the file.
    pub kind: &'static str,
}

/// All files.
pub const FILES: &[FileAsk] = &[
    FileAsk {
        ask: Ask { verb: "export", places: &["spec"], options: &["format"], flags: &[] },
        fixed: &[],
        kind: "application/octet-stream",
    },
    FileAsk {
        ask: Ask { verb: "report", places: &["spec"], options: &[], flags: &["no-baselines"] },
        fixed: &["--output=-"],
        kind: "text/html; charset=utf-8",
    },
];

/// The form of an option: a flag, or one with a value.
#[derive(PartialEq, Eq)]
enum Form {
    Flag,
    Value,
}

/// An option of a table, as the command line spells it.
fn of_table<T: 'static>(
    rows: impl IntoIterator<Item = &'static Setting<T>>,
    name: &str,
) -> Option<Form> {
    let row = rows.into_iter().find(|row| row.flag() == name)?;
    Some(if matches!(row.kind, Kind::Flag(_)) { Form::Flag } else { Form::Value })
}

/// The command line of a question, or what cannot be said to its verb.
pub fn command(ask: &Ask, said: &[(String, String)]) -> Result<Vec<String>, String> {
    with_fixed(ask, &["--json"], said)
}

/// The same, with what is always said.
fn with_fixed(ask: &Ask, fixed: &[&str], said: &[(String, String)]) -> Result<Vec<String>, String> {
    let mut args = vec![ask.verb.to_owned()];
    args.extend(fixed.iter().map(|&word| word.to_owned()));
    for (name, value) in said {
        let name = name.as_str();
        let table = match ask.verb {
            "simulate" => of_table(&OPTIONS, name),
            "design" => of_table(design::options(), name).or_else(|| of_table(&COST_OPTIONS, name)),
            "compare" => of_table(&COMPARE_OPTIONS, name).or_else(|| of_table(&COST_OPTIONS, name)),
            "collective" => of_table(&COLLECTIVE_OPTIONS, name),
            "resilience" => of_table(&FAULT_OPTIONS, name),
            _ => None,
        };
        if value.contains('\0') {
            return Err(format!("`{name}` has a character that no text has"));
        } else if ask.options.contains(&name) || table == Some(Form::Value) {
            args.push(format!("--{name}={value}"));
        } else if ask.flags.contains(&name) || table == Some(Form::Flag) {
            args.push(format!("--{name}"));
        } else if !ask.places.contains(&name) && name != "token" {
            return Err(format!("`{}` is not asked with `{name}`", ask.verb));
        }
    }
    // Behind this nothing is an option, whatever it looks like.
    args.push("--".to_owned());
    for place in ask.places {
        args.extend(said.iter().filter(|(name, _)| name == place).map(|(_, value)| value.clone()));
    }
    Ok(args)
}

/// A path for each question, and one at which it reports how far it is.
pub fn routes(pool: Arc<ProcessPool>) -> Router {
    let router = ASKS.iter().fold(Router::new(), |router, ask| {
        let stream = move |State(pool): State<Arc<ProcessPool>>,
                           Query(said): Query<Vec<(String, String)>>| async move {
            match command(ask, &said) {
                Ok(args) => pool.stream(args),
                Err(why) => Answer::refused(&why).into_response(),
            }
        };
        let answer = move |State(pool): State<Arc<ProcessPool>>,
                           Query(said): Query<Vec<(String, String)>>| async move {
            match command(ask, &said) {
                Ok(args) => pool.run(args).await,
                Err(why) => Answer::refused(&why),
            }
        };
        router
            .route(&format!("/api/{}", ask.verb), get(answer))
            .route(&format!("/api/stream/{}", ask.verb), get(stream))
    });
    let router = FILES.iter().fold(router, |router, FileAsk { ask, fixed, kind }| {
        let file = move |State(pool): State<Arc<ProcessPool>>,
                         Query(said): Query<Vec<(String, String)>>| async move {
            match with_fixed(ask, fixed, &said) {
                Ok(args) => pool.file(args, kind).await,
                Err(why) => Answer::refused(&why).into_response(),
            }
        };
        router.route(&format!("/api/file/{}", ask.verb), get(file))
    });
    router.with_state(pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn only_listed_words_reach_a_verb() {
        let design = ASKS.iter().find(|ask| ask.verb == "design").unwrap();
        assert!(command(design, &fields(&[("report", "x.html")])).is_err());
        let view = ASKS.iter().find(|ask| ask.verb == "view").unwrap();
        let args = command(view, &fields(&[("path", "0"), ("spec", "--help"), ("most", "-o x")]));
        let expected = ["view", "--json", "--most=-o x", "--", "--help", "0"];
        assert_eq!(args.unwrap(), expected);
        assert!(command(view, &fields(&[("spec", "a\0b")])).is_err());
    }

    #[test]
    fn every_question_is_a_verb_with_these_options() {
        let program = crate::cli::command();
        for ask in ASKS.iter().chain(FILES.iter().map(|file| &file.ask)) {
            let verb = program.find_subcommand(ask.verb).expect(ask.verb);
            for option in ask.options.iter().chain(ask.flags).chain(&["json"]) {
                let known = verb.get_arguments().any(|arg| arg.get_long() == Some(*option));
                assert!(known, "{} --{option}", ask.verb);
            }
        }
    }
}
