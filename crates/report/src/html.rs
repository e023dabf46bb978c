//! A report as one HTML file that needs nothing else: no network, no library, no font. The
//! sentences come from the data ([`ModelView`]); the scripts of the page draw, select and
//! search, and say nothing of their own.
//!
//! The page trusts nothing that a model says. Its data is JSON in an element that is no script,
//! with `<` written as a number ([`json_of`]); the scripts make elements and set their text, and
//! never parse markup. A Content-Security-Policy allows the one style and the one script by
//! their hashes, and nothing else: no request, no frame, no form.
//!
//! The scripts are ES modules in files of their own, beside this one. A page that is opened
//! from a disk can import nothing, so they are joined to one script when the page is written
//! ([`joined`]); a page that is served can have them as they are.

mod coverage;
mod findings;
mod machine;
mod run;
mod view;

pub use view::{ModelView, RunOfModel, RunOutcome};

use crate::json::json_of;
use crate::theme::escape;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The modules in the order in which they can be executed: nothing is used before it is there. The
/// last one is the page itself.
pub const MODULES: [(&str, &str); 12] = [
    ("dom.js", include_str!("html/dom.js")),
    ("run.js", include_str!("html/run.js")),
    ("rows.js", include_str!("html/rows.js")),
    ("chart.js", include_str!("html/chart.js")),
    ("list.js", include_str!("html/list.js")),
    ("inspector.js", include_str!("html/inspector.js")),
    ("source.js", include_str!("html/source.js")),
    ("machines.js", include_str!("html/machines.js")),
    ("viewer.js", include_str!("html/viewer.js")),
    ("tables.js", include_str!("html/tables.js")),
    ("model.js", include_str!("html/model.js")),
    ("page.js", include_str!("html/page.js")),
];

/// The style sheets in their order.
pub const STYLES: [(&str, &str); 3] = [
    ("page.css", include_str!("html/page.css")),
    ("viewer.css", include_str!("html/viewer.css")),
    ("drawing.css", include_str!("html/drawing.css")),
];

const SHELL: &str = include_str!("html/page.html");

/// What the scripts get.
#[derive(Serialize)]
struct Data<'a> {
    models: &'a [ModelView],
    /// Files that could not be read.
    unread: &'a [&'a str],
}

/// The models as one page, in the order in which they are to be listed.
pub fn html(models: &[ModelView], unread: &[&str]) -> String {
    let style = STYLES.map(|(_, text)| text).concat();
    let script = joined(MODULES);
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(&script)
    );
    let data = json_of(&Data { models, unread });
    let title = match models {
        [model] => model.title(),
        _ => format!("{} models - argos", models.len() + unread.len()),
    };
    let parts = [
        ("policy", policy),
        ("title", escape(&title)),
        ("style", style),
        ("plain", models.iter().map(plain).collect()),
        ("data", data),
        ("script", script),
    ];
    filled(SHELL, &parts)
}

/// What a reader without scripts gets of a model.
fn plain(model: &ModelView) -> String {
    let paragraphs = model.plain();
    paragraphs.iter().map(|text| format!("<p>{}</p>\n", escape(text))).collect()
}

/// The shell with each `{{name}}` replaced once, from front to back: what is put in is not
/// looked at again, whatever it says.
fn filled(shell: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = shell;
    for (name, text) in parts {
        let (before, behind) =
            rest.split_once(&format!("{{{{{name}}}}}")).expect("the shell has a place for each");
        out.push_str(before);
        out.push_str(text);
        rest = behind;
    }
    out + rest
}

/// Modules as one script. Each becomes a function that returns what it exports, and is called in
/// the order of the list; its imports take from what those before it have returned.
fn joined<'a>(modules: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::new();
    for (file, text) in modules {
        let mut exports = Vec::new();
        let _ = writeln!(out, "const {} = (() => {{", module(file));
        for line in text.lines() {
            let own = line.strip_prefix("export ");
            exports.extend(own.and_then(declared));
            match imported(line) {
                Some((names, from)) => {
                    let _ = writeln!(out, "const {names} = {};", module(from));
                }
                None => {
                    let _ = writeln!(out, "{}", own.unwrap_or(line));
                }
            }
        }
        let _ = writeln!(out, "return {{ {} }};\n}})();", exports.join(", "));
    }
    out
}

/// What the exports of a module are called in the script.
fn module(file: &str) -> String {
    format!("${}", file.trim_end_matches(".js"))
}

/// The name that an exported declaration is of.
fn declared(line: &str) -> Option<&str> {
    let name = line.split([' ', '(', '=']).nth(1)?;
    Some(name.trim())
}

/// `{ a, b }` and the module, of a line that imports.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import ")?.split_once(" from './")?;
    Some((names, from.trim_end_matches("';")))
}

/// The hash by which a policy knows an element.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let word =
            (0..3).fold(0, |word, at| word << 8 | group.get(at).map_or(0, |b| u32::from(*b)));
        for digit in 0..4 {
            let index = (word >> (18 - 6 * digit)) as usize & 63;
            out.push(if digit <= group.len() { char::from(DIGITS[index]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, wanted) in cases {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }

    #[test]
    fn joined_modules_import_nothing() {
        let first = "export function a() {\n  return 1;\n}\n";
        let second = "import { a } from './a.js';\nexport const b = a();\n";
        let whole = "const $a = (() => {\nfunction a() {\n  return 1;\n}\nreturn { a };\n})();\n\
                     const $b = (() => {\nconst { a } = $a;\nconst b = a();\nreturn { b };\n})();\n";
        assert_eq!(joined([("a.js", first), ("b.js", second)]), whole);
        let all = joined(MODULES);
        assert!(!all.contains("import ") && !all.contains("\nexport "));
    }

    /// Each import names a module that stands before, so the joined script has it.
    #[test]
    fn modules_stand_in_the_order_of_their_imports() {
        for (at, (name, text)) in MODULES.iter().enumerate() {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.split('\'').nth(1).and_then(|path| path.strip_prefix("./"));
                let known = MODULES[..at].iter().any(|(before, _)| Some(*before) == from);
                assert!(known && line.ends_with(';'), "{name}: {line}");
            }
            let parses_markup = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"];
            assert!(!parses_markup.iter().any(|word| text.contains(word)), "{name}");
        }
    }

    #[test]
    fn what_is_put_into_the_shell_is_not_looked_at_again() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "{{a}}".to_owned())];
        assert_eq!(filled("<{{a}}|{{b}}>", &parts), "<{{b}}|{{a}}>");
    }

    #[test]
    fn files_of_the_page_are_short() {
        let files = MODULES.iter().chain(&STYLES).map(|(_, text)| *text).chain([SHELL]);
        assert!(files.into_iter().all(|text| text.lines().count() <= 600));
    }
}
