//! What can be typed behind `argos show`.

use super::{LookArguments, ModelArguments};
use clap::{Args, ValueEnum};

#[derive(Args)]
pub(crate) struct ShowArguments {
    /// The model; - reads standard input
    #[arg(value_name = "FILE", required_unless_present = "ltl")]
    pub(crate) file: Option<String>,
    /// The automaton by which this formula of the model, or this claim, is decided: a
    /// name or a formula. Without FILE every name in the formula is a variable
    #[arg(long, value_name = "NAME|FORMULA", allow_hyphen_values = true,
          conflicts_with_all = ["machine", "channels", "sizes", "raw", "reversed"])]
    pub(crate) ltl: Option<String>,
    /// Only this process, or this assertion, such as "assert 1"
    #[arg(long, value_name = "NAME")]
    pub(crate) machine: Option<String>,
    /// Only the channels with their sorts
    #[arg(long)]
    pub(crate) channels: bool,
    /// Only the sizes
    #[arg(long)]
    pub(crate) sizes: bool,
    /// The machines before minimisation
    #[arg(long)]
    pub(crate) raw: bool,
    /// The machines as argos backward executes them: edges the other way round, receives as
    /// claims that sends redeem, tests as assignments and assignments as tests
    #[arg(long, conflicts_with_all = ["channels", "sizes"])]
    pub(crate) reversed: bool,
    /// table, dot (Graphviz), svg (one machine), net (the network as text)
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ShowFormat,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    Table,
    Dot,
    Svg,
    Net,
}
