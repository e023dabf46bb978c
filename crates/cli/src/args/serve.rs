//! What can be typed behind `argos serve`.

use crate::quantity::{bytes, seconds};
use clap::Args;
use std::net::IpAddr;

#[derive(Args)]
pub(crate) struct ServeArguments {
    /// The model; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// The language, if the file name does not show it
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: Option<super::Lang>,
    /// Listen at this port; any free one if not given
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    /// Listen at this address of the machine; others can then reach the page, if they know
    /// its secret
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Time limit of each request of the page, such as 30s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    pub(crate) time: f64,
    /// Memory limit of each request, such as 500M or 8G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = bytes)]
    pub(crate) memory: u64,
    /// Options of argos check, behind FILE: -D N=3, --fair weak, --invariant 'x < 4'
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<String>,
    /// Answers one request of this kind from standard input
    #[arg(long, hide = true, value_name = "OPERATION")]
    pub(crate) answer: Option<String>,
}
