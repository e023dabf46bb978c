// The runs that were tried. A step that is taken where another one was taken before begins a branch,
// and the run before stays.

/** The oldest branch makes room beyond so many. */
const BRANCHES_MAX = 50;

export class Branches {
  constructor() {
    this.all = [];
    this.now = -1;
    this.numbered = 0;
  }

  /** Takes runs that were tried before. */
  restore(runs) {
    this.all = runs;
    this.now = runs.length - 1;
    this.numbered = Math.max(0, ...runs.map((run) => run.id));
  }

  /** Shows the branch of this number; says whether it is still there. */
  select(id) {
    const at = this.all.findIndex((run) => run.id === id);
    if (at >= 0) this.now = at;
    return at >= 0;
  }

  /** The run that is shown; none at the beginning. */
  get current() {
    return this.all[this.now] ?? null;
  }

  /** A run is shown: a longer one takes the place of its beginning, any other is a new branch. */
  show(run) {
    const same = this.all.findIndex((it) => leads(it, run) || leads(run, it));
    if (same >= 0) {
      // What was tried further is not lost by looking at its beginning.
      if (leads(this.all[same], run)) this.all[same] = { ...run, id: this.all[same].id };
      this.now = same;
      return;
    }
    this.numbered += 1;
    this.all.push({ ...run, id: this.numbered });
    if (this.all.length > BRANCHES_MAX) this.all.shift();
    this.now = this.all.length - 1;
  }

  /** Takes a run in the place of the one that is shown: it was executed again. */
  replace(run) {
    if (this.current) this.all[this.now] = { ...run, id: this.current.id };
    else this.show(run);
  }

  /** Forgets the branch that is shown. */
  forget() {
    this.all.splice(this.now, 1);
    this.now = Math.min(this.now, this.all.length - 1);
  }

  /** What each is called: where it parts from the one before, and how long it is. */
  names() {
    return this.all.map((run, index) => {
      const { length } = run.path;
      const last = run.path[length - 1];
      const end = last ? `, last ${last.process}: ${last.action}` : '';
      const before = this.all[index - 1];
      const parts = before && sameRules(before, run) ? `, parts at step ${shared(before.path, run.path)}` : '';
      return `${index + 1}: ${length} ${length === 1 ? 'step' : 'steps'}${parts}${end}`;
    });
  }
}

export function isSame(one, other) {
  return one.choice === other.choice && one.process === other.process && one.action === other.action;
}

/** How many steps two paths begin with in common. */
function shared(one, other) {
  const end = Math.min(one.length, other.length);
  let count = 0;
  while (count < end && isSame(one[count], other[count])) count += 1;
  return count;
}

function sameRules(one, other) {
  return JSON.stringify(one.rules ?? null) === JSON.stringify(other.rules ?? null);
}

/** Whether a run begins as the other one is. */
function leads(one, other) {
  return sameRules(one, other) && shared(one.path, other.path) === one.path.length;
}
