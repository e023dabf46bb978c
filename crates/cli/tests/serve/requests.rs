//! Requests that no browser makes, and what they cost.

use super::served::{PATIENCE, Served, folder};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;
use testkit::argos::{command, run, run_in};

const SETUP: &str = "examples/setup_1984.argos";

/// Five processes that count: far more states than anybody searches in a second.
const LARGE: &str = "byte a, b, c, d, e;\n#define P(x) do :: x++ od\n\
    active proctype A() { P(a) } active proctype B() { P(b) } active proctype C() { P(c) }\n\
    active proctype D() { P(d) } active proctype E() { P(e) }\n\
    active proctype F() { a + b + c + d + e == 2000 }\n";

fn text(file: &str) -> String {
    fs::read_to_string(testkit::root().join(file)).expect("a file of the repository")
}

#[test]
fn wrong_requests_are_answered_and_logged() {
    let served = Served::start(&[SETUP]);
    let (host, secret) = (served.host().to_owned(), served.secret().to_owned());
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let long = "x".repeat(20_000);
    let huge = format!(
        "POST /{secret}/api/run HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: 100000000\r\n\r\n{}",
        "{".repeat(3_000_000)
    );
    let rows = [
        (get("/"), 403, "secret"),
        (get("/00000000000000000000000000000000/"), 403, "secret"),
        (get(&format!("/{secret}")), 403, "secret"),
        (get(&format!("/{secret}/no.js")), 404, "no such file"),
        (get(&format!("/{secret}/../Cargo.toml")), 404, "no such file"),
        (get(&format!("/{secret}/api/run")), 405, "POST"),
        (get(&format!("/{secret}/?{long}")), 431, "too long"),
        (format!("GET /{secret}/ HTTP/1.1\r\n\r\n"), 400, "no host"),
        (format!("POST /{secret}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"), 405, "GET"),
        ("\u{16}\u{3}\u{1}\u{0}\u{1}\r\n\r\n".to_owned(), 400, "no HTTP"),
        (huge, 413, "megabyte"),
        (served.request("explode", "{}"), 404, "no such operation"),
        (served.request("run", "{}").replace("application/json", "text/plain"), 415, "json"),
    ];
    for (request, status, words) in rows {
        let answer = served.send(request.as_bytes());
        let shown: String = request.chars().take(80).collect();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{shown}: {answer}");
        assert!(answer.contains(words), "{shown}: {answer}");
        served.wait_for_log(words);
        assert!(!answer.contains(&secret), "{shown}: {answer}");
    }
    // Bodies that are no request are answered as such, by whoever reads them.
    for body in ["", "{", "[]", "{\"text\":7}", "{\"text\":\"\",\"more\":1}", "\u{0}"] {
        let answer = served.post("run", body);
        assert!(answer.contains("this is no request"), "{body}: {answer}");
    }
    let answer = served.send(get(&format!("/{secret}/")).as_bytes());
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "it goes on: {answer}");
    for header in
        ["no-store", "no-referrer", "nosniff", "script-src 'self'", "frame-ancestors 'none'"]
    {
        assert!(answer.contains(header), "{header}: {answer}");
    }
    assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
}

#[test]
fn connections_that_break_off_do_no_harm() {
    let served = Served::start(&[SETUP]);
    let body = json!({ "text": text(SETUP) }).to_string();
    let whole = served.request("run", &body);
    for end in [0, 1, 20, 100, whole.len() / 2, whole.len() - 1] {
        let mut stream = TcpStream::connect(served.host()).expect("it listens");
        stream.write_all(&whole.as_bytes()[..end]).expect("it reads");
    }
    // Nobody says anything on these; further ones are told that there are too many.
    let silent: Vec<_> = (0..40).map(|_| TcpStream::connect(served.host())).collect();
    served.wait_for_log("too many connections");
    drop(silent);
    let start = Instant::now();
    loop {
        let answer = served.post("run", &body);
        if answer.starts_with("HTTP/1.1 200 ") {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "{answer}");
    }
}

#[test]
fn whoever_hangs_up_stops_the_search() {
    let served = Served::start(&["-", "--lang", "promela", "--time", "10m"]);
    let mut stream = TcpStream::connect(served.host()).expect("it listens");
    let body = json!({ "text": LARGE }).to_string();
    stream.write_all(served.request("check", &body).as_bytes()).expect("it reads");
    stream.set_read_timeout(Some(std::time::Duration::from_millis(600))).expect("a timeout");
    assert!(stream.read(&mut [0]).is_err(), "it is not done so soon");
    drop(stream);
    served.wait_for_log("nobody waits for this check any longer");
}

#[test]
fn a_request_ends_by_its_limits_with_what_is_known() {
    let served = Served::start(&["-", "--lang", "promela", "--time", "1s"]);
    let answer = served.ask("check", &json!({ "text": LARGE }));
    assert_eq!(answer["view"]["banner"]["word"], "INCOMPLETE", "{answer}");
    let sentence = answer["view"]["banner"]["sentence"].as_str().expect("a sentence");
    assert!(sentence.contains("time limit"), "{sentence}");
    // A graph shows what it has come to.
    let answer = served.ask("graph", &json!({ "text": LARGE, "by": "variable a" }));
    assert!(
        answer["about"].as_str().is_some_and(|about| about.contains("there are more")),
        "{answer}"
    );
    // Parsers do not ask the clock.
    let macros: String = (1..=17).map(|at| format!("#define A{at} A{0} A{0}\n", at - 1)).collect();
    let text =
        format!("#define A0 x = (x + 1) % 7;\n{macros}byte x; active proctype p() {{ A17 }}");
    let start = Instant::now();
    let answer = served.ask("check", &json!({ "text": text }));
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(error.contains("stopped after 1 s without a result"), "{answer:.300}");
    assert!(start.elapsed() < PATIENCE);
    let served = Served::start(&["-", "--lang", "promela", "--memory", "30M", "--time", "5m"]);
    let answer = served.ask("check", &json!({ "text": LARGE }));
    let sentence = answer["view"]["banner"]["sentence"].as_str().expect("a sentence");
    assert!(sentence.contains("memory limit"), "{sentence}");
}

#[test]
fn an_edited_text_opens_no_file_that_the_model_does_not() {
    let place = folder().join("serve_includes");
    fs::create_dir_all(&place).expect("the scratch directory is ours");
    fs::write(place.join("main.pml"), "#include \"own.h\"\nactive proctype P() { x = 1 }\n")
        .expect("the scratch directory is ours");
    fs::write(place.join("own.h"), "byte x;\n").expect("the scratch directory is ours");
    fs::write(place.join("secret.h"), "byte treasure\n").expect("the scratch directory is ours");
    let served = Served::of(command().args(["main.pml"]).current_dir(&place), "");
    let served_text = |name: &str| {
        let text = format!("#include \"{name}\"\nactive proctype P() {{ x = 1 }}\n");
        // The page asks for the model before anything else.
        let host = served.host();
        let page = format!("GET /{}/model HTTP/1.1\r\nHost: {host}\r\n\r\n", served.secret());
        assert!(served.send(page.as_bytes()).contains("own.h"));
        served.ask("diagnose", &json!({ "text": text }))
    };
    assert_eq!(served_text("own.h")["sound"], true);
    for other in ["secret.h", "./secret.h", "/etc/hostname", "../serve_includes/secret.h"] {
        let answer = served_text(other);
        assert_eq!(answer["sound"], false, "{other}: {answer}");
        assert!(!answer.to_string().contains("treasure"), "{other}: {answer}");
    }
    // From standard input nothing is included.
    let served =
        Served::of(command().args(["-"]).current_dir(&place), "active proctype P() { skip }");
    let answer = served.ask("diagnose", &json!({ "text": "#include \"own.h\"\n" }));
    assert!(answer["sound"] == false && answer.to_string().contains("cannot be read"), "{answer}");
}

/// From the start of the command: on a free machine and with optimised code it takes 15 ms.
#[test]
fn the_first_answer_is_there_at_once() {
    let start = Instant::now();
    let served = Served::start(&[SETUP]);
    let answer = served.ask("run", &json!({ "text": text(SETUP) }));
    let took = start.elapsed().as_millis();
    assert_eq!(answer["here"]["choices"].as_array().map(Vec::len), Some(2));
    assert!(took < 1_000, "{took} ms");
}

/// What a random run of `argos sim` is with the same seed.
#[test]
fn runs_are_those_of_the_simulation() {
    for file in [SETUP, "examples/mulog3.pml"] {
        let served = Served::start(&[file]);
        let random = json!({ "steps": 12, "seed": 7 });
        let answer = served.ask("run", &json!({ "text": text(file), "random": random }));
        let saved = folder().join("serve_sim.json");
        let saved = saved.to_str().expect("a plain name");
        run(&["sim", file, "--seed", "7", "--length", "12", "--trace", saved]);
        let saved: Value =
            serde_json::from_str(&fs::read_to_string(saved).expect("it was written"))
                .expect("JSON");
        let words = |step: &Value| format!("{} {}", step["process"], step["action"]);
        let steps = answer["view"]["runs"][0]["steps"].as_array().expect("a run");
        let trace = saved["run"]["trace"].as_array().expect("a run");
        assert_eq!(
            steps.iter().map(words).collect::<Vec<_>>(),
            trace.iter().map(words).collect::<Vec<_>>(),
            "{file}"
        );
        assert!(!steps.is_empty(), "{file}");
        // Along the path, whatever it was, one comes to the same place.
        let again = served.ask("run", &json!({ "text": text(file), "path": answer["path"] }));
        assert_eq!(again["here"], answer["here"], "{file}");
        let here = served.ask("here", &json!({ "text": text(file), "path": answer["path"] }));
        assert_eq!(here, answer["here"], "{file}");
    }
}

#[test]
fn it_ends_at_a_signal_with_a_sentence_and_no_error() {
    for signal in ["-TERM", "-INT"] {
        let served = Served::start(&[SETUP]);
        let (code, said) = served.end(signal);
        assert_eq!(
            (code, said.trim().lines().last()),
            (Some(0), Some("The server has ended.")),
            "{said}"
        );
    }
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    let run = |arguments: &[&str]| run_in(testkit::root(), arguments);
    let missing = run(&["serve", "none.argos"]);
    assert_eq!(missing.code, 2);
    assert!(missing.complaints.contains("cannot read none.argos"), "{}", missing.complaints);
    let foreign = run(&["serve", SETUP, "--lossy"]);
    assert_eq!(foreign.code, 2);
    assert!(foreign.complaints.contains("--lossy"), "{}", foreign.complaints);
    let wrong = run(&["serve", SETUP, "--nonsense"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.complaints.contains("--nonsense"), "{}", wrong.complaints);
    let large = folder().join("large.pml");
    fs::write(&large, " ".repeat(600_000)).expect("a writable folder");
    let large = run(&["serve", large.to_str().expect("a plain name")]);
    assert!(large.code == 2 && large.complaints.contains("at most"), "{}", large.complaints);
    let taken = Served::start(&[SETUP]);
    let port = taken.host().rsplit(':').next().expect("a port").to_owned();
    let twice = run(&["serve", SETUP, "--port", &port]);
    assert!(twice.code == 2 && twice.complaints.contains("cannot listen"), "{}", twice.complaints);
}
