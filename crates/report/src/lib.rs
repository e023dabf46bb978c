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
mod github;
mod html;
mod itf;
mod json;
mod junit;
mod lanes;
mod layout;
mod look;
mod machine_svg;
mod machines;
mod mermaid;
mod place;
mod plot;
mod problem;
mod run;
mod sarif;
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
pub use diagnostics::{diagnostic, diagnostics, findings};
pub use dot::dot;
pub use github::{Annotation, Row as SummaryRow, annotations, job_summary, tests_summary};
pub use html::{MODULES, ModelView, RunOfModel, RunOutcome, STYLES, html};
pub use itf::itf;
pub use json::{SCHEMA, json, json_of};
pub use junit::{Case, Problem, Status, Suite, junit};
pub use lanes::lanes;
pub use look::{Look, TraceForm};
pub use machine_svg::{Drawing, graph_drawing, machine_svg};
pub use machines::{channels, machine, reversed_legend, reversed_machine, sizes};
pub use mermaid::mermaid;
pub use place::Root;
pub use plot::{Axis, Form, Plot, Rule, Scale, Series, plot};
pub use problem::problem;
pub use run::run;
pub use sarif::sarif;
pub use steps::steps;
pub use style::{Palette, Role, plain, width};
pub use svg::{SvgOptions, svg};
pub use terminal::{TestMark, TestRow, rank, render, render_backward, summary, tested};
pub use theme::Theme;
pub use trace::{Channel, Guard, Kind, Location, Reception, RunRules};
pub use waits::waits;
pub use words::{error_types, phrase, phrase_backward, sentence, subject, thousands};
