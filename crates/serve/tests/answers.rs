//! Answers without a server: requests as texts, files in memory.

use pipeline::{Memory, Options};
use report::Language;
use serde_json::{Value, json};
use serve::{Model, Operation, answer};

const RACE: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n\
                    active proctype Q() { x = 2; atomic { x = 3; x = 4 } }\n";
const CALL: &str =
    "channel a[1], b[1];\nproc p { a!call; b?yes }\nproc q { a?call; if :: b!yes :: b!no fi }\n";

fn ask_with(operation: Operation, body: &Value, includes: &[&str], host: &mut Memory) -> Value {
    let text = body["text"].as_str().unwrap_or_default();
    let language = if text.contains("proctype") { Language::Promela } else { Language::Argos };
    let (file, command) = ("m".to_owned(), "argos check m".to_owned());
    let model = Model { file, language, options: Options::default(), command };
    let request = format!("{}\n{body}", json!(includes));
    let answer = answer(operation, request.as_bytes(), &model, host);
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn ask(operation: Operation, body: &Value) -> Value {
    ask_with(operation, body, &[], &mut Memory::default())
}

/// The path behind the choices of these words, one after the other.
fn path(text: &str, words: &[&str]) -> Vec<Value> {
    let mut path: Vec<Value> = Vec::new();
    for word in words {
        let here = ask(Operation::Here, &json!({ "text": text, "path": path }));
        let choices = here["choices"].as_array().expect("choices");
        let is_it = |choice: &&Value| {
            let said = format!("{}: {}", choice["process"], choice["action"]).replace('"', "");
            said.starts_with(word)
        };
        let at = choices.iter().position(|choice| is_it(&choice));
        let at = at.unwrap_or_else(|| panic!("{word} is not in {choices:?}"));
        let (process, action) = (&choices[at]["process"], &choices[at]["action"]);
        path.push(json!({ "choice": at, "process": process, "action": action }));
    }
    path
}

#[test]
fn a_run_is_told_with_what_can_happen_next() {
    let path = path(RACE, &["Q: x = 2", "Q: x = 3", "P: x = 1"]);
    let run = ask(Operation::Run, &json!({ "text": RACE, "path": path }));
    assert_eq!(run["ends"], json!([1, 3, 4]), "an atomic sequence is one step and two events");
    assert_eq!(run["view"]["runs"][0]["steps"].as_array().map(Vec::len), Some(4));
    assert_eq!(run["here"]["steps"], 3);
    let choices = run["here"]["choices"].as_array().expect("choices");
    assert!(choices.iter().any(|it| it["action"] == "assert(x == 1)"), "{choices:?}");
    assert_eq!(run["path"], json!(path));
    // In an edited text the words find the step, whatever its number.
    let edited = RACE.replace("byte x;", "byte x, y;").replace("x = 2", "y = 5; x = 2");
    let stopped = ask(Operation::Run, &json!({ "text": edited, "path": path }));
    assert_eq!(stopped["here"]["steps"], 0);
    assert_eq!(stopped["said"], "step 1, Q: x = 2, cannot be taken here; the run stops before it");
}

#[test]
fn a_check_from_a_state_says_no_more_than_it_searched() {
    let harmless = path(RACE, &["Q: x = 2", "Q: x = 3", "P: x = 1"]);
    let ahead = ask(Operation::Check, &json!({ "text": RACE, "path": harmless, "ahead": true }));
    let banner = &ahead["view"]["banner"];
    assert_eq!(banner["word"], "INCOMPLETE");
    assert_eq!(
        banner["sentence"],
        "nothing goes wrong ahead of the state after step 3: complete search from there"
    );
    let all = ahead["view"]["requirements"].as_array().expect("requirements").iter();
    assert!(
        all.clone().all(|it| it["result"].as_str().is_some_and(|it| it.contains("in the part")))
    );
    assert!(ahead["view"]["unreached"].as_array().is_some_and(Vec::is_empty), "{ahead}");
    let fatal = path(RACE, &["P: x = 1", "Q: x = 2"]);
    let ahead = ask(Operation::Check, &json!({ "text": RACE, "path": fatal, "ahead": true }));
    assert_eq!(ahead["view"]["banner"]["word"], "VIOLATED");
    let run = ahead["runs"][0]["path"].as_array().expect("a run");
    assert_eq!((&run[..2], run.len()), (&fatal[..], 3));
    let about = ahead["view"]["runs"][0]["about"].as_str().expect("a sentence");
    assert!(about.contains("no way on from where the check began is shorter"), "{about}");
    // Where the run has ended nothing lies ahead, and formulas are about whole runs.
    let over = path(RACE, &["P: x = 1", "Q: x = 2", "P: assert"]);
    let ahead = ask(Operation::Check, &json!({ "text": RACE, "path": over, "ahead": true }));
    assert_eq!(ahead["error"], "the run ends here in an error: nothing lies ahead");
    let formula = format!("{RACE}ltl later {{ <> (x == 4) }}\n");
    let ahead = ask(Operation::Check, &json!({ "text": formula, "path": harmless, "ahead": true }));
    assert!(ahead["view"]["remarks"].to_string().contains("was not looked at: later"), "{ahead}");
}

/// An assertion that fails ends a run; a run to another error may go on behind it.
#[test]
fn runs_behind_a_failed_assertion_can_be_explored() {
    let text = "byte x;\nactive proctype P() { x = 1; assert(x == 2); assert(x == 1) }\n\
                active proctype Q() { x > 1 }\n";
    let answer = ask(Operation::Check, &json!({ "text": text }));
    let runs = answer["runs"].as_array().expect("runs");
    assert!(runs.len() >= 2, "{runs:?}");
    for run in runs {
        let (path, rules) = (&run["path"], &run["rules"]);
        let again = ask(Operation::Run, &json!({ "text": text, "path": path, "rules": rules }));
        assert_eq!((&again["path"], &again["said"]), (path, &json!("")));
    }
}

#[test]
fn a_state_is_looked_for_from_a_state() {
    for (words, word) in [
        (&["p: a!call"][..], "POSSIBLE"),
        (&["p: a!call", "q: a?call", "q: b!yes", "p: b?yes"], "IMPOSSIBLE"),
    ] {
        let path = path(CALL, words);
        let cover = json!({ "text": CALL, "path": path, "ahead": true, "cover": "head(b) == yes" });
        let answer = ask(Operation::Check, &cover);
        assert_eq!(answer["view"]["banner"]["word"], word, "{}", answer["view"]["banner"]);
    }
}

#[test]
fn states_are_drawn_one_by_one_and_folded() {
    let whole = ask(Operation::Graph, &json!({ "text": CALL }));
    assert_eq!(
        whole["about"],
        "6 states: all that can be reached from here; in 1 of them something is wrong"
    );
    let nodes = whole["nodes"].as_array().expect("nodes");
    let wrong: Vec<&Value> = nodes.iter().filter(|node| node["problem"] == true).collect();
    assert_eq!((nodes.len(), wrong.len()), (6, 1));
    let way = ask(Operation::Run, &json!({ "text": CALL, "path": wrong[0]["path"] }));
    assert_eq!(way["here"]["problem"], true);
    assert!(way["here"]["choices"].as_array().is_some_and(Vec::is_empty));
    let folded = ask(Operation::Graph, &json!({ "text": CALL, "by": "channel b" }));
    let names: Vec<&str> = folded["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    assert_eq!(names, ["(empty)", "yes", "no"]);
    let edges = folded["edges"].to_string();
    assert!(edges.contains("q: b!yes") && edges.contains("p: b?yes"), "{edges}");
    assert!(!edges.contains("a!call"), "what keeps the value is left out: {edges}");
    let none = ask(Operation::Graph, &json!({ "text": CALL, "by": "nothing" }));
    assert_eq!(none["error"], "there is no such part of a state");
}

#[test]
fn errors_are_told_with_their_places_and_other_files_stay_closed() {
    let wrong = ask(Operation::Run, &json!({ "text": "proc p {\n  a!b\n}\n" }));
    let first = &wrong["findings"][0];
    assert_eq!(
        (&first["line"], &first["column"], &wrong["sound"]),
        (&json!(2), &json!(3), &json!(false))
    );
    assert!(first["text"].as_str().is_some_and(|text| text.contains('^')), "{first}");
    let mut host = Memory::default();
    host.files.insert("own.h".to_owned(), b"byte x;\n".to_vec());
    host.files.insert("other.h".to_owned(), b"byte treasure\n".to_vec());
    for (name, sound) in [("own.h", true), ("other.h", false), ("none.h", false)] {
        let text = format!("#include \"{name}\"\nactive proctype P() {{ x = 1 }}\n");
        let told = ask_with(Operation::Diagnose, &json!({ "text": text }), &["own.h"], &mut host);
        assert_eq!(told["sound"], sound, "{name}: {told}");
        assert!(!told.to_string().contains("treasure"), "{name}: {told}");
    }
}
