//! Every file in `corpus/bad-promela` says in its first line which errors and warnings it
//! has and where: `/* expect: M0012@9:21 M0007@17:9 */`, in order.

use base::Severity;
use preprocess::{Input, Options};
use std::path::{Path, PathBuf};
use testkit::Folder;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bad-promela")
}

fn expected(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let header = text.split("*/").next().expect("split gives something");
    let (_, list) = header.split_once("expect:").expect("the first line says what to expect");
    list.trim().to_owned()
}

fn found(name: &str, bytes: &[u8]) -> String {
    let lowered =
        promela::read(Input { name, bytes }, &Options::default(), &Folder::new(&folder()));
    let grave = lowered.diagnostics.iter().filter(|found| found.severity != Severity::Remark);
    let shown = grave.map(|found| {
        assert!(promela::explain(found.id).is_some(), "{} is not explained", found.id);
        assert!(!found.help.is_empty(), "{name}: {} has no help", found.id);
        let place = lowered.sources.place(lowered.sources.outermost(found.span));
        format!("{}@{}:{}", found.id, place.line, place.column)
    });
    let shown = shown.collect::<Vec<_>>().join(" ");
    let fails = lowered.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(lowered.program.is_none(), fails, "{name}: a program, or errors");
    shown
}

#[test]
fn bad_files_give_the_errors_they_announce() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).expect("the corpus is part of the repository") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "pml") {
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
    assert!(count > 20, "only {count} files found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
