//! Results of tests: a table, JUnit, annotations, the exit code.

use super::find::Test;
use super::name;
use crate::results::{Places, add_to_summary};
use report::{
    Annotation, Case, Look, Problem, Report, Status, Suite, TestMark, TestRow, tested,
    tests_summary,
};

/// The exit code of a check, or a gate, that is not decided, where no failure is known.
const OPEN: u8 = 4;

/// What became of a test.
pub(super) struct Ran {
    /// What was found; nothing if it was not checked.
    report: Option<Report>,
    /// What is not as expected.
    differences: Vec<String>,
    /// The exit code of `argos check`.
    exit: u8,
    /// The command that repeats it.
    command: String,
    pub(super) seconds: f64,
}

impl Ran {
    pub(super) fn of(report: Report, differences: Vec<String>, exit: u8, command: String) -> Self {
        Self { report: Some(report), differences, exit, command, seconds: 0.0 }
    }

    /// A test that cannot be run.
    pub(super) fn unreadable(why: String) -> Self {
        let (command, seconds) = (String::new(), 0.0);
        Self { report: None, differences: vec![why], exit: 1, command, seconds }
    }

    pub(super) fn is_good(&self) -> bool {
        self.differences.is_empty()
    }

    /// What it adds to the exit code of all: that of the check if it tells what happened, else
    /// that of a failure, for a model that holds may be expected not to.
    fn code(&self) -> u8 {
        match (self.is_good(), self.exit) {
            (true, _) => 0,
            (false, code @ (3..=5)) => code,
            (false, _) => 1,
        }
    }

    fn mark(&self) -> TestMark {
        match (self.is_good(), &self.report) {
            (true, _) => TestMark::Passed,
            (false, Some(_)) if self.exit == OPEN => TestMark::Open,
            (false, _) => TestMark::Failed,
        }
    }
}

/// What became of all tests.
pub(super) struct Results<'a> {
    pub(super) tests: &'a [Test],
    pub(super) ran: &'a [Ran],
    /// Models that expect nothing.
    pub(super) silent: &'a [String],
    pub(super) seconds: f64,
}

/// The first of these that occurs is the exit code.
const WORST_FIRST: [u8; 5] = [5, 3, 1, 4, 0];

impl Results<'_> {
    pub(super) fn exit_code(&self) -> u8 {
        let has = |code: &u8| self.ran.iter().any(|ran| ran.code() == *code);
        WORST_FIRST.into_iter().find(has).unwrap_or(0)
    }

    fn rows(&self) -> Vec<TestRow<'_>> {
        let rows = self.tests.iter().zip(self.ran).map(|(test, ran)| TestRow {
            mark: ran.mark(),
            name: name(test),
            place: (&test.place.0, test.place.1),
            report: ran.report.as_ref(),
            differences: &ran.differences,
            command: &ran.command,
            seconds: ran.seconds,
        });
        rows.collect()
    }

    pub(super) fn table(&self, look: &Look) -> String {
        tested(&self.rows(), self.silent, self.seconds, look)
    }

    /// One suite per model, one case per test.
    pub(super) fn junit(&self) -> String {
        let mut suites: Vec<Suite> = Vec::new();
        for (test, ran) in self.tests.iter().zip(self.ran) {
            let case = case(test, ran);
            match suites.iter_mut().find(|suite| suite.name == test.file) {
                Some(suite) => suite.cases.push(case),
                None => {
                    let (name, text) = (test.file.clone(), String::new());
                    suites.push(Suite { name, cases: vec![case], text, seconds: None });
                }
            }
        }
        for file in self.silent {
            let status = Status::Skipped("the model says not what to expect".to_owned());
            let case = Case { name: "(no expectation)".to_owned(), status, seconds: None };
            suites.push(Suite {
                name: file.clone(),
                cases: vec![case],
                text: String::new(),
                seconds: None,
            });
        }
        report::junit(&suites, self.seconds)
    }

    /// Annotates what is not as expected where that is said.
    pub(super) fn github(&self) {
        let places = Places::of_this_process();
        let mut commands = String::new();
        for row in self.rows().iter().filter(|row| row.mark != TestMark::Passed) {
            let annotation = Annotation {
                level: "error",
                file: row.place.0,
                line: row.place.1,
                column: 0,
                title: &row.name,
                message: &row.differences.join("\n"),
            };
            commands.push_str(&annotation.command(&places.root()));
        }
        crate::output::print(&commands);
        add_to_summary(&tests_summary(&self.rows()));
    }
}

fn case(test: &Test, ran: &Ran) -> Case {
    let name = match test.label.is_empty() {
        true => "argos check".to_owned(),
        false => format!("argos check {}", test.label),
    };
    let problem = || Problem {
        kind: ran.report.as_ref().map_or("unread", |_| "expectation").to_owned(),
        message: ran.differences.join("; "),
        text: format!("{}:{}\n{}", test.place.0, test.place.1, ran.command),
    };
    let status = match ran.mark() {
        TestMark::Passed => Status::Passed,
        TestMark::Open => Status::Undecided(problem()),
        TestMark::Failed => Status::Failed(problem()),
    };
    Case { name, status, seconds: Some(ran.seconds) }
}
