//! Results for people and programs: plain data in, text, JSON and charts out.
//! The sentences are made here once and travel in the data, so that terminal,
//! JSON and pictures never say different things.

mod automaton;
mod backward;
mod canvas;
mod chart;
mod columns;
mod data;
mod diagnostics;
mod dot;
mod html;
mod json;
mod lanes;
mod layout;
mod look;
mod machine_svg;
mod machines;
mod mermaid;
mod plot;
mod run;
pub mod spin;
mod steps;
mod style;
mod svg;
mod terminal;
mod theme;
mod waits;
mod words;

pub use automaton::{Automaton, AutomatonEdge, automaton};
pub use backward::{Backward, Candidate, Forward, Reached};
pub use chart::{Chart, Ending};
pub use columns::columns;
pub use data::{
    Avoidable, CacheStats, ErrorEntry, Finding, GateResult, GateVerdict, Graph, GraphEdge,
    GraphNode, Instead, Language, Line, Machine, Property, PropertyVerdict, Related, Report,
    SearchEntry, Seconds, Setting, Source, Stats, Unreached, Unused, UnusedKind, Verdict,
};
pub use diagnostics::{diagnostics, findings};
pub use dot::dot;
pub use html::{ModelView, RunOfModel, RunOutcome, html};
pub use json::{SCHEMA, json, json_of};
pub use lanes::lanes;
pub use look::{Look, TraceForm};
pub use machine_svg::machine_svg;
pub use machines::{channels, machine, reversed_legend, reversed_machine, sizes};
pub use mermaid::mermaid;
pub use plot::{Axis, Form, Plot, Rule, Scale, Series, plot};
pub use run::run;
pub use steps::steps;
pub use style::{Palette, Role, plain, width};
pub use svg::{SvgOptions, svg};
pub use terminal::{rank, render, render_backward, summary};
pub use theme::Theme;
pub use trace::{Channel, Kind, Location, Reception, RunRules};
pub use waits::waits;
pub use words::{error_types, phrase, phrase_backward, sentence, subject, thousands};
