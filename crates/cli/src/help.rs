//! `argos help A0012`, `argos help check`.

use crate::USAGE;
use crate::args::Arguments;
use crate::output::{complain, print};
use clap::CommandFactory;

pub(crate) fn run(topic: Option<&str>) -> u8 {
    let mut command = Arguments::command();
    let Some(topic) = topic else {
        print(&command.render_long_help().to_string());
        return 0;
    };
    if let Some(text) = pipeline::explain(&topic.to_ascii_uppercase()) {
        print(text);
        print("\n");
        return 0;
    }
    command.build();
    if let Some(found) = command.find_subcommand_mut(topic) {
        print(&found.render_long_help().to_string());
        return 0;
    }
    let near = match pipeline::near(topic) {
        near if near.is_empty() => "`argos help` lists the commands".to_owned(),
        near => format!("there is help on {}", near.join(", ")),
    };
    complain(&format!("no help on `{topic}`; {near}"));
    USAGE
}
