//! The JSON of every sample fits the schema, and the schema is not lax.

use super::samples;
use report::{Report, SCHEMA, json};
use serde_json::Value;

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

#[test]
fn every_sample_fits_and_comes_back_equal() {
    let validator = validator();
    for (name, report) in samples::all() {
        let text = json(&report);
        assert!(!text.contains('\n'), "{name} is one line");
        let value: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        let back: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(back, report, "{name}");
    }
}

/// Every object anywhere in a report refuses a field it does not know, so that
/// a field added without the schema is found.
#[test]
fn unknown_fields_are_refused_everywhere() {
    let validator = validator();
    let mut checked = 0;
    for (name, report) in samples::all().into_iter().filter(|(name, _)| *name != "hostile") {
        let value: Value = serde_json::from_str(&json(&report)).unwrap();
        for path in objects(&value, String::new()) {
            // Keys of these are the model's names, or free by contract.
            let free = ["/at", "/queues", "/vars", "/options", "/stats/errors"];
            if free.iter().any(|end| path.ends_with(end)) {
                continue;
            }
            let mut changed = value.clone();
            let object = changed.pointer_mut(&path).unwrap().as_object_mut().unwrap();
            object.insert("surprise".into(), Value::Bool(true));
            assert!(!validator.is_valid(&changed), "{name} takes a surprise at {path}");
            checked += 1;
            if checked % 400 == 0 {
                break;
            }
        }
    }
    assert!(checked > 50);
}

fn objects(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::Object(map) => {
            let inner = map.iter().flat_map(|(key, value)| {
                let key = key.replace('~', "~0").replace('/', "~1");
                objects(value, format!("{path}/{key}"))
            });
            let inner: Vec<String> = inner.collect();
            std::iter::once(path).chain(inner).collect()
        }
        Value::Array(list) => {
            let number = list.iter().enumerate();
            number.flat_map(|(i, value)| objects(value, format!("{path}/{i}"))).collect()
        }
        _ => Vec::new(),
    }
}
