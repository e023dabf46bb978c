// What a step changed, what could have been done instead, and the whole state.
import { el, fill, number } from './dom.js';
import { letter } from './list.js';
import { contentsOf, valueOf } from './run.js';

/** A state of more rows is not listed at once: a text finds what is wanted. */
const ROWS_MAX = 300;
/** A state of so few needs no finding. */
const FOUND_MIN = 20;

export class Inspector {
  /** `openLine` is called with a file and a line. */
  constructor(run, openLine) {
    this.run = run;
    this.openLine = openLine;
    this.found = '';
    this.head = el('div');
    this.table = el('div');
    this.search = el('input', {
      type: 'search',
      placeholder: 'find in the state',
      'aria-label': 'Show only this of the state',
      oninput: (event) => {
        this.found = event.target.value.toLowerCase();
        this.#listState();
      },
    });
    this.whole = el(
      'details',
      { ontoggle: () => this.#listState() },
      el('summary', {}, 'Full state'),
      this.search,
      this.table,
    );
    this.element = el('div', { class: 'inspector', id: 'state' }, this.head, this.whole);
  }

  /** Opens or closes the whole state. */
  toggle() {
    this.whole.open = !this.whole.open;
  }

  /** Shows a step. */
  show(index) {
    this.index = index;
    this.state = this.run.stateAt(index);
    const step = index > 0 ? this.run.steps[index - 1] : null;
    fill(this.head, step ? this.#step(step) : el('h3', {}, 'Initial state'), this.#truth());
    this.#listState();
  }

  #step(step) {
    const before = this.run.stateAt(this.index - 1);
    const rows = this.#changes(step.changes, before);
    const place = step.file ? `${step.file}:${step.line}` : `line ${step.line}`;
    const fails = this.run.failing === this.index - 1 && this.run.tail;
    return [
      el(
        'h3',
        {},
        `After step ${number(this.index)}: ${step.process}, ${step.action} `,
        el('button', { type: 'button', class: 'link', onclick: () => this.openLine(step.file, step.line) }, place),
      ),
      fails && el('p', { class: 'tag bad' }, `✗ ${this.run.tail.text}`),
      step.printed && el('pre', { class: 'printed', title: 'printed by this step' }, step.printed),
      rows.length > 0 ? el('table', { class: 'changes' }, el('tbody', {}, rows)) : faint('Nothing changed.'),
      this.#others(step),
    ];
  }

  #changes(changes, before) {
    const { state } = this;
    const channels = Object.keys(changes.queues ?? {}).map((name) => {
      const old = name in before.queues ? contentsOf(before, name) : '';
      return changed(`channel ${name}`, old, contentsOf(state, name));
    });
    const variables = Object.keys(changes.vars ?? {}).map((name) =>
      changed(name, valueOf(before, name), valueOf(state, name)),
    );
    const places = Object.keys(changes.at ?? {}).map((name) => {
      const old = name in before.at ? this.run.place(name, before.at[name]) : '';
      return changed(name, old, this.run.place(name, state.at[name]));
    });
    const ended = (changes.ended ?? []).map((name) => {
      const isProcess = name in before.at;
      const old = isProcess ? this.run.place(name, before.at[name]) : contentsOf(before, name);
      return changed(isProcess ? name : `channel ${name}`, old, 'gone');
    });
    return [...channels, ...variables, ...places, ...ended];
  }

  #others(step) {
    const others = step.others ?? [];
    if (this.index <= this.run.others_from) {
      return faint('What else could have been done here was not looked up.');
    }
    if (others.length === 0) return faint('Nothing else could have been done instead.');
    const items = others.map((other) => el('li', {}, other));
    return el('div', { class: 'others' }, 'Instead it could have been:', el('ul', {}, items));
  }

  #truth() {
    const truth = this.run.truthAt(this.index);
    if (!truth) return false;
    const items = this.run.atoms.map((atom, at) => {
      const value = truth[at] === 'T' ? '● true' : '○ false';
      return el('tr', {}, el('td', {}, `${letter(at)}: ${atom}`), el('td', {}, value));
    });
    return el('table', { class: 'truths' }, el('tbody', {}, items));
  }

  #listState() {
    if (!this.whole.open || !this.state) return;
    const { at, queues, vars } = this.state;
    const all = [
      ...Object.keys(at).map((name) => [name, this.run.place(name, at[name])]),
      ...Object.keys(queues).map((name) => [`channel ${name}`, contentsOf(this.state, name)]),
      ...Object.keys(vars).map((name) => [name, valueOf(this.state, name)]),
    ];
    this.search.hidden = all.length <= FOUND_MIN;
    const fits = all.filter(([name]) => name.toLowerCase().includes(this.found));
    const shown = fits.slice(0, ROWS_MAX);
    const names = `${shown.map(([name]) => name).join('\n')}\n${fits.length}`;
    if (names === this.names) return this.#update(shown);
    this.names = names;
    this.values = shown.map(([, value]) => el('td', {}, value));
    this.texts = shown.map(([, value]) => value);
    const rows = shown.map(([name], at) => el('tr', {}, el('td', {}, name), this.values[at]));
    const more = fits.length - shown.length;
    fill(
      this.table,
      el('table', {}, el('tbody', {}, rows)),
      more > 0 && faint(`${number(more)} more: find narrows them`),
    );
  }

  /** The same names with other values: from step to step few of them are others. */
  #update(shown) {
    shown.forEach(([, value], at) => {
      if (value === this.texts[at]) return;
      this.texts[at] = value;
      fill(this.values[at], value);
    });
  }
}

function faint(text) {
  return el('p', { class: 'faint' }, text);
}

function changed(name, old, now) {
  const before = old === '' ? false : [el('span', { class: 'old' }, old), ' → '];
  return el('tr', {}, el('td', {}, name), el('td', {}, before, now));
}
