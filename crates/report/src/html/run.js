// A run: its steps, and the state behind each of them. Step 0 is the initial state; step `n` is
// the n-th event, `run.steps[n - 1]`.

/** A whole state is kept every so many steps; the others are made from it and what changed. */
const KEPT_EVERY = 256;

/** Whether the papers count a step: sends, rendezvous and timeouts, not receives. */
export function isEvent(step) {
  return step.kind === 'send' || step.kind === 'rendezvous' || step.kind === 'tau';
}

export class Run {
  /** `data` is the run of a page, `machines` are those of its model. */
  constructor(data, machines) {
    Object.assign(this, data);
    this.length = this.steps.length;
    this.laneOf = new Map(this.lanes.map((lane, index) => [lane.name, index]));
    this.machines = new Map(
      this.lanes
        .filter((lane) => lane.machine !== null)
        .map((lane) => [lane.name, machines[lane.machine]]),
    );
    this.places = new Map();
    for (const machine of machines) {
      this.places.set(machine, new Map(machine.nodes.map((node) => [node.id, node.place])));
    }
    this.#keep();
    this.#count();
  }

  #keep() {
    this.kept = [];
    const state = copy(this.initial);
    this.steps.forEach((step, index) => {
      if (index % KEPT_EVERY === 0) this.kept.push(copy(state));
      apply(state, step.changes);
    });
    if (this.kept.length === 0) this.kept.push(copy(state));
  }

  #count() {
    this.events = new Int32Array(this.length + 1);
    this.byLine = new Map();
    this.steps.forEach((step, index) => {
      this.events[index + 1] = this.events[index] + (isEvent(step) ? 1 : 0);
      const line = lineKey(step.file, step.line);
      if (!this.byLine.has(line)) this.byLine.set(line, []);
      this.byLine.get(line).push(index + 1);
    });
  }

  /** The state behind step `index`. */
  stateAt(index) {
    const known = Math.min(Math.floor(index / KEPT_EVERY), this.kept.length - 1);
    const state = copy(this.kept[known]);
    for (let at = known * KEPT_EVERY; at < index; at++) apply(state, this.steps[at].changes);
    return state;
  }

  /** Where a process is, in words. */
  place(process, node) {
    if (node === undefined) return 'not there';
    const machine = this.machines.get(process);
    return this.places.get(machine)?.get(node) ?? node;
  }

  /** Which propositions hold behind step `index`, `T` or `F` each; empty if that is not known. */
  truthAt(index) {
    return (index === 0 ? this.initial_truth : this.steps[index - 1].truth) ?? '';
  }

  /** The steps that execute a statement at a line. */
  stepsAt(file, line) {
    return this.byLine.get(lineKey(file, line)) ?? [];
  }

  /** Whether a step has a text in its statement, its process or the names of what it changes. */
  matches(index, text) {
    const step = this.steps[index - 1];
    const { queues = {}, vars = {} } = step.changes;
    const names = [step.process, step.action, ...Object.keys(queues), ...Object.keys(vars)];
    return names.some((name) => name.toLowerCase().includes(text));
  }
}

/** A file of `undefined` is the model itself. */
function lineKey(file, line) {
  return `${file ?? ''}\n${line}`;
}

function copy(state) {
  return {
    at: { ...state.at },
    queues: { ...state.queues },
    vars: { ...state.vars },
    words: { ...state.words },
  };
}

/** What a step changed; it names only that. */
function apply(state, changes) {
  for (const process of changes.ended ?? []) {
    delete state.at[process];
    delete state.queues[process];
    for (const name of Object.keys(state.vars)) {
      if (name.startsWith(`${process}.`)) {
        delete state.vars[name];
        delete state.words[name];
      }
    }
  }
  Object.assign(state.at, changes.at);
  Object.assign(state.queues, changes.queues);
  for (const name of Object.keys(changes.vars ?? {})) delete state.words[name];
  Object.assign(state.vars, changes.vars);
  Object.assign(state.words, changes.words);
}

/** The value of a variable, as people read it. */
export function valueOf(state, name) {
  return state.words[name] ?? String(state.vars[name] ?? '');
}

/** The messages in a channel. */
export function contentsOf(state, channel) {
  const queue = state.queues[channel] ?? [];
  return queue.length === 0 ? '(empty)' : queue.join(', ');
}
