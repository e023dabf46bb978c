//! The memory limit as the operating system sees it: a process of its own, for
//! the most it ever held counts.

use search::{Order, Plan, Request, StoreKind, Unwatched, Why, run};
use std::process::Command;
use system::{Blocked, Budget, Step, StepKind, Successors, System, Word};

/// Twelve counters that never stop: more states than any memory.
struct Endless;

impl System for Endless {
    fn width(&self) -> usize {
        12
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for agent in 0..12u32 {
            let step = Step::new(agent, 0, StepKind::Internal);
            let next = &mut out.push(step, state)[agent as usize];
            *next = (*next + 1) % 200;
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}

/// The most bytes this process ever held, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

const ORDERS: [Order; 3] = [Order::Exhaustive, Order::BreadthFirst, Order::DepthFirst];
const STORES: [StoreKind; 2] = [StoreKind::Compact, StoreKind::Full];
/// Says to the process that is started for it which search to make.
const CASE: &str = "ARGOS_MEMORY_CASE";
const NAME: &str = "a_process_stays_within_its_limit_and_five_percent";

/// Each search in a process of its own: an allocator may keep what one search has given
/// back in pieces that the next one cannot use.
#[test]
fn a_process_stays_within_its_limit_and_five_percent() {
    let cases = || ORDERS.into_iter().flat_map(|order| STORES.map(|store| (order, store)));
    if let Ok(case) = std::env::var(CASE) {
        let (order, store) =
            cases().nth(case.parse().expect("a number")).expect("one of the cases");
        return stays_within(order, store);
    }
    for (number, case) in cases().enumerate() {
        let mut again = Command::new(std::env::current_exe().expect("this test is a program"));
        again.args(["--exact", NAME]).env(CASE, number.to_string());
        let output = again.output().expect("it can be started again");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{case:?}: {said}");
    }
}

fn stays_within(order: Order, store: StoreKind) {
    let limit = 80 << 20;
    let before = peak();
    let memory_bytes_max = Some(limit);
    let request = Request { order, store, memory_bytes_max, ..Request::default() };
    let plan = Plan::new(&request).expect("a sound request");
    let outcome = run(&Endless, &mut [], &plan, &mut Unwatched).expect("it needs nothing");
    assert_eq!(outcome.why_incomplete, [Why::Memory]);
    assert!(outcome.statistics.peak_bytes <= limit);
    assert!(outcome.statistics.peak_bytes > limit / 3);
    if let (Some(before), Some(now)) = (before, peak()) {
        assert!(now - before <= limit + limit / 20, "{}", now - before);
    }
}
