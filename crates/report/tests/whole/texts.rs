//! Diagnostics: what they look like, and that no span can break them.

use super::{colored, golden, without_codes};
use base::{
    Diagnostic, FileId, Id, LineMarker, Name, Origin, OriginId, OriginKind, SourceMap, Span,
};
use report::{Look, diagnostics, findings};
use std::sync::Arc;

const BROKEN: &str = "\
channel sender[1], receiver[1];
proc sender
{   do
    :: sender?ack1 -> skip
    od;
    sender?ack1 -> break
}
proc link
{   recevier!msg0
}
";

fn map(text: &str) -> (SourceMap, FileId) {
    let mut sources = SourceMap::default();
    let file = sources.add("broken.argos", Arc::from(text), None);
    (sources, file)
}

fn at(file: FileId, text: &str, word: &str) -> Span {
    let start = text.find(word).expect("the word is in the text") as u32;
    Span { file, start, end: start + word.len() as u32, origin: None }
}

#[test]
fn errors_show_their_lines() {
    let (sources, file) = map(BROKEN);
    let list = [
        Diagnostic::error("A0012", at(file, BROKEN, "break"), "`break` outside `do`")
            .label("there is no do ... od around this statement")
            .help("write `skip`, or put the options inside do ... od"),
        Diagnostic::error("A0007", at(file, BROKEN, "recevier"), "unknown channel `recevier`")
            .label("not declared")
            .other(at(file, BROKEN, "receiver"), "a channel of nearly this name is declared here")
            .help("did you mean `receiver`?"),
    ];
    let text = diagnostics(&list, &sources, &Look::default());
    golden("diagnostics", &text);
    let color = diagnostics(&list, &sources, &colored(Look::default()));
    assert_eq!(without_codes(&color), text);
    golden("diagnostics-colored", &color);
}

#[test]
fn warnings_at_many_places_are_a_list() {
    let text = "ca?m7\nua?x\nca?m7\nca?m7\nua?y\n";
    let (sources, file) = map(text);
    let span = |start: u32, end: u32| Span { file, start, end, origin: None };
    let one = Diagnostic::warning("W0009", span(6, 10), "this option is never taken")
        .label("x is never sent");
    let many = Diagnostic::warning("W0003", span(0, 5), "received but never sent")
        .other(span(6, 10), "")
        .other(span(11, 16), "")
        .other(span(17, 22), "")
        .other(span(23, 27), "")
        .note("no process sends these, so these options can never be taken")
        .help("an open end is fine while designing");
    golden("diagnostics-warnings", &diagnostics(&[many, one], &sources, &Look::default()));
}

fn expanded() -> (SourceMap, Span) {
    let text = "#define SEND x!m\n#define TWICE SEND; SEND\nproc a { TWICE }\nprocedure p { TWICE }\nproc b { p() }\n";
    let (mut sources, file) = map(text);
    let call = Span { start: 85, end: 88, ..at(file, text, "p()") };
    let procedure = sources.origins.push(Origin {
        kind: OriginKind::Procedure,
        name: Name::new("p"),
        call: Span { start: call.start, ..at(file, text, "p()") },
    });
    let body = text.rfind("TWICE").expect("it is there") as u32;
    let outer = sources.origins.push(Origin {
        kind: OriginKind::Macro,
        name: Name::new("TWICE"),
        call: Span { file, start: body, end: body + 5, origin: Some(procedure) },
    });
    let inner = sources.origins.push(Origin {
        kind: OriginKind::Macro,
        name: Name::new("SEND"),
        call: Span { origin: Some(outer), ..at(file, text, "SEND;") },
    });
    let span = Span { origin: Some(inner), ..at(file, text, "x!m") };
    (sources, span)
}

#[test]
fn macros_and_procedures_are_notes() {
    let (sources, span) = expanded();
    let list = [Diagnostic::error("A0007", span, "unknown channel `x`").label("not declared")];
    golden("diagnostics-expanded", &diagnostics(&list, &sources, &Look::default()));
    let found = findings(&list, &sources);
    assert_eq!((found[0].line, found[0].column, found[0].text.as_str()), (4, 15, "TWICE"));
    assert_eq!(found[0].notes.len(), 3, "{:?}", found[0].notes);
}

#[test]
fn line_markers_move_the_numbers() {
    let text = "one\n# 70 \"inner.h\"\ntwo three\n";
    let (mut sources, file) = map(text);
    let marker = LineMarker { offset: 19, file: Some("inner.h".into()), line: 70 };
    sources.files[file].markers.push(marker);
    let list = [Diagnostic::error("A0001", at(file, text, "three"), "no such word")
        .other(at(file, text, "one"), "begins here")];
    golden("diagnostics-markers", &diagnostics(&list, &sources, &Look::default()));
}

/// Texts and spans nobody would write, in all combinations.
#[test]
fn no_span_is_too_strange() {
    let texts = [
        "",
        "\n",
        "x",
        "a\r\nb\r\n",
        "\t\tx\ty\n",
        "状態\u{301}é\u{1F600} z\n",
        "\0\u{1}\x1b[31m\u{85}\u{202E}\n",
        "no end of line",
        "\r",
        "a\n\n\n",
        "\u{FEFF}proc a",
    ];
    for text in texts {
        let (mut sources, file) = map(text);
        let broken = OriginId::new(7);
        let call = Span { file, start: 900, end: 3, origin: None };
        let good =
            sources.origins.push(Origin { kind: OriginKind::Macro, name: Name::new("M"), call });
        let ends = [0, 1, 2, 3, 4, 5, 9, 12, 1000, u32::MAX];
        for start in ends {
            for end in ends {
                for origin in [None, Some(good), Some(broken)] {
                    for file in [file, FileId::new(3)] {
                        let span = Span { file, start, end, origin };
                        let list = [
                            Diagnostic::error("A0001", span, "m\0").label("l\n").other(call, "o"),
                            Diagnostic::warning("W0001", call, "m").other(span, "o").note(""),
                            Diagnostic::remark("R0001", span, ""),
                        ];
                        let plain = diagnostics(&list, &sources, &Look::default());
                        let color = diagnostics(&list, &sources, &colored(Look::default()));
                        assert_eq!(plain, without_codes(&color), "{text:?} {span:?}");
                        let bad = plain.chars().find(|c| c.is_control() && *c != '\n');
                        assert_eq!(bad, None, "{text:?} {span:?}\n{plain}");
                        assert_eq!(findings(&list, &sources).len(), 3);
                    }
                }
            }
        }
    }
}
