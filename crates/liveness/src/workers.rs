//! Several threads that search one product, each with a walker of its own.

use crate::Helpers;
use crate::product::Product;
use search::{Progress, Stop, Walker, Watch, Why};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// How a search by several threads ends: it is over when one of them says so.
pub(crate) struct End<T> {
    over: AtomicBool,
    end: Mutex<Option<Result<T, Why>>>,
}

impl<T: Send> End<T> {
    pub(crate) fn new() -> Self {
        Self { over: AtomicBool::new(false), end: Mutex::new(None) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Ends the search. What was found is never lost for another reason to end.
    fn stop(&self, end: Result<T, Why>) {
        let mut ended = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.is_none() || end.is_ok() {
            *ended = Some(end);
        }
        self.over.store(true, Ordering::SeqCst);
    }

    fn note(&self, searched: Result<Option<T>, Why>) {
        match searched {
            Ok(Some(found)) => self.stop(Ok(found)),
            Ok(None) => {}
            Err(_) if self.is_over() => {}
            Err(why) => self.stop(Err(why)),
        }
    }
}

/// Ends the work of one thread when the search is over.
struct Halt<'a>(&'a AtomicBool);

impl Watch for Halt<'_> {
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        self.0.load(Ordering::Relaxed).then_some(Stop::Interrupted)
    }
}

/// Has `work` done by this thread and by one more for each helper, each with its number, and
/// waits for all of them: what one has found, if one has. Without room for its walker the others
/// do the work of a thread.
pub(crate) fn search<T: Send>(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
    end: &End<T>,
    work: impl Fn(&mut Walker<'_>, u32) -> Result<Option<T>, Why> + Sync,
) -> Result<Option<T>, Why> {
    let (edges, request, work) = (walker.edges().cloned(), helpers.request, &work);
    std::thread::scope(|scope| {
        for (number, copy) in (1..).zip(helpers.copies.iter_mut()) {
            let edges = edges.clone();
            scope.spawn(move || {
                let mut halt = Halt(&end.over);
                let walker = Walker::new(product.space, &**copy, request, &mut halt);
                walker.into_iter().for_each(|mut walker| {
                    edges.iter().for_each(|edges| walker.follow(edges));
                    end.note(work(&mut walker, number));
                });
            });
        }
        end.note(work(walker, 0));
    });
    end.end.lock().unwrap_or_else(PoisonError::into_inner).take().transpose()
}
