//! The experiments that agree with the papers to the digit, and a few whole ones.

use experiments::{Agrees, EXPERIMENTS, Experiment, Findings, Lab, NotRun, Scale, named};
use pipeline::Memory;
use std::process::Command;

/// A model of the SPIN package, where it is installed.
fn package(model: &str) -> Option<String> {
    let listing = Command::new("dpkg").args(["-L", "spin"]).output().ok()?;
    let listing = String::from_utf8(listing.stdout).ok()?;
    let place = listing.lines().find(|line| line.ends_with(&format!("/{model}")))?;
    std::fs::read_to_string(place).ok()
}

fn run(name: &str) -> Findings {
    let mut host = Memory::default();
    let mut lab = Lab::new(&mut host, Scale::Quick, &package);
    let experiment = named(name).unwrap_or_else(|| panic!("{name} is in the table"));
    experiment.run(&mut lab).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Paper and ours of a row that must agree.
#[track_caller]
fn agrees(findings: &Findings, what: &str, figure: &str) {
    let row = findings.compared.iter().find(|row| row.what == what);
    let row = row.unwrap_or_else(|| panic!("no row {what} in {:?}", findings.compared));
    assert_eq!((row.agrees, row.ours.as_str()), (Agrees::Yes, figure), "{row:?}");
}

#[test]
fn e1_the_run_of_22_events_is_the_papers() {
    let findings = run("E1");
    agrees(&findings, "assertion 1", "violated, 3 events");
    agrees(&findings, "assertion 2", "violated, 7 events");
    agrees(&findings, "assertion 3", "violated, 22 events");
    agrees(&findings, "assertion 4", "holds");
    agrees(&findings, "the runs themselves", "3 + 7 + 22 events");
    let csv = findings.table.csv();
    assert_eq!(csv.lines().count(), 1 + 3 * 48);
    let long = csv.lines().filter(|line| line.starts_with("3,") && line.contains(",22,"));
    assert_eq!(long.count(), 16);
    let shown = findings.exhibit.expect("the run is shown");
    let last = shown.lines().last().expect("it has lines");
    assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["22", "[msg1],"]);
    assert_eq!(shown.matches('[').count(), 1, "{shown}");
}

#[test]
fn e2_the_small_example() {
    let findings = run("E2");
    agrees(&findings, "assertion C!a; C!b", "violated, first C!b");
    agrees(&findings, "assertion C!a; C!b: machine sizes", "3, 3, 7 and 3");
    agrees(&findings, "assertion A!c; B!c", "holds");
    agrees(&findings, "no assertion", "holds");
}

#[test]
fn e3_the_session_protocol() {
    let findings = run("E3");
    agrees(&findings, "sizes", "27, 27, 10, 6");
    agrees(&findings, "error sequences", "4");
    agrees(&findings, "printed error: conn_resp in B at closed", "found");
    agrees(&findings, "printed error: m2 in A at closed", "found");
}

#[test]
fn e4_seven_states_are_four() {
    agrees(&run("E4"), "the redundant receiver", "7 -> 4");
}

/// The row has this shape: what is known not to agree is not tested.
#[track_caller]
fn in_shape(findings: &Findings, what: &str) {
    let row = findings.compared.iter().find(|row| row.what == what);
    let row = row.unwrap_or_else(|| panic!("no row {what} in {:?}", findings.compared));
    assert_eq!(row.agrees, Agrees::InShape, "{row:?}");
}

#[test]
fn e6_fewer_states_lose_no_error() {
    let findings = run("E6");
    for model in ["data switch", "abc", "X.21", "NBS"] {
        in_shape(&findings, model);
    }
    let csv = findings.table.csv();
    assert!(csv.contains("abc,20,0,0,0,0\n"), "{csv}");
    assert!(csv.contains("X.21,80,") && csv.contains(",78,7,7\n"), "{csv}");
}

#[test]
fn e17_and_e18_the_tables_of_1995() {
    let without = "251,409 / 397,058 / 648,467 / 545";
    let with = "251,409 / 11,152 / 262,561 / 545";
    let mut host = Memory::default();
    let mut lab = Lab::new(&mut host, Scale::Quick, &package);
    for (name, figures) in [("E17", without), ("E18", with)] {
        let experiment = named(name).expect("it is in the table");
        let findings = experiment.run(&mut lab).expect("the package spin is installed");
        agrees(&findings, "DTP", figures);
        in_shape(&findings, "URP");
        in_shape(&findings, "MULOG3");
        let csv = findings.table.csv();
        let matched = if name == "E17" { "244341" } else { "4194" };
        assert!(csv.contains(&format!("MULOG3,ours,106791,{matched},")), "{csv}");
    }
}

/// The papers' caches held the states of scatter searches.
#[test]
fn e12_to_e16_caches_of_scatter_searches() {
    in_shape(&run("E12"), "cache without effect");
    let visits = run("E13");
    in_shape(&visits, "data switch, scatter, 1 slot: visited more than twice");
    in_shape(&visits, "data switch, scatter, 2 slots: visited more than twice");
    in_shape(&visits, "MULOG3, sleep sets: visited only once");
    in_shape(&visits, "visited again after 1, 2, ... visits, figure 2a");
    in_shape(&visits, "the same, figure 2b");
    let strategies = run("E14");
    in_shape(&strategies, "cache of 74 %");
    in_shape(&strategies, "cache of 37 %");
    let csv = strategies.table.csv();
    assert!(csv.contains("\"scatter, 5,496 states, 22 %\",d blind,1209,"), "{csv}");
    let largest = run("E16");
    in_shape(&largest, "a cache of 87 % of the states");
    let csv = largest.table.csv();
    assert!(csv.contains("\"scatter, 2 slots\",13693,16436,"), "{csv}");
}

#[test]
fn e9_repeated_work_grows_with_the_depth() {
    in_shape(&run("E9"), "work over minimal work");
}

#[test]
fn e19_has_a_panel_for_each_protocol() {
    let findings = run("E19");
    in_shape(&findings, "MULOG3, sleep sets");
    in_shape(&findings, "DTP, sleep sets");
    let titles: Vec<&str> = findings.plots.iter().map(|plot| plot.title.as_str()).collect();
    assert!(titles[0].ends_with(": MULOG3") && titles[1].ends_with(": DTP"), "{titles:?}");
}

#[test]
fn e22_to_e24_the_protocols_of_1984() {
    let findings = run("E22");
    agrees(&findings, "potential errors", "47");
    agrees(&findings, "of them reachable", "1");
    let findings = run("E23");
    agrees(&findings, "potential errors", "5");
    agrees(&findings, "of them reachable", "1");
    let findings = run("E24");
    agrees(&findings, "S2 from S1, backward", "reachable");
    agrees(&findings, "S2 from S1, forward", "reachable");
    agrees(&findings, "states of the reversed table", "5");
}

#[test]
fn e25_the_arithmetic() {
    let findings = run("E25");
    agrees(&findings, "contents of a channel, 10 messages, 5 slots", "111111");
    agrees(&findings, "10^9 states at 100 a second", "115 days");
    agrees(&findings, "16 states as 4 machines of 4", "16 times");
}

/// Without the SPIN package an experiment says what it lacks.
#[test]
fn a_missing_model_is_said() {
    let nothing = |_: &str| None;
    for name in ["E17", "E18", "E19", "E20"] {
        let mut host = Memory::default();
        let mut lab = Lab::new(&mut host, Scale::Quick, &nothing);
        let result = named(name).expect("it is in the table").run(&mut lab);
        assert!(matches!(result, Err(NotRun::Missing(_))), "{name}: {result:?}");
    }
}

#[test]
fn there_are_25_in_order() {
    let numbers: Vec<u8> = EXPERIMENTS.iter().map(|experiment| experiment.number).collect();
    assert_eq!(numbers, (1..=25).collect::<Vec<u8>>());
}

#[test]
fn names_are_forgiving() {
    for name in ["E7", "e7", "7", "e07"] {
        assert_eq!(named(name).map(Experiment::stem).as_deref(), Some("e07"), "{name}");
    }
    for name in ["E0", "E26", "seven", "", "E-1", "E1000"] {
        assert!(named(name).is_none(), "{name}");
    }
}
