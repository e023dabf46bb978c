//! Results of `check` for other programs: JUnit, SARIF, GitHub Actions.

use crate::args::CheckArguments;
use crate::output::{complain, print, save, usual};
use pipeline::{Checked, Options};
use report::{Case, Look, Problem, Root, Status, Suite, SummaryRow};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A model that was checked.
pub(crate) struct Row {
    /// The model with the options that tell it from others.
    pub(crate) name: String,
    pub(crate) options: Options,
    /// What was found.
    pub(crate) checked: Checked,
}

/// Everything that a command checked.
pub(crate) struct Results<'a> {
    pub(crate) rows: &'a [Row],
    /// Models of which nothing is known, with the reason.
    pub(crate) unread: &'a [(String, String)],
    /// How long it took.
    pub(crate) seconds: f64,
}

impl Results<'_> {
    fn unread(&self) -> Vec<(&str, &str)> {
        self.unread.iter().map(|(file, why)| (file.as_str(), why.as_str())).collect()
    }
}

/// Writes what is asked for, beside the text for people; the exit code if that fails.
pub(crate) fn write(
    arguments: &CheckArguments,
    results: &Results<'_>,
    look: &Look,
) -> Result<(), u8> {
    let places = Places::of_this_process();
    let outputs = &arguments.outputs;
    if let Some(file) = &outputs.junit {
        save(&junit(results, look), file)?;
    }
    if let Some(file) = &outputs.sarif {
        save(&sarif(results, &places.root()), file)?;
    }
    if outputs.github {
        github(results, &places.root(), arguments.result.json);
    }
    Ok(())
}

fn junit(results: &Results<'_>, look: &Look) -> String {
    let palette = report::Palette { color: false, ..look.palette };
    let mut suites: Vec<Suite> = Vec::new();
    for row in results.rows {
        let report = &row.checked.report;
        let is_infinite = report.errors.first().is_some_and(|error| error.kind.is_infinite());
        let look = Look { palette, ..usual(look, report.language, is_infinite) };
        let mut suite = Suite::of_report(report, &row.name, &look);
        suite.cases.extend(fault(row));
        suites.push(suite);
    }
    for (file, why) in results.unread {
        let problem =
            Problem { kind: "unread".to_owned(), message: why.clone(), ..Problem::default() };
        suites.push(Suite::of_trouble(file, problem));
    }
    report::junit(&suites, results.seconds)
}

/// A fault of ours is no requirement, and decides the exit code all the same.
fn fault(row: &Row) -> Option<Case> {
    let (kind, message) = ("internal-error".to_owned(), row.checked.internal_error.clone()?);
    let status = Status::Undecided(Problem { kind, message, ..Problem::default() });
    Some(Case { name: "internal error".to_owned(), status, seconds: None })
}

fn sarif(results: &Results<'_>, root: &Root<'_>) -> String {
    let reports: Vec<_> = results.rows.iter().map(|row| &row.checked.report).collect();
    let sound = results.rows.iter().all(|row| row.checked.internal_error.is_none());
    report::sarif(&reports, root, sound && results.unread.is_empty())
}

/// Annotations are commands in the log; the summary is a file that the runner names.
fn github(results: &Results<'_>, root: &Root<'_>, is_json: bool) {
    let mut commands = String::new();
    for row in results.rows {
        commands.push_str(&report::annotations(&row.checked.report, root));
    }
    // The runner reads both streams; standard output is for the JSON alone.
    match is_json {
        true => drop(std::io::stderr().write_all(commands.as_bytes())),
        false => print(&commands),
    }
    let rows: Vec<SummaryRow<'_>> = results.rows.iter().map(summary_row).collect();
    add_to_summary(&report::job_summary(&rows, &results.unread()));
}

fn summary_row(row: &Row) -> SummaryRow<'_> {
    SummaryRow { name: &row.name, report: &row.checked.report }
}

/// Adds to the summary of the job, if this is one.
pub(crate) fn add_to_summary(text: &str) {
    let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY") else { return };
    let open = std::fs::File::options().create(true).append(true).open(&file);
    let written = open.and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        complain(&format!("cannot write the summary of the job: {error}"));
    }
}

/// A text that a GitHub runner is to show and not to obey: what a model prints may look like a
/// command. Nobody can know the word that ends the quotation.
pub(crate) fn quoted(text: &str) -> String {
    let token = format!("argos-{:016x}", RandomState::new().build_hasher().finish());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("::stop-commands::{token}\n{text}{end}::{token}::\n")
}

/// Where this process is, and the repository around it.
pub(crate) struct Places {
    here: PathBuf,
    top: PathBuf,
}

impl Places {
    pub(crate) fn of_this_process() -> Self {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let top = repository(&here).unwrap_or(&here).to_owned();
        Self { here, top }
    }

    pub(crate) fn root(&self) -> Root<'_> {
        Root { here: &self.here, top: &self.top }
    }
}

/// The folder of the repository around a folder.
pub(crate) fn repository(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").exists())
}
