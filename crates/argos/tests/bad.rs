//! Every file in `corpus/bad` says in its first line which errors it has and
//! where: `/* expect: A0012@9:21 A0007@17:9 */`, in order; a place in another
//! file is written `A0020@wrong.h:1:11`. The empty file cannot say anything.

use base::Severity;
use preprocess::{Input, Options};
use std::path::{Path, PathBuf};
use testkit::Folder;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bad")
}

fn expected(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "A0018@1:1".to_owned();
    }
    let text = String::from_utf8_lossy(bytes);
    let header = text.split("*/").next().expect("split gives something");
    let (_, list) = header.split_once("expect:").expect("the first line says what to expect");
    list.trim().to_owned()
}

fn found(name: &str, bytes: &[u8]) -> String {
    let lowered = argos::read(Input { name, bytes }, &Options::default(), &Folder::new(&folder()));
    let errors = lowered.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let shown = errors.map(|found| {
        assert!(argos::explain(found.id).is_some(), "{} is not explained", found.id);
        assert!(!found.help.is_empty(), "{name}: {} has no help", found.id);
        let place = lowered.sources.place(lowered.sources.outermost(found.span));
        let file = if place.file == name { String::new() } else { format!("{}:", place.file) };
        format!("{}@{file}{}:{}", found.id, place.line, place.column)
    });
    let shown = shown.collect::<Vec<_>>().join(" ");
    assert_eq!(lowered.model.is_none(), !shown.is_empty(), "{name}: a model, or errors");
    shown
}

#[test]
fn bad_files_give_the_errors_they_announce() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).expect("the corpus is part of the repository") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "argos") {
            continue;
        }
        count += 1;
        let name = path.file_name().and_then(|name| name.to_str()).expect("plain names");
        let bytes = std::fs::read(&path).expect("readable");
        let (expected, found) = (expected(&bytes), found(name, &bytes));
        if expected != found {
            wrong.push(format!("{name}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(count > 50, "only {count} files found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
