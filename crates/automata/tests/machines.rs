//! Statements to states, by example: which states there are, where edges lead,
//! what minimisation merges and what it must not.

use automata::{ActionText, BuildOptions, Machine, Network, build, minimise, read, verify};
use std::time::Instant;
use testkit::NoFiles;

fn built(text: &str, keeps_labels: bool) -> Network {
    let input = preprocess::Input { name: "test.argos", bytes: text.as_bytes() };
    let lowered = argos::read(input, &preprocess::Options::default(), &NoFiles);
    let model = lowered.model.unwrap_or_else(|| panic!("{:?}", lowered.diagnostics));
    build(&model, &BuildOptions { keeps_labels, ..BuildOptions::default() })
}

fn network(text: &str) -> Network {
    let network = built(text, false);
    for network in [&network, &minimise(&network)] {
        assert_eq!(verify(network), Vec::<String>::new());
        assert_eq!(read(&network.to_string()).as_ref(), Ok(network), "the text reads back equal");
    }
    network
}

/// A machine as `1* a?m>2 | 2 skip>end`: states by number, `*` labelled, `.` resting.
fn drawn(network: &Network, machine: &Machine) -> String {
    let states = machine.states.iter_ids().map(|(id, state)| {
        let edges = machine.edges_from(id).map(|(_, edge)| {
            let action = ActionText { action: &edge.action, names: network };
            format!(" {action}>{}", machine.node(edge.to).trim_start_matches('s'))
        });
        let marks = [(state.labelled, "*"), (state.resting, ".")];
        let marks = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark);
        let name = machine.node(id);
        name.trim_start_matches('s').to_owned()
            + &marks.collect::<String>()
            + &edges.collect::<String>()
    });
    states.collect::<Vec<_>>().join(" | ")
}

fn check(body: &str, raw: &str, minimised: &str) {
    let text = format!("channel a[1], b[1]; proc p {{ var x; {body} }}");
    let network = network(&text);
    let reduced = minimise(&network);
    let first = |network: &Network| drawn(network, network.machines.iter().next().expect("p"));
    assert_eq!(first(&network), raw, "{body}");
    assert_eq!(first(&reduced), minimised, "{body}");
}

#[test]
fn a_sequence_is_a_chain() {
    check("a!m; b?m", "1 a!m>2 | 2 b?m>end | end", "1 a!m>2 | 2 b?m>end | end");
    check("", "end", "end");
}

#[test]
fn guards_belong_to_their_choice_and_nested_ones_merge() {
    let text = "if :: a?m; b!n :: if :: a?k :: x = 1 fi; b!n fi";
    let raw = "1 a?m>2 a?k>3 x = 1>3 | 2 b!n>end | 3 b!n>end | end";
    check(text, raw, "1 a?m>2 a?k>2 x = 1>2 | 2 b!n>end | end");
}

#[test]
fn a_nested_loop_shares_the_state_only_of_a_sole_option() {
    let sole = "do :: do :: a?m :: a?k -> break od; b!n od";
    check(sole, "1* a?m>1 a?k>2 | 2 b!n>1 | end", "1* a?m>1 a?k>2 | 2 b!n>1 | end");
    let copied = "do :: do :: a?m :: a?k -> break od :: b!n od";
    let raw = "1* a?m>2 a?k>1 b!n>1 | 2* a?m>2 a?k>1 | end";
    check(copied, raw, raw);
}

#[test]
fn transit_states_vanish_and_pass_their_label_on() {
    check("L: skip; a!m; goto L", "1* a!m>1 | end", "1* a!m>1 | end");
    check("if :: a?m -> skip :: skip fi", "1 a?m>end skip>end | end", "1 a?m>end skip>end | end");
}

#[test]
fn a_label_is_a_state_where_somebody_looks() {
    let text = "channel a[1]; proc p { do :: a!k; L: skip; a!m :: a?m; M: N: skip od }";
    let network = built(text, true);
    assert_eq!(verify(&network), Vec::<String>::new());
    let machine = network.machines.iter().next().expect("p");
    let labels: Vec<Vec<&str>> = machine
        .states
        .iter()
        .map(|state| state.labels.iter().map(|label| label.as_str()).collect())
        .collect();
    assert_eq!(labels, [vec![], vec!["L"], vec!["M", "N"], vec![], vec![]]);
    assert_eq!(read(&network.to_string()).as_ref(), Ok(&network));
}

#[test]
fn a_cycle_of_skips_keeps_one_state() {
    check("do :: skip od", "1* skip>1 | end", "1* skip>1 | end");
    check("A: goto B; B: goto A", "1* skip>1 | end", "1* skip>1 | end");
    check("a!m; A: skip; goto A", "1 a!m>2 | 2* skip>2 | end", "1 a!m>2 | 2* skip>2 | end");
}

#[test]
fn jumps_lead_into_loops_and_out_of_them() {
    let text = "goto in; do :: a!m; in: b?m :: a?k -> goto out od; out: x = 1";
    let machine = "1* b?m>2 | 2* a!m>1 a?k>3 | 3* x = 1>end | end";
    check(text, machine, machine);
}

#[test]
fn end_labels_stay_apart() {
    let text = "if :: a?m -> end1: b?n; a!z :: a?k -> b?n; a!z fi";
    let raw = "1 a?m>2 a?k>3 | 2. b?n>4 | 3 b?n>5 | 4 a!z>end | 5 a!z>end | end";
    check(text, raw, "1 a?m>2 a?k>3 | 2. b?n>4 | 3 b?n>4 | 4 a!z>end | end");
}

#[test]
fn equal_edges_become_one_that_remembers_its_originals() {
    let reduced = minimise(&network("channel a[1]; proc p { if :: a!m :: a!m fi }"));
    let machine = reduced.machines.iter().next().expect("p");
    let originals: Vec<_> = machine.edges.iter().map(|edge| edge.originals.len()).collect();
    assert_eq!(originals, [2]);
}

#[test]
fn language_equivalence_is_not_enough() {
    let machine = "1 a?m>2 a?m>end | 2 b?m>end | end";
    check("if :: a?m -> b?m :: a?m -> skip fi", machine, machine);
}

/// Refinement that compares all states in every round took minutes here. This
/// is no benchmark, only a fence.
#[test]
fn long_sequences_of_equal_statements_are_minimised_in_time() {
    let text = format!("channel a[1]; proc p {{ {} }}", "a!m; ".repeat(20_000));
    let network = built(&text, false);
    let start = Instant::now();
    let reduced = minimise(&network);
    assert_eq!(reduced.machines.iter().next().map(|m| m.states.len()), Some(20_001));
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn a_text_that_is_no_network_says_where() {
    let wrong = |text: &str| read(text).map_err(|error| error.to_string()).err();
    let says = |text: &str| Some(text.to_owned());
    assert_eq!(wrong("rules last any"), says("line 1: expected end rule"));
    let edge = "\nedge s0 s1 skip @0:0-1 []";
    assert_eq!(wrong(edge), says("line 2: expected machine or observer first"));
    assert_eq!(wrong("message m"), says("line 1: expected a name in quotes"));
    assert_eq!(wrong("message \"m\" 3"), says("line 1: expected the end of the line"));
}

#[test]
fn the_redundant_receiver_has_seven_states_then_four() {
    let network = network(
        "channel receiver[1], link[1];
         proc receiver { do
           :: do :: receiver?msg1 -> link!ack1; break :: receiver?msg0 -> link!ack0 od;
              do :: receiver?msg0 -> link!ack0; break :: receiver?msg1 -> link!ack1 od
         od }",
    );
    let sizes = [&network, &minimise(&network)]
        .map(|network| network.machines.iter().map(|m| m.states.len()).sum::<usize>());
    assert_eq!(sizes, [7, 4], "1987, section 4");
}
