//! The measurements of the papers, made again: a table of 25 experiments, each with the
//! figures that were printed, ours beside them, and whether they agree.
//!
//! In: a [`Lab`], which runs the pipeline as the command line does. Out: [`Findings`], plain
//! data: a table, a picture, the comparison. Nothing is written or printed here.
//!
//! What always holds: `agrees: yes` is said only of what is the same to the digit or the
//! word; a stand-in for a model that was never published is called one wherever it was
//! measured; an experiment that cannot be made says why.

mod assertions;
mod backward;
mod cache;
mod estimate;
mod findings;
mod lab;
mod loops;
mod minimise;
mod models;
mod orders;
mod redundancy;
mod replace;
mod restricted;
mod restrictions;
mod scatter;
mod sleep;
mod summary;
mod sweep;

pub use findings::{Agrees, Compared, Findings, Table};
pub use lab::{Lab, NotRun, Scale};
pub use summary::Summary;

/// One experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// From 1 to 25.
    pub number: u8,
    /// Year and place of the paper.
    pub paper: &'static str,
    /// What is measured.
    pub title: &'static str,
    run: fn(&mut Lab<'_>) -> Result<Findings, NotRun>,
}

impl Experiment {
    /// As the user names it: `E7`.
    pub fn name(&self) -> String {
        format!("E{}", self.number)
    }

    /// The name of its files, without an ending: `e07`.
    pub fn stem(&self) -> String {
        format!("e{:02}", self.number)
    }

    /// Makes it.
    ///
    /// # Errors
    /// Why there is nothing to show.
    pub fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
        (self.run)(lab)
    }
}

/// The experiment of this name: `E7`, `e7`, `7`.
pub fn named(name: &str) -> Option<&'static Experiment> {
    let digits = name.strip_prefix(['E', 'e']).unwrap_or(name);
    let number: u8 = digits.parse().ok()?;
    EXPERIMENTS.iter().find(|experiment| experiment.number == number)
}

macro_rules! experiments {
    ($($number:literal $paper:literal $title:literal $run:path;)*) => {
        /// All of them, in order.
        pub const EXPERIMENTS: &[Experiment] = &[
            $(Experiment { number: $number, paper: $paper, title: $title, run: $run }),*
        ];
    };
}

experiments! {
    1  "1987, appendix"         "four assertions on the alternating bit protocol" assertions::alternating_bit;
    2  "1985, section VI"       "two assertions on the small example abc"         assertions::small_example;
    3  "1985, appendix"         "errors of the NBS session protocol"              assertions::session;
    4  "1987, section 4"        "minimising the redundant receiver"               minimise::redundant_receiver;
    5  "1985, figure 5b"        "searches with and without minimised machines"    minimise::minimised_machines;
    6  "1985, figure 5a"        "storing only states where a loop can begin"      loops::loop_states;
    7  "1986, figure 1"         "run time over the depth bound, by search"        scatter::run_time;
    8  "1986, figure 2"         "errors over time, and the first error"           scatter::first_errors;
    9  "1986, figure 3"         "repeated work under a depth bound"               redundancy::redundancy;
    10 "1986, figure 4"         "states per second over the size of the search"   scatter::speed;
    11 "1986, figure 5"         "queues of one to four slots"                     restrictions::queue_sizes;
    12 "1986, figure 6"         "a smaller and smaller cache, round robin"        cache::size;
    13 "1987, figures 1 and 2"  "how often states are visited again"              replace::revisits;
    14 "1987, figure 3"         "strategies for a full cache"                     replace::strategies;
    15 "1987, figure 4"         "share of the errors over share of the work"      restrictions::quality;
    16 "1987, section 6"        "the largest protocol, exhaustive and scatter"    restrictions::largest_protocol;
    17 "1995, table 1"          "depth-first search of four protocols"            sleep::without;
    18 "1995, table 2"          "the same with sleep sets"                        sleep::with;
    19 "1995, figure 4"         "cache size, without and with sleep sets"         cache::with_sleep_sets;
    20 "1995, figure 5"         "replacement by type of step, or at random"       cache::by_type;
    21 "1995, section 5"        "avoiding one type of step"                       cache::avoiding_types;
    22 "1984, section 4"        "set-up protocol, backward and forward"           backward::set_up;
    23 "1984, section 4"        "deletion protocol, backward and forward"         backward::deletion;
    24 "1984, section 3"        "the counters: from S2 back to S1"                backward::counters;
    25 "1985, 1986, 1987"       "arithmetic: how many states, how long"           estimate::arithmetic;
}
