//! The `argos` that is measured and compared.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use testkit::root;

/// Built as it is packaged, up to date.
pub(crate) fn built() -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--profile", "dist", "--locked", "-p", "cli"]).current_dir(root());
    match command.status() {
        Ok(status) if status.success() => {}
        _ => return Err("argos cannot be built".to_owned()),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target.unwrap_or_else(|| root().join("target")).join("dist/argos"))
}
