//! What people install: an archive, and a Debian package of the same files.
//!
//! ```text
//! bin/argos                                        the command
//! share/man/man1/argos.1, argos-check.1, ...       manual pages
//! share/bash-completion/completions/argos, ...     completions
//! share/doc/argos/                                 licences, documentation, examples
//! ```

use crate::binary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::root;

/// Make an archive and a Debian package in target/package
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Package this binary, instead of building one
    #[arg(long, value_name = "FILE")]
    argos: Option<PathBuf>,
}

const COMMANDS: [&str; 6] = ["check", "show", "sim", "replay", "backward", "experiments"];
/// Of each shell, where it looks for completions below `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/argos"),
    ("zsh", "zsh/site-functions/_argos"),
    ("fish", "fish/vendor_completions.d/argos.fish"),
];
const DOCUMENTS: [&str; 6] =
    ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "docs", "examples"];

pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let argos = arguments.argos.clone().map_or_else(|| binary::built(binary::DIST), Ok)?;
    let version = answer(&argos, &["--version"])?;
    let version = version.trim().trim_start_matches("argos ").to_owned();
    let name = format!("argos-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let folder = root().join("target/package");
    let tree = folder.join(&name);
    let _ = fs::remove_dir_all(&tree);
    fill(&tree, &argos)?;
    let archive = folder.join(format!("{name}.tar.gz"));
    ran(Command::new("tar").arg("-C").arg(&folder).arg("-czf").arg(&archive).arg(&name))?;
    println!("{}", archive.display());
    match Command::new("dpkg-deb").arg("--version").output() {
        Ok(_) => println!("{}", debian(&folder, &tree, &version)?.display()),
        Err(_) => println!("no Debian package: dpkg-deb is not installed"),
    }
    Ok(true)
}

/// The files, as they lie below `/usr`.
fn fill(tree: &Path, argos: &Path) -> Result<(), String> {
    copy(argos, &tree.join("bin/argos"))?;
    write(&tree.join("share/man/man1/argos.1"), &answer(argos, &["man"])?)?;
    for command in COMMANDS {
        let page = tree.join(format!("share/man/man1/argos-{command}.1"));
        write(&page, &answer(argos, &["man", command])?)?;
    }
    for (shell, place) in COMPLETIONS {
        write(&tree.join("share").join(place), &answer(argos, &["completions", shell])?)?;
    }
    for document in DOCUMENTS {
        copy(&root().join(document), &tree.join("share/doc/argos").join(document))?;
    }
    Ok(())
}

fn debian(folder: &Path, tree: &Path, version: &str) -> Result<PathBuf, String> {
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let staged = folder.join("debian");
    let _ = fs::remove_dir_all(&staged);
    copy(tree, &staged.join("usr"))?;
    let control = format!(
        "Package: argos\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\n\
         Priority: optional\nMaintainer: the Argos developers <developers@argos.invalid>\nDepends: libc6\n\
         Description: protocol validator\n Finds out how a protocol can go wrong, from a model in \
         Argos or PROMELA.\n"
    );
    write(&staged.join("DEBIAN/control"), &control)?;
    let package = folder.join(format!("argos_{version}_{architecture}.deb"));
    let build = ["--root-owner-group", "--build"];
    ran(Command::new("dpkg-deb").args(build).arg(&staged).arg(&package))?;
    Ok(package)
}

/// Copies a file or a whole folder.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let parent = to.parent().expect("it lies somewhere");
    fs::create_dir_all(parent).map_err(|why| format!("{}: {why}", parent.display()))?;
    ran(Command::new("cp").arg("-r").arg(from).arg(to))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let parent = file.parent().expect("it lies somewhere");
    let written = fs::create_dir_all(parent).and_then(|()| fs::write(file, text));
    written.map_err(|why| format!("{}: {why}", file.display()))
}

fn answer(argos: &Path, words: &[&str]) -> Result<String, String> {
    let output = Command::new(argos).args(words).output();
    let output = output.map_err(|why| format!("{}: {why}", argos.display()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("argos {}: {}", words.join(" "), output.status)),
    }
}

fn ran(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|why| format!("{command:?}: {why}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
