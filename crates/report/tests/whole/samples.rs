//! Reports to test with, one of each kind.

use super::explained::{self, line};
use super::graphs::{edge, machine, sender};
use super::story::{Story, setting};
use report::*;
use serde_json::json;
use trace::{Event, EventKind, Scenario, Wait};

fn blank(model: &str, verdict: Verdict) -> Report {
    Report {
        schema: 1,
        tool: "argos".into(),
        version: "0.1.0".into(),
        model: model.into(),
        model_sha256: "5f".repeat(32),
        language: Language::Argos,
        command: format!("argos check {model}"),
        verdict,
        headline: String::new(),
        complete: verdict == Verdict::Holds,
        why_incomplete: Vec::new(),
        options: json!({ "search": "auto", "seed": 1 }),
        established: Vec::new(),
        assumptions: Vec::new(),
        remarks: Vec::new(),
        machines: Vec::new(),
        channels: Vec::new(),
        properties: Vec::new(),
        errors: Vec::new(),
        witnesses: Vec::new(),
        warnings: Vec::new(),
        diagnostics: Vec::new(),
        runs: Vec::new(),
        unreached: Vec::new(),
        unused: Vec::new(),
        gates: Vec::new(),
        stats: stats(),
        sources: vec![Source { file: model.into(), text: "proc a { skip }\n".into() }],
    }
}

fn stats() -> Stats {
    Stats {
        states: 86,
        matched: 59,
        transitions: 145,
        depth: 43,
        seconds: Seconds { total: 0.0017, search: 0.001, ..Seconds::default() },
        states_per_second: 86_000,
        store_bytes: 1032,
        bytes_per_state: 12.0,
        peak_rss_bytes: 6_100_000,
        threads: 1,
        ..Stats::default()
    }
}

pub(super) fn channel(
    name: &str,
    capacity: u32,
    sort: &[&str],
    to: &[&str],
    from: &[&str],
) -> Channel {
    let own = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    let contents: u32 = (0..=capacity).map(|i| (sort.len() as u32).pow(i)).sum();
    Channel {
        name: name.into(),
        capacity,
        sort: own(sort),
        readers: own(to),
        writers: own(from),
        contents_max: contents.to_string(),
    }
}

pub(super) fn property(name: &str, kind: Kind, verdict: PropertyVerdict) -> Property {
    let (name, line, text, note) = (name.into(), None, None, None);
    Property { name, kind, verdict, line, text, note, error: None, witness: None }
}

fn general(verdict: PropertyVerdict) -> [Property; 3] {
    [
        property("no deadlock", Kind::Deadlock, verdict),
        property("no unspecified reception", Kind::UnspecifiedReception, verdict),
        property("no blocked send", Kind::BlockedSend, verdict),
    ]
}

fn assertion(verdict: PropertyVerdict, text: &str) -> Property {
    Property {
        line: Some(44),
        text: Some(text.into()),
        ..property("assert 1", Kind::Assertion, verdict)
    }
}

pub(super) fn error(kind: Kind, message: &str, scenario: Scenario) -> ErrorEntry {
    ErrorEntry {
        avoidable: Some(Avoidable::Until),
        no_return: Some(0),
        instead: Some(explained::instead()),
        kind,
        group: format!("{kind:?} in B"),
        message: message.into(),
        process: Some("receiver".into()),
        location: Location { file: "m.argos".into(), line: 22, column: 20 },
        steps: scenario.trace.len(),
        events: scenario.trace.iter().filter(|event| event.is_event()).count(),
        length: "shortest".into(),
        switches: None,
        replayed: true,
        why: Vec::new(),
        waits: None,
        unspecified: Vec::new(),
        scenario,
        cycle_start: None,
        stays: false,
        atoms: Vec::new(),
        initial_truth: String::new(),
        choices: Vec::new(),
        rules: RunRules::default(),
    }
}

fn abp(model: &str, verdict: Verdict) -> Report {
    let mut report = blank(model, verdict);
    report.channels = vec![
        channel("sender", 1, &["ack0", "ack1"], &["sender"], &["link"]),
        channel("receiver", 1, &["msg0", "msg1"], &["receiver"], &["link"]),
        channel("link", 1, &["ack0", "ack1", "msg0", "msg1"], &["link"], &["sender", "receiver"]),
        channel("user", 1, &["msg0", "msg1"], &["user"], &["receiver"]),
    ];
    report.machines = vec![
        sender(),
        machine("receiver", false, 19),
        machine("user", false, 31),
        machine("link", false, 36),
        machine("assert 1", true, 44),
    ];
    report.machines[4].graph.edges =
        vec![edge("s1", "user!msg1", "s2", 44), edge("s2", "user!msg0", "end", 44)];
    report
}

fn abp_run() -> Scenario {
    let all = ["sender", "receiver", "user", "link"];
    Story::new(&all, &["sender", "receiver", "link", "user"])
        .step("sender", "link!msg1", 5)
        .step("link", "link?msg1", 39)
        .step("link", "receiver!msg1", 39)
        .step("receiver", "receiver?msg1", 22)
        .step("receiver", "link!ack1", 22)
        .step("link", "link?ack1", 41)
        .step("receiver", "user!msg1", 22)
        .step("user", "user?default", 33)
        .step("link", "sender!ack1", 41)
        .step("sender", "sender?ack1", 7)
        .step("sender", "link!msg0", 11)
        .step("link", "link?msg0", 38)
        .step("link", "receiver!msg0", 38)
        .step("receiver", "receiver?msg0", 26)
        .step("receiver", "link!ack0", 26)
        .step("link", "link?ack0", 40)
        .step("receiver", "user!msg0", 26)
        .step("user", "user?default", 33)
        .step("link", "sender!ack0", 40)
        .step("sender", "sender?ack0", 13)
        .step("sender", "link!msg1", 5)
        .step("link", "link?msg1", 39)
        .step("link", "receiver!msg1", 39)
        .step("receiver", "receiver?msg1", 22)
        .step("receiver", "link!ack1", 22)
        .step("receiver", "user!msg1", 22)
        .violated()
}

/// ABP with assertion 4: everything holds.
pub(super) fn holds() -> Report {
    let mut report = abp("abp_a4.argos", Verdict::Holds);
    let body = "do :: user!msg1; user!msg0 od";
    report.properties = vec![assertion(PropertyVerdict::Holds, body)];
    report.properties[0].note =
        Some("its end is unreachable, so ending early is not checked".into());
    report.properties.extend(general(PropertyVerdict::Holds));
    let reduced = "sleep sets: every state visited, 24 of 145 transitions skipped as equivalent";
    report.remarks = vec![line("reduced", reduced)];
    (report.unused, report.gates) = (explained::unused(), explained::gates());
    report.unreached = [8, 14]
        .map(|line| Unreached {
            process: "sender".into(),
            file: None,
            line,
            column: 11,
            statement: "sender?ack0".into(),
            blocked: Some(line == 8),
            guard: (line == 8).then(explained::guard),
        })
        .into();
    phrase(&mut report, &setting());
    report
}

/// ABP with assertion 3: 26 steps, 14 events.
pub(super) fn violated() -> Report {
    let mut report = abp("abp_a3.argos", Verdict::Violated);
    report.why_incomplete = vec!["first-error".into()];
    let body = "user!msg1; user!msg0";
    report.properties = vec![assertion(PropertyVerdict::Violated, body)];
    report.properties[0].error = Some(0);
    report.properties.extend(general(PropertyVerdict::Unknown));
    let message = "assert 1 (line 44): user!msg1 is sent once more than it allows";
    let mut entry = error(Kind::Assertion, message, abp_run());
    entry.why = vec![
        line("allows", "user!msg1; user!msg0, once; after that neither again"),
        line("sends", "user!msg1 (step 7), user!msg0 (step 17), user!msg1 (step 26)"),
        line("likely", "the sequence repeats: assert { do :: user!msg1; user!msg0 od }"),
    ];
    report.errors = vec![entry];
    report.stats.states = 101;
    phrase(&mut report, &setting());
    report
}

/// The same with all errors listed, three requirements decided.
pub(super) fn all_errors() -> Report {
    let mut report = violated();
    report.remarks.clear();
    report.complete = true;
    report.why_incomplete.clear();
    for property in &mut report.properties[1..] {
        property.verdict = PropertyVerdict::Holds;
    }
    report.properties[2].verdict = PropertyVerdict::Violated;
    report.properties[2].error = Some(3);
    let first = report.errors[0].clone();
    report.errors = vec![first.clone(), first.clone(), first];
    let scenario = report.errors[0].scenario.clone();
    let message = "unspecified reception: ack1 in sender at line 13";
    report.errors.push(error(Kind::UnspecifiedReception, message, scenario));
    report.errors[3].group = "other".into();
    phrase(&mut report, &Setting { all_errors: true, ..setting() });
    report
}

fn wait(process: &str, line: u32, waits: &str, because: &str) -> Wait {
    Wait {
        process: process.into(),
        line,
        at: None,
        waits: waits.into(),
        because: because.into(),
        needs: Vec::new(),
        culprit: false,
    }
}

/// Two peers that open at the same moment.
pub(super) fn deadlock() -> Report {
    let mut report = blank("open.argos", Verdict::Violated);
    report.why_incomplete = vec!["first-error".into()];
    let open = ["open", "accept", "refuse"];
    report.channels = vec![
        channel("to_a", 2, &open, &["Alice"], &["Bob"]),
        channel("to_b", 2, &open, &["Bob"], &["Alice"]),
    ];
    report.machines =
        vec![machine("Alice", false, 7), machine("Bob", false, 9), machine("Watch", false, 23)];
    let scenario = Story::new(&["Alice", "Bob", "Watch"], &["to_a", "to_b"])
        .step("Alice", "to_b!open(0)", 10)
        .step("Bob", "to_a!open(1)", 10)
        .end();
    let message = "deadlock: Alice and Bob wait for each other";
    let mut entry = error(Kind::Deadlock, message, scenario);
    let mut waits = vec![
        wait("Alice", 11, "to_a?accept or to_a?refuse", "the head of to_a is open(1)"),
        wait("Bob", 11, "to_b?accept or to_b?refuse", "the head of to_b is open(0)"),
        wait("Watch", 26, "(up == 2)", "up is 0; at an end label, so no error by itself"),
    ];
    waits[0].needs = vec!["Bob".into()];
    waits[1].needs = vec!["Alice".into()];
    waits[0].culprit = true;
    waits[1].culprit = true;
    entry.waits = Some(waits);
    report.errors = vec![entry];
    report.properties = general(PropertyVerdict::Unknown).into();
    report.properties[0].verdict = PropertyVerdict::Violated;
    report.properties[0].error = Some(0);
    report.remarks =
        vec![line("hint", "if waiting here is intended, label the statement: end: ...")];
    phrase(&mut report, &Setting { timeout: None, ..setting() });
    report
}

/// A connection protocol where a reply comes too late.
pub(super) fn reception() -> Report {
    let mut report = blank("nbs.argos", Verdict::Violated);
    report.why_incomplete = vec!["first-error".into()];
    let names = ["ca", "ua", "cb", "ub", "UA", "UB"];
    let readers = ["A", "A", "B", "B", "AU", "BU"];
    let pairs = names.iter().zip(readers);
    report.channels = pairs.map(|(name, to)| channel(name, 2, &["m1"], &[to], &["x"])).collect();
    let processes = ["A", "B", "AU", "BU"];
    report.machines = processes.iter().map(|name| machine(name, false, 3)).collect();
    let scenario = Story::new(&processes, &names)
        .step("AU", "ua!conn_req", 117)
        .step("A", "ua?conn_req", 9)
        .step("A", "cb!m1", 10)
        .step("B", "cb?m1", 64)
        .step("B", "UB!conn_ind", 65)
        .step("AU", "ua!abort", 118)
        .step("A", "ua?abort", 12)
        .step("BU", "UB?default", 128)
        .step("A", "cb!m4", 13)
        .step("B", "cb?m4", 70)
        .step("BU", "ub!conn_resp", 129)
        .step("B", "UB!d", 71)
        .step("BU", "UB?default", 128)
        .end();
    let message = "unspecified reception: conn_resp in B at closed";
    let mut entry = error(Kind::UnspecifiedReception, message, scenario);
    let mut waits = vec![
        wait("A", 9, "ca?m1, ua?conn_req, ua?abort, ca?m4", "ca and ua are empty"),
        wait(
            "B",
            63,
            "cb?m1, ub?conn_req, ub?abort, cb?m4, cb?m5, ub?data_req, ub?expid_req",
            "ub holds conn_resp; cb is empty",
        ),
        wait("AU", 117, "UA?default", "UA is empty"),
        wait("BU", 128, "UB?default", "UB is empty"),
    ];
    waits[0].at = Some("closed".into());
    waits[1].at = Some("closed".into());
    waits[1].culprit = true;
    entry.waits = Some(waits);
    report.errors = vec![entry];
    report.properties = general(PropertyVerdict::Unknown).into();
    report.properties[1].verdict = PropertyVerdict::Violated;
    report.properties[1].error = Some(0);
    report.warnings = vec![never_sent()];
    phrase(&mut report, &Setting { end: "home".into(), ..setting() });
    report
}

fn never_sent() -> Finding {
    let place = |line: u32, text: &str| Related {
        file: "nbs.argos".into(),
        line,
        column: 12,
        text: text.into(),
        message: String::new(),
    };
    Finding {
        id: "W0003".into(),
        severity: "warning".into(),
        message: "received but never sent".into(),
        file: "nbs.argos".into(),
        line: 17,
        column: 12,
        hint: Some("an open end is fine while designing".into()),
        text: "ca?m7".into(),
        notes: vec!["no process sends these, so these options can never be taken".into()],
        others: vec![place(24, "ca?m7"), place(32, "ua?data_req"), place(36, "ca?m7")],
    }
}

/// Out of memory.
pub(super) fn incomplete() -> Report {
    let mut report = abp("big.argos", Verdict::Incomplete);
    report.why_incomplete = vec!["depth".into(), "memory".into()];
    report.properties = vec![assertion(PropertyVerdict::Unknown, "user!msg1")];
    report.properties[0].note = Some("no violation in the part searched".into());
    report.properties.extend(general(PropertyVerdict::Unknown));
    report.stats = Stats {
        states: 212_400_118,
        transitions: 618_220_904,
        depth: 1000,
        truncated: 3_102_554,
        seconds: Seconds { total: 372.4, ..Seconds::default() },
        peak_rss_bytes: 8_100_000_000,
        threads: 2,
        ..stats()
    };
    let setting = Setting { depth: Some(1000), memory: Some(8_000_000_000), ..setting() };
    phrase(&mut report, &setting);
    report
}

/// A model with two mistakes.
pub(super) fn broken() -> Report {
    let mut report = blank("broken.argos", Verdict::Error);
    let finding = Finding {
        id: "A0012".into(),
        severity: "error".into(),
        message: "`break` outside `do`".into(),
        file: "broken.argos".into(),
        line: 9,
        column: 21,
        hint: Some("write `skip`".into()),
        text: "break".into(),
        notes: Vec::new(),
        others: Vec::new(),
    };
    report.diagnostics = vec![finding.clone(), Finding { id: "A0007".into(), ..finding }];
    phrase(&mut report, &setting());
    report
}

/// A run that goes round for ever.
pub(super) fn lasso() -> Report {
    let mut report = deadlock();
    let mut story = Story::new(&["Alice", "Bob", "Watch"], &["to_a", "to_b"])
        .step("Bob", "waiting = 1", 10)
        .step("Bob", "to_b!want", 11);
    for _ in 0..2 {
        story = story
            .step("Alice", "turn = 1", 10)
            .step("Watch", "to_a!want", 11)
            .step("Alice", "to_a?want", 19)
            .step("Alice", "to_a?timeout", 13);
    }
    let mut entry = error(Kind::Deadlock, "deadlock: Bob waits for ever", story.end());
    entry.cycle_start = Some(2);
    entry.waits = None;
    report.errors = vec![entry];
    report.remarks.clear();
    phrase(&mut report, &setting());
    report
}

/// Two hundred steps between six processes.
pub(super) fn long() -> Report {
    let mut report = blank("long.argos", Verdict::Violated);
    let processes = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    let channels = ["a", "b", "c", "d", "e", "f"];
    let pairs = channels.iter().zip(processes);
    report.channels = pairs.map(|(name, to)| channel(name, 4, &["m"], &[to], &["x"])).collect();
    report.machines = processes.iter().map(|name| machine(name, false, 3)).collect();
    let mut story = Story::new(&processes, &channels);
    for round in 0..50 {
        let (from, to) = (round % 6, (round * 5 + 1) % 6);
        let message = format!("m{round}");
        story = story
            .step(processes[from], &format!("{}!{message}({round})", channels[to]), 10)
            .step(processes[to], &format!("x = {}", round + 1), 12)
            .step(processes[to], &format!("{}?{message}({round})", channels[to]), 11)
            .step(processes[to], &format!("{}?timeout", channels[to]), 13);
    }
    let scenario = story.step("alpha", "f!last", 14).violated();
    report.errors = vec![error(Kind::Assertion, "assert 1: one message too many", scenario)];
    report.errors[0].length = "first found".into();
    report.properties = vec![assertion(PropertyVerdict::Violated, "f!last")];
    report.properties[0].error = Some(0);
    phrase(&mut report, &setting());
    report
}

/// Names made to break out of every format.
pub(super) const HOSTILE: [&str; 5] = [
    "</script><script>alert(1)</script>",
    "a\"b'c&d<e>f;g#h%%{i}\\",
    "\u{202E}evil\u{202C} שלום \0\x1b[31m\n\r\t\u{FFFF}\u{85}",
    "状態機械状態機械状態機械",
    "]]>-->",
];

pub(super) fn hostile() -> Report {
    let long = "x".repeat(200);
    let names: Vec<&str> = HOSTILE.iter().copied().chain([long.as_str()]).collect();
    let mut report = blank(HOSTILE[0], Verdict::Violated);
    report.command = format!("argos check {} %%{{init}}", HOSTILE[1]);
    report.channels =
        names.iter().map(|name| channel(name, 1, &[name, "m"], &[name], &[name])).collect();
    report.machines = names.iter().map(|name| machine(name, false, 3)).collect();
    for machine in &mut report.machines {
        machine.graph.edges = names.iter().map(|name| edge("s1", name, "end", 3)).collect();
        machine.graph.nodes[0].label = Some(HOSTILE[2].into());
    }
    let mut story = Story::new(&names, &names);
    for (number, name) in names.iter().enumerate() {
        let to = names[(number + 1) % names.len()];
        story = story.step(name, name, 7);
        let event = story.event(name, name, 8);
        story.scenario.trace.push(Event {
            kind: EventKind::Send,
            channel: Some(to.to_owned()),
            message: Some((*name).to_owned()),
            received: Some(false),
            file: Some(HOSTILE[0].into()),
            ..event
        });
    }
    let mut entry = error(Kind::UnspecifiedReception, HOSTILE[2], story.end());
    let mut stuck = wait(HOSTILE[3], 3, &long, HOSTILE[2]);
    stuck.at = Some(long.clone());
    stuck.needs = names.iter().map(|name| (*name).to_owned()).collect();
    entry.waits = Some(vec![stuck, wait(&long, 4, HOSTILE[0], HOSTILE[1])]);
    entry.why = vec![line("allows", HOSTILE[2]), line(HOSTILE[1], &long)];
    report.errors = vec![entry];
    report.properties = general(PropertyVerdict::Unknown).into();
    report.properties[0].name = long.clone();
    report.warnings = vec![Finding { text: long, ..never_sent() }];
    phrase(&mut report, &setting());
    report
}

/// Every sample with its name.
pub(super) fn all() -> Vec<(&'static str, Report)> {
    vec![
        ("holds", holds()),
        ("violated", violated()),
        ("all-errors", all_errors()),
        ("deadlock", deadlock()),
        ("reception", reception()),
        ("incomplete", incomplete()),
        ("broken", broken()),
        ("lasso", lasso()),
        ("long", long()),
        ("hostile", hostile()),
    ]
}
