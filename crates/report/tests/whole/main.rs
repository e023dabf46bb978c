//! Tests of the whole crate on made-up reports: golden texts and pictures, and
//! what must hold of every one of them.

mod charts;
mod explained;
mod machines;
mod plots;
mod rules;
mod samples;
mod schema;
mod screens;
mod story;
mod texts;
mod xml;

use report::{Look, Palette, TraceForm};

/// Compares with the accepted text in `snapshots`.
fn golden(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn look(form: TraceForm) -> Look {
    Look { form, ..Look::default() }
}

fn ascii(look: Look) -> Look {
    Look { palette: Palette { ascii: true, ..look.palette }, ..look }
}

fn colored(look: Look) -> Look {
    Look { palette: Palette { color: true, ..look.palette }, ..look }
}

fn narrow(look: Look, width: usize) -> Look {
    Look { palette: Palette { width, ..look.palette }, ..look }
}

/// A text without its SGR codes.
fn without_codes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        out.push_str(&rest[..at]);
        let code = &rest[at..];
        rest = &code[code.find('m').map_or(code.len(), |end| end + 1)..];
    }
    out + rest
}
