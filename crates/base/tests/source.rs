//! Places in the text as people count them.

use base::{FileId, LineMarker, Name, Origin, OriginId, OriginKind, SourceMap, Span};
use std::sync::Arc;

fn span(file: FileId, start: u32, end: u32, origin: Option<OriginId>) -> Span {
    Span { file, start, end, origin }
}

#[test]
fn columns_count_characters_and_markers_move_lines() {
    let mut map = SourceMap::default();
    let file = map.add("m", Arc::from("é x\n# 7 \"other\"\ny z\n"), None);
    map.files[file].markers.push(LineMarker { offset: 17, file: Some("other".into()), line: 7 });
    let x = map.place(span(file, 3, 4, None));
    assert_eq!((x.line, x.column), (1, 3));
    let z = map.place(span(file, 19, 20, None));
    assert_eq!((z.file.as_str(), z.line, z.column), ("other", 7, 3));
}

#[test]
fn the_outermost_place_is_the_first_call() {
    let mut map = SourceMap::default();
    let file = map.add("m", Arc::from("abcdef"), None);
    let outer = map.origins.push(Origin {
        kind: OriginKind::Macro,
        name: Name::new("A"),
        call: span(file, 0, 1, None),
    });
    let inner = map.origins.push(Origin {
        kind: OriginKind::Macro,
        name: Name::new("B"),
        call: span(file, 2, 3, Some(outer)),
    });
    assert_eq!(map.outermost(span(file, 4, 5, Some(inner))), span(file, 0, 1, None));
}
