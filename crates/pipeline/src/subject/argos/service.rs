//! Whether a protocol can perform a service: an assertion not as a requirement but as a constraint
//! on the runs that are followed (Holzmann 1987, at the end of section 4, where it "remains to be
//! explored"). A step that the assertion forbids is no step of these runs, and the service
//! has been performed where the assertion may be at its end. The other assertions do not watch.

use super::executor::Learned;
use super::looked::Looked;
use super::{Argos, Networks};
use crate::Options;
use crate::cycles::Temporal;
use crate::states::Sought;
use crate::subject::atoms::{Atoms, Literal, Wording, by_formula, eventually};
use crate::subject::{DecidedBy, Pass, Required};
use automata::{Observer, ObserverId};
use base::{Id, SourceMap};
use ltl::Cube;
use model::{Look, Predicate};
use trace::{Kind, Requirement};

/// The assertion whose runs are followed, and the networks that it alone watches.
#[derive(Clone, Debug)]
pub(super) struct Service {
    number: usize,
    networks: Networks,
}

/// Whether an assertion is called so; `assert` need not be said.
fn is_called(observer: &Observer, name: &str) -> bool {
    let own = observer.machine().name.as_str();
    own == name || own.strip_prefix("assert ") == Some(name)
}

impl Service {
    /// The service of the assertion with this name, if there is one.
    pub(super) fn named(networks: &Networks, name: &str) -> Option<Self> {
        let mut observers = networks.raw.observers.iter_ids();
        let number = observers.find(|(_, observer)| is_called(observer, name))?.0.index();
        Some(Self { number, networks: networks.keeping(&[number]) })
    }

    pub(super) fn networks(&self) -> &Networks {
        &self.networks
    }

    fn observer(&self) -> &Observer {
        &self.networks.raw.observers[ObserverId::new(0)]
    }

    fn requirement(&self) -> Requirement {
        Requirement { kind: Kind::Service, number: Some(self.number) }
    }

    /// It for a report.
    pub(super) fn required(&self, sources: &SourceMap) -> Required {
        let machine = self.observer().machine();
        Required {
            line: Some(sources.line(machine.span)),
            text: Some(self.observer().text().to_owned()),
            by: DecidedBy::Propositions,
            ..Required::new(&format!("service {}", machine.name), self.requirement())
        }
    }

    /// What is looked for: the end of the only assertion that watches.
    pub(super) fn sought<'a>(&'a self, argos: &'a Argos, options: &Options) -> Sought<'a> {
        let predicate = Predicate::Var(Look::AtEnd(0));
        let mut atoms = Atoms::default();
        let literal = atoms
            .literal(&predicate, Wording::Words("the service is performed"))
            .unwrap_or(Literal::Constant(false));
        let bad = by_formula(eventually(literal.formula()));
        let properties = vec![Temporal { requirement: self.requirement(), violation: "", bad }];
        let marks: Vec<Cube> = vec![literal.cube()];
        let monitors = vec![self.number];
        let pass = Pass { looks: true, monitors, ..Pass::unwatched(&options.of_states()) };
        let Networks { raw, searched } = &self.networks;
        let learned = Learned::new(searched);
        let form = Looked { model: argos.model(), raw, searched, atoms, learned };
        Sought { properties, marks, pass, form: Box::new(form) }
    }
}

/// Why the service of an assertion with this name cannot be asked for.
pub(super) fn refused(networks: &Networks, name: &str) -> Option<String> {
    let observers = &networks.raw.observers;
    let names: Vec<&str> = observers.iter().map(|it| it.machine().name.as_str()).collect();
    let Some(observer) = observers.iter().find(|observer| is_called(observer, name)) else {
        return Some(match names.as_slice() {
            [] => format!(
                "--within {name}: the model has no assertion; write the service as one, such as \
                 assert {{ user!msg1; user!msg0 }}"
            ),
            names => {
                format!("--within {name}: no such assertion; there are: {}", names.join(", "))
            }
        });
    };
    (!observer.ends()).then(|| {
        format!(
            "--within {name}: the end of this assertion cannot be reached, so no run performs it \
             to the end; write one that ends, such as c!a; c!b, or a do with an option that breaks"
        )
    })
}
