// What the page remembers: over a reload all runs that were tried and an edited text, in the storage
// of this tab; over the browser's back and forward buttons the place that was looked at.

const KEY = 'argos explorer';

/** The place is written when nothing has moved for so long, in milliseconds. */
const REST = 250;

export class Memory {
  /** `state()` is everything to be kept; `place()` is what is looked at; `open(place)` goes there. */
  constructor(file, { state, place, open }) {
    this.file = file;
    this.state = state;
    this.place = place;
    addEventListener('popstate', ({ state: there }) => there && open(there));
    addEventListener('pagehide', () => this.#write());
  }

  /** What was kept of this model, and the place that was looked at; nothing at first. */
  static kept(file) {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY));
      return kept?.file === file ? { ...kept, place: history.state ?? kept.place } : null;
    } catch {
      return null;
    }
  }

  /** Another place is looked at: one that can be gone back from, or a step on within it. */
  moved(isNew) {
    clearTimeout(this.timer);
    const place = this.place();
    if (isNew && history.state) history.pushState(place, '');
    else history.replaceState(place, '');
    this.timer = setTimeout(() => this.#write(), REST);
  }

  /** A tab has room for a few megabytes: where all runs are more, the oldest are not kept. */
  #write() {
    const { runs, ...rest } = this.state();
    for (let from = 0; from <= runs.length; from = 2 * from + 1) {
      const kept = { file: this.file, place: this.place(), ...rest, runs: runs.slice(from) };
      try {
        return sessionStorage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // There was no room for so much.
      }
    }
  }
}
