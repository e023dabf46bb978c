//! What is recorded of the steps of an agent, by a description that decides it: the moves, edge
//! by edge, and the values of the expressions in what its edges access. Two states that agree on that
//! have the same record ([`crate::record`]): which edges execute, and with whom, is in the
//! moves, and beyond that accesses depend on these values only.
//!
//! Unlike the words that an agent reads this leaves out what it only calculates with.

use crate::access::{AccessExpr, AccessTable, map};
use crate::backend::{Backend, Bail, Batch, Move};
use crate::closures::{Value, value};
use crate::record::{Recorded, Recorder};
use crate::{Expr, Packed};
use rapidhash::RapidHashMap;
use std::sync::Arc;
use system::Word;

/// A longer description would take longer than the record.
const WORDS_MAX: usize = 1 << 8;
/// So many records are remembered.
const REMEMBERED_MAX: usize = 1 << 16;
/// The value of an expression that fails. Others are 32 bits.
const FAILS: Word = 1 << 32;

/// Records by descriptions.
#[derive(Default)]
pub(crate) struct Described {
    /// Of each agent, at each place, the expressions in the accesses of its edges.
    asked: Vec<Vec<Vec<Value>>>,
    /// Those of each edge when it executes, for the one that takes an offer.
    taking: Vec<Vec<Value>>,
    /// Of the state at hand; empty if it is too long.
    description: Vec<Word>,
    records: RapidHashMap<Box<[Word]>, Arc<Recorded>>,
    /// Room for moves and the states they lead to.
    rooms: Vec<(Vec<Move>, Vec<Word>)>,
}

impl Described {
    pub(crate) fn new(packed: &Packed, table: &AccessTable) -> Self {
        let mut first = 0;
        let mut place = |place: &crate::Place| {
            let begin = first;
            first += place.groups.iter().chain(&place.takes).map(Vec::len).sum::<usize>();
            let edges = table.edges[begin..first].iter();
            expressions(edges.flat_map(|edge| [&edge.executed, &edge.refused]))
        };
        let asked = packed.agents.iter().map(|a| a.places.iter().map(&mut place).collect());
        Self {
            asked: asked.collect(),
            taking: table.edges.iter().map(|edge| expressions([&edge.executed])).collect(),
            ..Self::default()
        }
    }

    /// The record of an agent in a state, if one is remembered.
    pub(crate) fn find(
        &mut self,
        recorder: &mut Recorder,
        agent: usize,
        state: &[Word],
    ) -> Result<Option<Arc<Recorded>>, Bail> {
        self.description.clear();
        self.describe(recorder, agent, state)?;
        if self.description.len() > WORDS_MAX {
            self.description.clear();
            return Ok(None);
        }
        Ok(self.records.get(&*self.description).cloned())
    }

    /// Remembers the record of the state that was looked for last.
    pub(crate) fn remember(&mut self, recorded: &Arc<Recorded>) {
        if self.description.is_empty() || self.records.contains_key(&*self.description) {
            return;
        }
        if self.records.len() >= REMEMBERED_MAX {
            self.records.clear();
        }
        self.records.insert(self.description.as_slice().into(), Arc::clone(recorded));
    }

    /// Adds what an agent can do in a state, and behind the moves that go on what follows.
    fn describe(
        &mut self,
        recorder: &mut Recorder,
        agent: usize,
        state: &[Word],
    ) -> Result<(), Bail> {
        let (width, most) = (state.len(), recorder.most(agent, state));
        let (mut moves, mut words) = self.rooms.pop().unwrap_or_default();
        moves.resize(moves.len().max(most), Move::default());
        words.resize(words.len().max(most * width), 0);
        let mut batch = Batch::new(width, &mut moves, &mut words).tolerant();
        recorder.scratch.timeout = false;
        recorder.stepwise.ask(agent, state, &mut recorder.scratch, &mut batch)?;
        let count = batch.len();
        let place = recorder.packed.agents[agent].at.get(state) as usize;
        self.description.extend([agent as Word, place as Word, count as Word]);
        self.description.extend(moves[..count].iter().map(|by| by.bits()));
        let takers = moves[..count].iter().filter_map(|by| by.taker());
        let taking = takers.flat_map(|taker| &self.taking[taker as usize]);
        let asked = self.asked[agent].get(place).into_iter().flatten().chain(taking);
        let values = asked.map(|asked| {
            recorder.value(asked, state).map_or(FAILS, |value| Word::from(value as u32))
        });
        self.description.extend(values);
        for (at, by) in moves[..count].iter().enumerate().filter(|(_, by)| by.goes_on()) {
            if self.description.len() <= WORDS_MAX {
                let agent = recorder.owners[by.taker().unwrap_or(by.edge()) as usize] as usize;
                self.describe(recorder, agent, &words[at * width..][..width])?;
            }
        }
        self.rooms.push((moves, words));
        Ok(())
    }
}

/// The expressions in some accesses, each once, without those that are constant.
fn expressions<'a>(all: impl IntoIterator<Item = &'a Vec<AccessExpr>>) -> Vec<Value> {
    let mut found: Vec<Expr> = Vec::new();
    let mut see = |expr: &Expr| {
        if !matches!(expr, Expr::Const(_)) && !found.contains(expr) {
            found.push(expr.clone());
        }
    };
    all.into_iter().for_each(|accesses| drop(map(accesses, &mut see)));
    found.iter().map(value).collect()
}
