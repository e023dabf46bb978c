//! `argos replay`: a saved run, executed again and drawn.

use crate::USAGE;
use crate::args::{Picture, ReplayArguments, SvgTheme};
use crate::host::Machine;
use crate::output::{complain, deliver, json, look, model_name, read_file, refuse, usual};
use pipeline::{Loaded, ReplayedTrace, SavedTrace, Source, Unreplayable};
use report::{Chart, Ending, Look, SvgOptions, Theme};

pub(crate) fn run(arguments: &ReplayArguments) -> u8 {
    replayed(arguments).unwrap_or_else(|code| code)
}

fn replayed(arguments: &ReplayArguments) -> Result<u8, u8> {
    let saved = read_saved(&arguments.file)?;
    let loaded = model(arguments, &saved)?;
    let index = arguments.error.checked_sub(1).unwrap_or(usize::MAX);
    let run = pipeline::replay_saved(&saved, index, &loaded).map_err(|reason| {
        complain(&format!("{}: {reason}", arguments.file));
        // The saved model must replay; if it does not, the fault is ours.
        match reason {
            Unreplayable::Step(..) if arguments.model.is_none() => 5,
            Unreplayable::BadModel => 3,
            _ => USAGE,
        }
    })?;
    let asked = look(&arguments.look, Some(&arguments.form));
    let look = usual(&asked, loaded.language, run.cycle_start.is_some());
    let look = Look { to_end: true, ..look };
    deliver(&drawn(arguments, &saved, &run, &look), arguments.output.as_deref())?;
    Ok(u8::from(arguments.exit_verdict && run.message.is_some()))
}

/// Reads a saved run.
pub(crate) fn read_saved(file: &str) -> Result<SavedTrace, u8> {
    let bytes = read_file(file)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| refuse(&format!("{file} is not a run saved by argos: {error}")))
}

/// The model saved with the run, or the one asked for. No file is opened that the saved run
/// names: it may come from anybody.
fn model(arguments: &ReplayArguments, saved: &SavedTrace) -> Result<Loaded, u8> {
    let Some(file) = &arguments.model else { return Ok(saved.load()) };
    let bytes = read_file(file)?;
    let host = Machine::deaf().reading(file);
    let source = Source::new(model_name(file), &bytes);
    let loaded = pipeline::load(source, &saved.options_elsewhere(), &host);
    if loaded.sha256() != saved.model_sha256 {
        complain(&format!("the run was saved from another model than {file}; trying it there"));
    }
    Ok(loaded)
}

fn drawn(
    arguments: &ReplayArguments,
    saved: &SavedTrace,
    run: &ReplayedTrace,
    look: &Look,
) -> String {
    let chart = chart(saved, run);
    match arguments.format {
        None => text(&chart, run, look),
        Some(Picture::Mermaid) => report::mermaid(&chart),
        Some(Picture::Json) => json(&run.scenario),
        Some(Picture::Svg) => {
            let theme = match arguments.theme {
                SvgTheme::Auto => Theme::Auto,
                SvgTheme::Light => Theme::Light,
                SvgTheme::Dark => Theme::Dark,
            };
            let options =
                SvgOptions { theme, hide_internal: arguments.hide_internal, rows: arguments.rows };
            report::svg(&chart, &options)
        }
    }
}

/// What a replayed run looks like to every drawing.
fn chart<'a>(saved: &'a SavedTrace, run: &'a ReplayedTrace) -> Chart<'a> {
    let mut chart = Chart::of_scenario(&saved.model, &run.channels, &run.scenario);
    chart.command = &saved.command;
    chart.length = &run.length;
    chart.waits = run.waits.as_deref().unwrap_or_default();
    if let Some(message) = &run.message {
        chart.title = format!("VIOLATED: {message}");
    } else if let Some(reached) = &run.reached {
        chart.title = format!("REACHED: {reached}");
    }
    chart.cycle_start = run.cycle_start;
    chart.ending = match &run.message {
        None => Ending::Open,
        Some(_) if run.cycle_start.is_some() => Ending::Repeats,
        Some(_) if run.waits.is_some() => Ending::Blocked,
        Some(message) => Ending::Fails(message.clone()),
    };
    chart
}

fn text(chart: &Chart<'_>, run: &ReplayedTrace, look: &Look) -> String {
    let mut text = format!("{}\n\n", chart.title);
    if let (Some(waits), Some(_)) = (&run.waits, &run.message) {
        text.push_str(&report::waits(waits, look));
        text.push('\n');
    }
    text.push_str(&report::run(chart, look));
    text
}
