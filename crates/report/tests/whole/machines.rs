//! Machines and channels as tables, graphs and pictures.

use super::{golden, graphs, narrow, samples, xml};
use report::{Look, Theme, channels, dot, machine, machine_svg, sizes};

#[test]
fn a_machine_is_a_table_or_a_list() {
    golden("machine", &machine(&graphs::sender(), &Look::default()));
    golden("machine-narrow", &machine(&graphs::sender(), &narrow(Look::default(), 60)));
    golden("machine-wide", &machine(&graphs::ring(5), &Look::default()));
}

#[test]
fn sizes_and_channels() {
    let report = samples::violated();
    golden("sizes", &sizes(&report.machines, &Look::default()));
    golden("channels", &channels(&report.channels, &Look::default()));
}

#[test]
fn machines_as_graphs() {
    golden("machine.dot", &dot(&samples::violated().machines));
    let hostile = dot(&samples::hostile().machines);
    let quotes = hostile.replace("\\\\", "").replace("\\\"", "").matches('"').count();
    assert_eq!(quotes % 2, 0, "quotes are balanced");
}

#[test]
fn machines_as_pictures() {
    golden("machine.svg", &machine_svg(&graphs::sender(), Theme::Light).unwrap());
    for size in [1, 2, 7, 60] {
        xml::check(&machine_svg(&graphs::ring(size), Theme::Auto).unwrap()).unwrap();
    }
    for machine in samples::hostile().machines {
        xml::check(&machine_svg(&machine, Theme::Dark).unwrap()).unwrap();
    }
    let refusal = machine_svg(&graphs::ring(61), Theme::Auto).unwrap_err();
    assert_eq!(
        refusal,
        "ring: 61 states are too many for a picture (at most 60); its table shows them all"
    );
}
