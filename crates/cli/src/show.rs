//! `argos show`: machines, sizes, channels.

use crate::USAGE;
use crate::args::{ShowArguments, ShowFormat, When};
use crate::cpp::read_model;
use crate::host::Machine as Host;
use crate::output::{complain, deliver, look, print, refuse, refuse_foreign, source};
use pipeline::Shown;
use report::{Look, Machine, Theme};

pub(crate) fn run(arguments: &ShowArguments) -> u8 {
    shown(arguments).unwrap_or_else(|code| code)
}

fn shown(arguments: &ShowArguments) -> Result<u8, u8> {
    let bytes = read_model(&arguments.file, &arguments.model.options())?;
    let source = source(&arguments.file, &bytes, arguments.model.lang);
    refuse_foreign(&arguments.model.options(), source.language)?;
    let host = Host::new(When::Never, None);
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

fn text(arguments: &ShowArguments, shown: &Shown, look: &Look) -> Result<String, u8> {
    let machines = chosen(arguments, shown)?;
    match arguments.format {
        ShowFormat::Table => Ok(tables(arguments, shown, &machines, look)),
        ShowFormat::Dot => Ok(report::dot(&machines)),
        ShowFormat::Net => Ok(shown.network.clone().unwrap_or_default()),
        ShowFormat::Svg => match machines.as_slice() {
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

fn chosen(arguments: &ShowArguments, shown: &Shown) -> Result<Vec<Machine>, u8> {
    let machines = if arguments.raw { &shown.raw } else { &shown.minimised };
    let Some(name) = &arguments.machine else { return Ok(machines.clone()) };
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
