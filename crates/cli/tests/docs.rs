//! Executes the documentation, so that it stays true.
//!
//! In: `README.md`, `docs/*.md`, `examples/README.md`, `examples/*.{argos,pml}`, the built binary.
//! Every document has a directory of its own with a copy of `examples/`, and its
//! fenced blocks are executed there from top to bottom:
//!
//! * ` ```argos file=gate.argos ` writes the block to that file. With `appends`
//!   behind it the block is added at its end, with `replaces=NAME` it takes the
//!   place of `proc NAME`, as a reader would edit it.
//! * ` ```argos check --depth 3 => exit 4, depth bound ` runs `argos check
//!   --depth 3` on the block and expects that exit code, and each phrase behind a
//!   comma somewhere in the output. Both forms can be combined, file first. An
//!   `argos` block must have one of them. ` ```promela ` is the same.
//! * ` ```console ` whose first line begins with `$ argos`: each such line is
//!   run, and what it prints (standard output, then errors) is compared with
//!   what follows it. `> FILE` redirects, `$ echo $?` prints the last exit code.
//!   What is typed at a prompt of `sim -i` stands behind the prompt, as it does
//!   on a screen. Times, memory and the version are not compared.
//! * ` ```json `: its keys must be keys of the report's schema.
//!
//! `ARGOS_BLESS=1 cargo test -p cli --test docs` rewrites the console blocks and
//! the table of diagnostics. Look at the difference before you commit it.
//!
//! Every file in `examples/` says what comes out in lines of its head comment:
//! `// run: check ARGS | verdict HOLDS | errors deadlock 1 | states 9 | events 3
//! | exit 0`. All but `exit` may be left out; `errors deadlock` wants one kind
//! of error and does not count.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use testkit::argos::{Run, command};
use testkit::files;

/// What the prompt of `sim -i` ends with.
const PROMPT: &str = "q > ";
/// The table between these lines is generated.
const TABLE: (&str, &str) = ("<!-- diagnostics: generated -->", "<!-- diagnostics: end -->");

#[test]
fn the_documents_say_what_happens() {
    let mut faults = Vec::new();
    for path in documents() {
        let text = read(&path);
        let mut document = Document::new(&path);
        let shown = document.execute(&text);
        let shown = document.table(shown);
        if blessing() && shown != text {
            fs::write(&path, shown).expect("documents are writable");
        }
        faults.append(&mut document.faults);
    }
    assert!(faults.is_empty(), "{}\n(ARGOS_BLESS=1 rewrites outputs)", faults.join("\n"));
}

#[test]
fn the_examples_keep_their_promises() {
    for path in examples() {
        let text = read(&path);
        let promises: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("// run: ")).collect();
        assert!(!promises.is_empty(), "{} promises nothing", path.display());
        promises.iter().for_each(|promise| keeps(&path, promise));
    }
}

#[test]
fn every_example_is_in_the_list_of_examples() {
    let list = read(&root("examples/README.md"));
    for path in examples() {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        assert!(list.contains(&format!("[{name}]({name})")), "{name} is not listed");
    }
}

#[test]
fn every_option_is_documented_and_no_other() {
    let text = read(&root("docs/commands.md"));
    let documented = options(&text);
    let helps = [&["help"][..], &["help", "check"], &["help", "show"], &["help", "sim"]];
    let helps = helps.into_iter().chain([&["help", "test"][..], &["help", "traces"]]);
    let helps = helps.chain([&["help", "replay"][..], &["help", "spin"]]);
    let helps = helps.chain([&["help", "backward"][..], &["help", "experiments"]]);
    let known: BTreeSet<String> =
        helps.flat_map(|words| options(&argos(testkit::root(), words, "").text)).collect();
    let missing: Vec<_> = known.difference(&documented).collect();
    let invented: Vec<_> = documented.difference(&known).collect();
    assert!(missing.is_empty() && invented.is_empty(), "missing {missing:?}, extra {invented:?}");
}

// ---- documents ----

/// A document being executed in its directory.
struct Document {
    name: String,
    directory: PathBuf,
    code: i32,
    faults: Vec<String>,
}

impl Document {
    fn new(path: &Path) -> Self {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let scratch = path.display().to_string().replace(['/', '\\', ':'], "_");
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(scratch);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(directory.join("examples")).expect("the scratch directory is ours");
        for example in examples() {
            let copy = directory.join("examples").join(example.file_name().expect("a file"));
            fs::copy(&example, copy).expect("examples can be copied");
        }
        Self { name, directory, code: 0, faults: Vec::new() }
    }

    /// The text as it should be; what differs is in `faults`, unless it is to
    /// be rewritten.
    fn execute(&mut self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let mut shown: Vec<String> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            shown.push(lines[at].to_owned());
            let info = lines[at].strip_prefix("```");
            at += 1;
            let Some(info) = info else { continue };
            let length = lines[at..].iter().position(|line| *line == "```");
            let Some(length) = length else { return self.unclosed(at, text) };
            shown.extend(self.block(info, at, &lines[at..at + length]));
            shown.push("```".to_owned());
            at += length + 1;
        }
        shown.join("\n") + "\n"
    }

    fn unclosed(&mut self, at: usize, text: &str) -> String {
        self.fault(at, "this block is not closed");
        text.to_owned()
    }

    /// Executes one block; `at` is the number of the line with its fence.
    fn block(&mut self, info: &str, at: usize, body: &[&str]) -> Vec<String> {
        let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
        match language {
            "argos" | "promela" => self.model(rest, at, &format!("{}\n", body.join("\n"))),
            "json" => self.keys(at, &body.join("\n")),
            "console" if body.first().is_some_and(|line| line.starts_with("$ argos")) => {
                return self.console(at, body);
            }
            _ => {}
        }
        body.iter().map(|line| (*line).to_owned()).collect()
    }

    fn fault(&mut self, at: usize, what: &str) {
        self.faults.push(format!("{}:{at}: {what}", self.name));
    }

    fn model(&mut self, info: &str, at: usize, text: &str) {
        let (edit, wanted) = match info.split_once("=>") {
            Some((edit, wanted)) => (edit, Some(wanted)),
            None => (info, None),
        };
        let (file, rest) = match edit.strip_prefix("file=") {
            Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
            None => ("block.argos", edit),
        };
        let command = self.edit(file, rest.trim(), text);
        match wanted {
            Some(wanted) => self.expectation(at, &format!("{command} {file}"), wanted),
            None if file == "block.argos" => self.fault(at, "an argos block without expectation"),
            None => {}
        }
    }

    /// Writes or changes a file; returns what `rest` says besides.
    fn edit<'a>(&self, file: &str, rest: &'a str, text: &str) -> &'a str {
        let path = self.directory.join(file);
        let (how, command) = rest.split_once(' ').unwrap_or((rest, ""));
        let (text, command) = match how.split_once('=') {
            Some(("replaces", name)) => (replaced(&read(&path), name, text), command),
            None if how == "appends" => (read(&path) + text, command),
            _ => (text.to_owned(), rest),
        };
        fs::write(path, text).expect("the scratch directory is ours");
        command
    }

    fn expectation(&mut self, at: usize, command: &str, wanted: &str) {
        let words = words(command);
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = argos(&self.directory, &arguments, "");
        let mut wanted = wanted.split(',').map(str::trim);
        if wanted.next() != Some(&format!("exit {}", run.code)) {
            self.fault(at, &format!("exit {} of {command}\n{}", run.code, run.text));
        }
        // Where the screen breaks its lines is no business of a document.
        let text = run.text.split_whitespace().collect::<Vec<_>>().join(" ");
        for phrase in wanted.filter(|phrase| !text.contains(phrase)) {
            self.fault(at, &format!("no `{phrase}` in the output\n{}", run.text));
        }
    }

    /// Runs the commands of a block; returns the block as it should be.
    fn console(&mut self, at: usize, body: &[&str]) -> Vec<String> {
        let mut shown = Vec::new();
        let starts: Vec<usize> =
            (0..body.len()).filter(|line| body[*line].starts_with("$ ")).collect();
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(body.len());
            let expected = &body[start + 1..end];
            let printed = self.command(&body[*start][2..], expected);
            let printed: Vec<&str> = printed.lines().collect();
            shown.push(body[*start].to_owned());
            if redacted(&printed) == redacted(expected) {
                shown.extend(expected.iter().map(|line| (*line).to_owned()));
                continue;
            }
            if !blessing() {
                self.differs(at + start + 1, expected, &printed);
            }
            shown.extend(printed.iter().map(|line| (*line).to_owned()));
        }
        shown
    }

    fn differs(&mut self, at: usize, expected: &[&str], printed: &[&str]) {
        let (expected, printed) = (redacted(expected), redacted(printed));
        let same = expected.iter().zip(&printed).take_while(|(a, b)| a == b).count();
        let line = |lines: &[String]| lines.get(same).map_or("nothing", String::as_str).to_owned();
        let text = format!("printed `{}`, not `{}`", line(&printed), line(&expected));
        self.fault(at + same + 1, &text);
    }

    /// What `command` prints. What is typed is taken from the expected text.
    fn command(&mut self, command: &str, expected: &[&str]) -> String {
        if command == "echo $?" {
            return format!("{}\n", self.code);
        }
        let words = words(command.strip_prefix("argos ").expect("documents run argos only"));
        let (words, target) = match words.iter().position(|word| word == ">") {
            Some(place) => (&words[..place], words.get(place + 1)),
            None => (words.as_slice(), None),
        };
        let typed: Vec<&str> =
            expected.iter().filter_map(|line| line.split_once(PROMPT)).map(|it| it.1).collect();
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = argos(&self.directory, &arguments, &typed.join("\n"));
        self.code = run.code;
        if let Some(target) = target {
            fs::write(self.directory.join(target), run.text).expect("the directory is ours");
            return run.complaints;
        }
        // A screen shows what is typed; a pipe does not.
        let mut screen = String::new();
        for (index, piece) in run.text.split(PROMPT).enumerate() {
            let before = index.checked_sub(1).map(|index| typed.get(index).unwrap_or(&""));
            screen.extend(before.map(|typed| format!("{PROMPT}{typed}\n")));
            screen.push_str(piece);
        }
        screen + &run.complaints
    }

    fn keys(&mut self, at: usize, text: &str) {
        let schema = read(&root("crates/report/schema/report.schema.json"));
        let mut pieces: Vec<&str> = text.split("\":").collect();
        pieces.pop();
        let keys = pieces.iter().filter_map(|piece| piece.rsplit('"').next());
        for key in keys.filter(|key| !schema.contains(&format!("\"{key}\":"))) {
            self.fault(at, &format!("the report has no field `{key}`"));
        }
    }

    /// The text with the table of diagnostics as it should be, if it has one.
    fn table(&mut self, text: String) -> String {
        let Some((before, rest)) = text.split_once(TABLE.0) else { return text };
        let (found, after) = rest.split_once(TABLE.1).expect("the table has an end");
        let wanted = diagnostics();
        if found != wanted && !blessing() {
            self.fault(before.lines().count(), "the table of diagnostics is out of date");
        }
        format!("{before}{}{wanted}{}{after}", TABLE.0, TABLE.1)
    }
}

/// The model with another text for process `name`, up to its brace.
fn replaced(model: &str, name: &str, text: &str) -> String {
    let (before, rest) = model.split_once(&format!("proc {name}\n")).expect("it has this process");
    let (_, after) = rest.split_once("\n}\n").expect("the process has an end");
    format!("{before}{text}{after}")
}

/// Without what differs from run to run: times, memory, version, and the rate that is only
/// there if there was time to speak of. A fast machine counts in smaller units.
fn redacted(lines: &[&str]) -> Vec<String> {
    let lines = lines.iter().filter(|line| !line.starts_with("pan: rate "));
    lines.map(|line| redacted_line(line)).collect()
}

fn redacted_line(line: &str) -> String {
    const UNITS: [(&str, &str); 6] =
        [("ms", "s"), ("s", "s"), ("min", "s"), ("kB", "MB"), ("MB", "MB"), ("GB", "MB")];
    let line = line.trim_end().replace(env!("CARGO_PKG_VERSION"), "VERSION");
    // SPIN's words for what argos measures in its place.
    if let Some((_, what)) = line.split_once('\t').filter(|(_, what)| what.contains("memory usage"))
    {
        return format!("_ {what}");
    }
    if line.starts_with("pan: elapsed time ") {
        return "pan: _".to_owned();
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let unit = |number: &str, unit: &str| {
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        let known = UNITS.iter().find(|(name, _)| *name == unit.trim_end_matches(','))?;
        is_number.then(|| unit.replace(known.0, known.1))
    };
    if !words.windows(2).any(|pair| unit(pair[0], pair[1]).is_some()) {
        return line;
    }
    let hidden = words.iter().enumerate().map(|(at, word)| {
        let next = words.get(at + 1).and_then(|next| unit(word, next));
        let before = at.checked_sub(1).and_then(|before| unit(words[before], word));
        next.map(|_| "_".to_owned()).or(before).unwrap_or_else(|| (*word).to_owned())
    });
    hidden.collect::<Vec<_>>().join(" ")
}

/// Words as a shell splits them, as far as documents need it.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

// ---- examples ----

/// Runs one `// run:` line of an example.
fn keeps(path: &Path, promise: &str) {
    let mut parts = promise.split(" | ");
    let command = parts.next().expect("split gives one part at least");
    let arguments = words(command);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let file = path.display().to_string();
    arguments.extend([file.as_str(), "--json"]);
    let run = argos(testkit::root(), &arguments, "");
    for part in parts {
        let kept = keeps_part(part, &run);
        assert!(kept, "{file}: {command}: not `{part}`: exit {}\n{}", run.code, run.text);
    }
    assert!(promise.contains("| exit "), "{file}: `{promise}` has no exit code");
}

fn keeps_part(part: &str, run: &Run) -> bool {
    let (key, value) = part.split_once(' ').unwrap_or((part, ""));
    let stats = run.text.split_once("\"stats\":").map_or("", |(_, stats)| stats);
    match key {
        "exit" => value == run.code.to_string(),
        "verdict" => run.text.contains(&format!("\"verdict\":\"{}\"", value.to_lowercase())),
        "states" => stats.starts_with(&format!("{{\"states\":{value},")),
        "events" => run.text.contains(&format!("\"events\":{value},")),
        "errors" => counted(stats) == listed(value) || kinds(stats) == listed(value),
        _ => false,
    }
}

/// `deadlock 1, residual 2` as a set; `none` is empty.
fn listed(value: &str) -> BTreeSet<String> {
    value.split(", ").filter(|kind| *kind != "none").map(str::to_owned).collect()
}

/// The errors in the statistics, as `deadlock 1`.
fn counted(stats: &str) -> BTreeSet<String> {
    let counts = stats.split_once("\"errors\":{").and_then(|(_, rest)| rest.split_once('}'));
    let counts = counts.map_or("", |(counts, _)| counts).split(',');
    counts.filter(|it| !it.is_empty()).map(|it| it.replace('"', "").replace(':', " ")).collect()
}

fn kinds(stats: &str) -> BTreeSet<String> {
    counted(stats).iter().filter_map(|it| it.split_once(' ')).map(|it| it.0.to_owned()).collect()
}

// ---- tables ----

/// One row for each id of Argos and its preprocessor that the binary can explain,
/// with the first sentence it says. The ids of PROMELA begin with M and N.
fn diagnostics() -> String {
    let mut table = "\n| id | meaning |\n|---|---|\n".to_owned();
    for id in pipeline::explained().filter(|id| !id.starts_with(['M', 'N'])) {
        let text = argos(testkit::root(), &["help", id], "").text.replace('\n', " ");
        table.push_str(&format!("| {id} | {} |\n", first_sentence(&text).replace('|', "\\|")));
    }
    table
}

/// Up to the first full stop that is not one of three dots.
fn first_sentence(text: &str) -> &str {
    let mut stops = text.match_indices(". ").map(|(at, _)| at);
    let stop = stops.find(|at| !text[..*at].ends_with('.'));
    stop.map_or(text, |at| &text[..=at]).trim()
}

/// Everything that looks like a long option.
fn options(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
    let pieces = text.split(|c: char| !is_part(c));
    let options = pieces.filter(|piece| piece.starts_with("--") && piece.len() > 4);
    options.map(str::to_owned).collect()
}

// ---- running ----

/// Runs the command in `directory` as in a pipe, in a UTF-8 locale.
fn argos(directory: impl AsRef<Path>, arguments: &[&str], input: &str) -> Run {
    let mut child = command()
        .args(arguments)
        .current_dir(directory)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built");
    let mut stdin = child.stdin.take().expect("it was piped");
    // A command that does not read its input may be gone already.
    let _ = stdin.write_all(input.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
    drop(stdin);
    Run::from(child.wait_with_output().expect("it ends"))
}

// ---- files ----

fn blessing() -> bool {
    std::env::var_os("ARGOS_BLESS").is_some()
}

fn documents() -> Vec<PathBuf> {
    let mut documents = files("docs", &["md"]);
    documents.extend(["README.md", "examples/README.md"].map(root));
    documents
}

/// The examples in both languages.
fn examples() -> Vec<PathBuf> {
    files("examples", &["argos", "pml"])
}

fn root(path: &str) -> PathBuf {
    testkit::root().join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
