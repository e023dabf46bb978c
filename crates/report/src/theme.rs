//! What all SVG pictures share: colours, type and safe text. Colours are written
//! out twice, for light and for dark, instead of as CSS variables: office
//! programs and print services read these files too, and few know variables.

use crate::style::{safe_char, side_by_side};
use serde::Serialize;
use std::fmt::Write;

/// Which colours a picture has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// Light, or dark where the reader prefers it.
    #[default]
    Auto,
    /// Dark on white.
    Light,
    /// Light on black.
    Dark,
}

side_by_side! {
    /// Colours by role.
    Colors: LIGHT, DARK {
        background: &'static str = "#ffffff", "#14171c";
        ink: &'static str = "#1b1f24", "#e6e9ee";
        mute: &'static str = "#59636e", "#a0abb7";
        line: &'static str = "#c9d0d8", "#3d4753";
        message: &'static str = "#0b5cad", "#6cb6ff";
        bad: &'static str = "#b8330b", "#ff8f6b";
        time: &'static str = "#7a3e9d", "#d3a5f5";
        head: &'static str = "#eef2f6", "#222932";
        bad_background: &'static str = "#fdeee8", "#3a2018";
        good: &'static str = "#00696f", "#56d0c6";
        care: &'static str = "#7d5200", "#e5b955";
    }
}

pub(crate) const MONO: &str = r#"ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace"#;
pub(crate) const SANS: &str = "system-ui,sans-serif";

/// A style sheet: shapes once, colours as the theme wants them.
pub(crate) fn style_sheet(theme: Theme, shapes: &str, colors: fn(&Colors) -> String) -> String {
    match theme {
        Theme::Light => format!("{shapes}{}", colors(&LIGHT)),
        Theme::Dark => format!("{shapes}{}", colors(&DARK)),
        // Paper is white whatever the reader's screen prefers.
        Theme::Auto => format!(
            "{shapes}{}@media screen and (prefers-color-scheme:dark){{{}}}",
            colors(&LIGHT),
            colors(&DARK)
        ),
    }
}

/// An SVG document with a title and perhaps a description, both for those who do not see it.
pub(crate) fn document(
    size: (f64, f64),
    title: &str,
    about: &str,
    style: &str,
    body: &str,
) -> String {
    let (w, h, title) = (px(size.0), px(size.1), escape(title));
    let (labels, about) = match about {
        "" => ("t", String::new()),
        about => ("t d", format!(r#"<desc id="d">{}</desc>"#, escape(about))),
    };
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-labelledby="{labels}"><title id="t">{title}</title>{about}<style>{style}</style>{body}</svg>
"#
    )
}

/// Text that is safe inside an element or an attribute. What XML cannot hold, or
/// what could reorder a line, is replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(safe_char) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate with at most one digit after the point.
pub(crate) fn px(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // No minus before a zero.
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    rounded.to_string()
}

/// Points as a path wants them: `x y x y`.
pub(crate) fn points<const N: usize>(points: [(f64, f64); N]) -> String {
    points.map(|(x, y)| format!("{} {}", px(x), px(y))).join(" ")
}

/// Elements of a picture, in drawing order.
#[derive(Default)]
pub(crate) struct Shapes {
    out: String,
}

impl Shapes {
    pub(crate) fn path(&mut self, class: &str, d: &str) {
        let _ = writeln!(self.out, r#"<path class="{class}" d="{d}"/>"#);
    }

    pub(crate) fn circle(&mut self, class: &str, x: f64, y: f64, radius: f64) {
        let (x, y, r) = (px(x), px(y), px(radius));
        let _ = writeln!(self.out, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{r}"/>"#);
    }

    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (w, h): (f64, f64), rx: f64) {
        let (x, y, w, h) = (px(x), px(y), px(w), px(h));
        let round = if rx > 0.0 { format!(r#" rx="{}""#, px(rx)) } else { String::new() };
        let _ = writeln!(
            self.out,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{w}" height="{h}"{round}/>"#
        );
    }

    /// Text; `full` is what it was before it was cut to its room.
    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.cut_text(class, (x, y), anchor, text, text);
    }

    pub(crate) fn cut_text(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        text: &str,
        full: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y) = (px(x), px(y));
        let title = match text == full {
            true => String::new(),
            false => format!("<title>{}</title>", escape(full)),
        };
        let text = escape(text);
        let _ = writeln!(
            self.out,
            r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{text}{title}</text>"#
        );
    }

    pub(crate) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// Which end of a text its position names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}
