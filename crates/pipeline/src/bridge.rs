//! A boxed system as a system: searches are generic, and made for this one.

use crate::subject::{Boxed, Searchable};
use search::{Outcome, Plan, Watch};
use system::{
    Anatomy, Blank, Deed, Deeds, Divided, Part, Patience, Rest, Scope, Successors, System, Tag,
    Word,
};

/// Searches a system as planned, by it and its copies where the plan allows it.
pub(crate) fn run<'a>(
    system: &Boxed<'a>,
    copies: &mut [Boxed<'a>],
    plan: &Plan,
    asks_of_steps: bool,
    watch: &mut dyn Watch,
) -> Outcome {
    match asks_of_steps {
        true => search::run_reduced(system, plan, watch),
        false => search::run_parallel(system, copies, plan, watch),
    }
}

fn known<'s>(system: &'s (dyn Searchable + '_)) -> &'s dyn Deeds {
    system.deeds().expect("only systems that know their steps are searched with a reduction")
}

impl System for Boxed<'_> {
    fn width(&self) -> usize {
        (**self).width()
    }
    fn telling(&self) -> usize {
        (**self).telling()
    }
    fn scope(&self) -> Scope {
        (**self).scope()
    }
    fn initial(&self, words: &mut [Word]) {
        (**self).initial(words);
    }
    fn successors(&self, state: &[Word], out: &mut Successors) {
        (**self).successors(state, out);
    }
    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        patience: &mut dyn Patience,
    ) -> bool {
        (**self).successors_within(state, out, patience)
    }
    fn notes_executed(&self) -> bool {
        (**self).notes_executed()
    }
    fn commutes(&self) -> bool {
        (**self).commutes()
    }
    fn divided(&self) -> Option<&dyn Divided> {
        (**self).divided()
    }
    fn noted(&self, mark: &mut dyn FnMut(u32, u32)) {
        (**self).noted(mark);
    }
    fn tag(&self, batch: &Successors, index: usize) -> Tag {
        (**self).tag(batch, index)
    }
    fn rest(&self, state: &[Word]) -> Rest {
        (**self).rest(state)
    }
    fn labelled(&self, state: &[Word]) -> bool {
        (**self).labelled(state)
    }
}

impl Anatomy for Boxed<'_> {
    fn is_inward(&self, state: &[Word], agent: u32) -> bool {
        (**self).is_inward(state, agent)
    }
    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        (**self).is_crowded(state, most)
    }
    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        (**self).blank(part)
    }
}

impl Deeds for Boxed<'_> {
    fn deeds(&self, batch: &Successors, deeds: &mut Vec<Deed>) {
        known(&**self).deeds(batch, deeds);
    }
    fn dependent(&self, one: Deed, other: Deed) -> bool {
        known(&**self).dependent(one, other)
    }
    fn ample(&self, state: &[Word], batch: &Successors, found: &mut Vec<std::ops::Range<usize>>) {
        known(&**self).ample(state, batch, found);
    }
}
