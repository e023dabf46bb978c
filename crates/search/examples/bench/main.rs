//! What loop and store cost per transition, on systems whose own cost is small
//! because they are written by hand in straight lines.
//!
//! `cargo run --release -p search --example bench [SYSTEM [ORDER [STORE]]]`, or
//! `... bench peterson4 threads [NUMBER]`

#![expect(clippy::print_stdout, reason = "a benchmark talks to its user")]

mod peterson;
mod tokens;

use peterson::Peterson;
use search::{Order, Plan, Request, StoreKind, Unwatched, run};
use std::time::Instant;
use system::{Successors, System, Unlimited};
use tokens::Tokens;

const ORDERS: [(&str, Order); 3] =
    [("lifo", Order::Exhaustive), ("fifo", Order::BreadthFirst), ("dfs", Order::DepthFirst)];
const STORES: [(&str, StoreKind); 2] = [("compact", StoreKind::Compact), ("full", StoreKind::Full)];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let asked = |at: usize, name: &str| wanted.get(at).is_none_or(|word| word == name);
    if wanted.get(1).is_some_and(|word| word == "threads") {
        return threads(wanted.get(2).and_then(|word| word.parse().ok()));
    }
    for (order_name, order) in ORDERS.into_iter().filter(|(name, _)| asked(1, name)) {
        for (store_name, store) in STORES.into_iter().filter(|(name, _)| asked(2, name)) {
            let label = format!("{order_name:5} {store_name:8}");
            let request = Request { order, store, all_errors: true, ..Request::default() };
            if asked(0, "peterson3") {
                measure(&format!("peterson3 {label}"), &Peterson { processes: 3 }, &request);
            }
            if asked(0, "peterson4") {
                measure(&format!("peterson4 {label}"), &Peterson { processes: 4 }, &request);
            }
            if asked(0, "tokens") {
                measure(&format!("tokens    {label}"), &Tokens { cells: 10, most: 5 }, &request);
            }
        }
    }
}

/// One to four threads, or this number of them, on Peterson's algorithm, in seconds
/// on the wall.
fn threads(only: Option<usize>) {
    let system = Peterson { processes: 4 };
    let plan = Plan::new(&Request::default()).expect("a sound request");
    for threads in (1..=4).filter(|threads| only.is_none_or(|only| only == *threads)) {
        let mut copies: Vec<Peterson> = (1..threads).map(|_| Peterson { processes: 4 }).collect();
        let start = Instant::now();
        let mut copies: Vec<_> = copies.iter_mut().map(|copy| copy as _).collect();
        let outcome = run(&system, &mut copies, &plan, &mut Unwatched);
        let found = outcome.expect("it needs nothing").statistics;
        let seconds = start.elapsed().as_secs_f64();
        println!("{threads} threads {} states {seconds:.2} s", found.states);
    }
}

/// Time on a processor where the system tells it, for the machine may be busy with
/// others; else time on the wall.
struct Clock {
    wall: Instant,
    processor: Option<u64>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor: processor() }
    }

    fn nanoseconds(&self) -> f64 {
        match (self.processor, processor()) {
            (Some(then), Some(now)) => (now - then) as f64,
            _ => self.wall.elapsed().as_nanos() as f64,
        }
    }
}

fn processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn measure(label: &str, system: &impl System, request: &Request) {
    let plan = Plan::new(request).expect("a sound request");
    let start = Clock::start();
    let outcome = run(system, &mut [], &plan, &mut Unwatched).expect("it needs nothing");
    let nanoseconds = start.nanoseconds();
    let own = own_cost(system);
    let found = outcome.statistics;
    let (states, transitions) = (found.states as f64, found.transitions as f64);
    println!(
        "{label} {:>9} states {:>9} transitions {:6.2} s {:6.1} ns/transition (system {own:5.1}) \
         {:5.2} B/state, log {:5.2}, peak {:5.1}",
        found.states,
        found.transitions,
        nanoseconds / 1e9,
        nanoseconds / transitions,
        found.store_bytes as f64 / states,
        found.log_bytes as f64 / states,
        found.peak_bytes as f64 / states,
    );
}

/// Nanoseconds the system itself takes per transition, on states of a walk.
fn own_cost(system: &impl System) -> f64 {
    let mut batch = Successors::new(system.width());
    let mut states = vec![vec![0; system.width()]];
    system.initial(&mut states[0]);
    while states.len() < 4096 {
        let last = &states[states.len() - 1];
        batch.clear();
        system.successors(last, &mut batch, &mut Unlimited);
        let pick = states.len() * 7 % batch.len().max(1);
        states.push(batch.state(pick).to_vec());
    }
    let start = Clock::start();
    let mut transitions = 0;
    for state in states.iter().cycle().take(4096 * 20) {
        batch.clear();
        system.successors(state, &mut batch, &mut Unlimited);
        transitions += batch.len();
    }
    start.nanoseconds() / transitions as f64
}
