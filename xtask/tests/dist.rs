//! What is packaged is what can be installed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines that a command prints.
fn lines(command: &mut Command) -> Vec<String> {
    let output = command.output().expect("it can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// The command beside this chore, built if nobody has.
fn argos() -> PathBuf {
    let chore = Path::new(env!("CARGO_BIN_EXE_xtask"));
    let argos = chore.with_file_name("argos");
    if !argos.exists() {
        let build = ["build", "--locked", "-p", "cli"];
        lines(Command::new(env!("CARGO")).args(build).current_dir(testkit::root()));
    }
    argos
}

#[test]
fn packages_hold_the_command_and_what_goes_with_it() {
    let mut dist = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let made = lines(dist.args(["dist", "--argos"]).arg(argos()));
    let archive = lines(Command::new("tar").arg("-tzf").arg(&made[0]));
    let wanted = [
        "bin/argos",
        "share/man/man1/argos-check.1",
        "share/bash-completion/completions/argos",
        "share/doc/argos/LICENSE-MIT",
        "share/doc/argos/docs/tutorial.md",
        "share/doc/argos/examples/abp.argos",
    ];
    for file in wanted {
        assert!(archive.iter().any(|line| line.ends_with(file)), "{file}: {archive:?}");
    }
    if made[1].ends_with(".deb") {
        let package = lines(Command::new("dpkg-deb").arg("--contents").arg(&made[1]));
        for file in wanted {
            let place = format!("/usr/{file}");
            assert!(package.iter().any(|line| line.ends_with(&place)), "{place}: {package:?}");
        }
    }
}
