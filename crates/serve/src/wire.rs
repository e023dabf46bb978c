//! What the page and the server say to each other, as JSON.

use crate::Opened;
use crate::worker::Limits;
use pipeline::Taken;
use report::{Drawing, ModelView, RunRules, json_of};
use serde::{Deserialize, Serialize};

/// What can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Errors and warnings of a text.
    Diagnose,
    /// A run along a path, perhaps on from there at random, and what can happen next.
    Run,
    /// What can happen next.
    Here,
    /// A check, of everything or of what lies ahead of a run.
    Check,
    /// The states ahead of a run as a graph.
    Graph,
}

impl Operation {
    const ALL: [Self; 5] = [Self::Diagnose, Self::Run, Self::Here, Self::Check, Self::Graph];

    /// Its word in an address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Diagnose => "diagnose",
            Self::Run => "run",
            Self::Here => "here",
            Self::Check => "check",
            Self::Graph => "graph",
        }
    }

    /// The one with this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.word() == word)
    }
}

/// What is asked.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The text of the model.
    pub(crate) text: String,
    /// It is not the one in the file.
    #[serde(default)]
    pub(crate) edited: bool,
    /// The steps of the run.
    #[serde(default)]
    pub(crate) path: Vec<Taken>,
    /// By which rules it is executed; the ordinary ones if nothing is said.
    #[serde(default)]
    pub(crate) rules: Option<RunRules>,
    /// On from there at random.
    #[serde(default)]
    pub(crate) random: Option<Random>,
    /// Until this holds.
    #[serde(default)]
    pub(crate) until: Option<String>,
    /// Only what lies ahead of the run is checked.
    #[serde(default)]
    pub(crate) ahead: bool,
    /// Whether this can be reached, and nothing else.
    #[serde(default)]
    pub(crate) cover: Option<String>,
    /// The part of a state by which a graph is folded.
    #[serde(default)]
    pub(crate) by: Option<String>,
}

/// Steps at random.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Random {
    /// So many at most.
    pub(crate) steps: usize,
    pub(crate) seed: u64,
}

/// An answer.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    Error { error: String },
    Unsound { findings: Vec<FindingText>, sound: bool },
    Run(Box<RunAnswer>),
    Here(Here),
    Check(Box<CheckAnswer>),
    Graph(Box<GraphAnswer>),
}

/// An error or a warning of a text.
#[derive(Serialize)]
pub(crate) struct FindingText {
    pub(crate) severity: String,
    pub(crate) id: String,
    /// None if it stands in another file.
    pub(crate) line: Option<u32>,
    pub(crate) column: u32,
    /// As a terminal shows it, with the line and a caret.
    pub(crate) text: String,
}

#[derive(Serialize)]
pub(crate) struct RunAnswer {
    pub(crate) view: ModelView,
    /// What is to be said of how the run came about; empty if nothing is.
    pub(crate) said: String,
    #[serde(flatten)]
    pub(crate) steps: Steps,
    pub(crate) here: Here,
}

/// The steps of a run, as they can be taken again.
#[derive(Serialize)]
pub(crate) struct Steps {
    pub(crate) path: Vec<Taken>,
    /// How many events the run has behind each step: one of several statements is several events.
    pub(crate) ends: Vec<usize>,
    pub(crate) rules: RunRules,
    /// What is to be said where these are not all steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

/// What can happen next, and what cannot.
#[derive(Serialize)]
pub(crate) struct Here {
    pub(crate) steps: usize,
    pub(crate) choices: Vec<Offer>,
    pub(crate) blocked: Vec<Offer>,
    /// How the run ends so far, in one sentence.
    pub(crate) ending: String,
    /// Something is wrong here.
    pub(crate) problem: bool,
}

#[derive(Serialize)]
pub(crate) struct Offer {
    pub(crate) process: String,
    pub(crate) action: String,
    pub(crate) line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct CheckAnswer {
    pub(crate) view: ModelView,
    /// For each run on the page its steps, or why one cannot go on from them.
    pub(crate) runs: Vec<RunSteps>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum RunSteps {
    Known(Steps),
    Unknown { why: String },
}

#[derive(Serialize)]
pub(crate) struct GraphAnswer {
    pub(crate) drawing: Drawing,
    pub(crate) nodes: Vec<GraphNodeText>,
    /// Of each edge of the drawing the statements.
    pub(crate) edges: Vec<(String, String, String)>,
    /// What is drawn, in one sentence.
    pub(crate) about: String,
    /// Parts by which it can be folded.
    pub(crate) parts: Vec<String>,
    pub(crate) by: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct GraphNodeText {
    pub(crate) id: String,
    /// A shortest way there, behind the run.
    pub(crate) path: Vec<Taken>,
    pub(crate) title: String,
    pub(crate) problem: bool,
    pub(crate) end: bool,
    /// Where its steps lead is not drawn.
    pub(crate) open: bool,
}

/// What stands in front of a request on its way to the process that answers it: one line.
pub(crate) fn envelope(includes: &[String]) -> String {
    let mut line = json_of(&includes);
    line.push('\n');
    line
}

/// Both parts again.
pub(crate) fn unwrapped(bytes: &[u8]) -> Result<(Vec<String>, Asked), String> {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (line, body) = bytes.split_at(end);
    let includes = serde_json::from_slice(line);
    let includes = includes.map_err(|error| format!("this is no request: {error}"))?;
    let asked = serde_json::from_slice(body);
    Ok((includes, asked.map_err(|error| format!("this is no request: {error}"))?))
}

/// An error as an answer.
pub(crate) fn error(words: &str) -> String {
    json_of(&Answer::Error { error: words.to_owned() })
}

/// The model, for a page that is opened.
pub(crate) fn opened(opened: Result<Opened, String>, limits: Limits) -> String {
    #[derive(Serialize)]
    struct Model {
        file: String,
        text: String,
        version: &'static str,
        seconds: f64,
        megabytes: u64,
    }
    match opened {
        Err(words) => error(&words),
        Ok(Opened { file, text, .. }) => json_of(&Model {
            file,
            text,
            version: env!("CARGO_PKG_VERSION"),
            seconds: limits.seconds,
            megabytes: limits.bytes >> 20,
        }),
    }
}
