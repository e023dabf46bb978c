//! `argos show`: machines, sizes, channels.

use crate::USAGE;
use crate::args::{ShowArguments, ShowFormat};
use crate::cpp::read_model;
use crate::host::Machine as Host;
use crate::output::{complain, deliver, look, print, refuse, refuse_foreign, source};
use pipeline::{Options, Shown, Source};
use report::{Automaton, Look, Machine, Theme};

pub(crate) fn run(arguments: &ShowArguments) -> u8 {
    shown(arguments).unwrap_or_else(|code| code)
}

fn shown(arguments: &ShowArguments) -> Result<u8, u8> {
    if let Some(wanted) = &arguments.ltl {
        return formula(arguments, wanted);
    }
    let file = arguments.file.as_deref().unwrap_or("-");
    let bytes = read_model(file, &arguments.model.options())?;
    let source = source(file, &bytes, arguments.model.lang);
    refuse_foreign(&arguments.model.options(), source.language)?;
    let host = Host::deaf().reading(file);
    if arguments.reversed {
        return reversed(arguments, source, &host);
    }
    let shown = pipeline::show(source, &arguments.model.options(), &host);
    let look = look(&arguments.look, None);
    if !shown.loaded.is_sound() {
        print(&report::diagnostics(&shown.loaded.errors(), &shown.loaded.sources, &look));
        return Ok(3);
    }
    let text = text(arguments, &shown, &look)?;
    deliver(&text, arguments.output.as_deref())?;
    Ok(0)
}

/// The machines as they are executed backwards.
fn reversed(arguments: &ShowArguments, source: Source<'_>, host: &Host) -> Result<u8, u8> {
    let no_minimise = arguments.raw || arguments.model.options().no_minimise;
    let options = Options { no_minimise, ..arguments.model.options() };
    let shown = pipeline::show_reversed(source, &options, host).map_err(|usage| {
        complain(&usage.0);
        USAGE
    })?;
    let look = look(&arguments.look, None);
    if !shown.loaded.is_sound() {
        print(&report::diagnostics(&shown.loaded.errors(), &shown.loaded.sources, &look));
        return Ok(3);
    }
    let machines = chosen(arguments, &shown.machines)?;
    let text = match arguments.format {
        ShowFormat::Table => {
            let tables = machines.iter().map(|machine| report::reversed_machine(machine, &look));
            let parts: Vec<String> = tables.chain([report::reversed_legend(&look)]).collect();
            parts.join("\n")
        }
        ShowFormat::Net => {
            return Err(refuse("--format net shows the machines as they are searched, forwards"));
        }
        ShowFormat::Dot | ShowFormat::Svg => picture(arguments, &machines)?,
    };
    deliver(&text, arguments.output.as_deref())?;
    Ok(0)
}

/// The automata of formulas.
fn formula(arguments: &ShowArguments, wanted: &str) -> Result<u8, u8> {
    let options = arguments.model.options();
    let file = arguments.file.as_deref();
    let bytes = file.map(|file| read_model(file, &options)).transpose()?;
    let model = file.zip(bytes.as_deref());
    let model = model.map(|(file, bytes)| source(file, bytes, arguments.model.lang));
    if let Some(model) = model {
        refuse_foreign(&options, model.language)?;
    }
    let host = Host::deaf().reading(file.unwrap_or_default());
    let shown = pipeline::show_formula(model, wanted, &options, &host);
    let look = look(&arguments.look, None);
    if !shown.loaded.is_sound() {
        print(&report::diagnostics(&shown.loaded.errors(), &shown.loaded.sources, &look));
        if !shown.names.is_empty() {
            complain(&format!("the model has the formulas and claims {}", shown.names.join(", ")));
        }
        return Ok(3);
    }
    let automata: Result<Vec<Automaton>, String> = shown.automata.into_iter().collect();
    let automata = automata.map_err(|why| {
        complain(&format!("there is no automaton of `{wanted}`: {why}"));
        USAGE
    })?;
    let text = match arguments.format {
        ShowFormat::Table => {
            let texts: Vec<String> =
                automata.iter().map(|it| report::automaton(it, &look)).collect();
            texts.join("\n")
        }
        _ => {
            let machines: Vec<Machine> = automata.iter().map(Automaton::machine).collect();
            picture(arguments, &machines)?
        }
    };
    deliver(&text, arguments.output.as_deref())?;
    Ok(0)
}

fn text(arguments: &ShowArguments, shown: &Shown, look: &Look) -> Result<String, u8> {
    let machines = if arguments.raw { &shown.raw } else { &shown.minimised };
    let machines = chosen(arguments, machines)?;
    match arguments.format {
        ShowFormat::Table => Ok(tables(arguments, shown, &machines, look)),
        ShowFormat::Net => Ok(shown.network.clone().unwrap_or_default()),
        ShowFormat::Dot | ShowFormat::Svg => picture(arguments, &machines),
    }
}

fn picture(arguments: &ShowArguments, machines: &[Machine]) -> Result<String, u8> {
    match arguments.format {
        ShowFormat::Dot => Ok(report::dot(machines)),
        ShowFormat::Net | ShowFormat::Table => {
            let why = "--format net shows the machines of a model, not the automaton of a formula";
            Err(refuse(why))
        }
        ShowFormat::Svg => match machines {
            [machine] => {
                report::machine_svg(machine, Theme::Auto).map_err(|reason| refuse(&reason))
            }
            _ => {
                complain("an SVG shows one machine; choose it with --machine NAME");
                Err(USAGE)
            }
        },
    }
}

fn chosen(arguments: &ShowArguments, machines: &[Machine]) -> Result<Vec<Machine>, u8> {
    let Some(name) = &arguments.machine else { return Ok(machines.to_vec()) };
    let found: Vec<Machine> = machines.iter().filter(|m| m.name == *name).cloned().collect();
    if found.is_empty() {
        let names: Vec<&str> = machines.iter().map(|machine| machine.name.as_str()).collect();
        complain(&format!("there is no machine `{name}`; there are {}", names.join(", ")));
        return Err(USAGE);
    }
    Ok(found)
}

fn tables(arguments: &ShowArguments, shown: &Shown, machines: &[Machine], look: &Look) -> String {
    let only = arguments.sizes || arguments.channels;
    let mut parts = Vec::new();
    if !only || arguments.machine.is_some() {
        parts.extend(machines.iter().map(|machine| report::machine(machine, look)));
    }
    if arguments.sizes || (!only && arguments.machine.is_none()) {
        parts.push(report::sizes(machines, look));
    }
    if arguments.channels || (!only && arguments.machine.is_none()) {
        parts.push(report::channels(&shown.channels, look));
    }
    parts.join("\n")
}
