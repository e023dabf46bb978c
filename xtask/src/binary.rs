//! The `argos` that is measured and compared.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use testkit::root;

/// As it is packaged: what times and figures are about.
pub(crate) const DIST: &str = "dist";
/// As `cargo build --release` makes it, in less than half the time.
pub(crate) const RELEASE: &str = "release";

/// Built with this profile, up to date.
pub(crate) fn built(profile: &str) -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--profile", profile, "--locked", "-p", "cli"]).current_dir(root());
    match command.status() {
        Ok(status) if status.success() => {}
        _ => return Err("argos cannot be built".to_owned()),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target.unwrap_or_else(|| root().join("target")).join(profile).join("argos"))
}
