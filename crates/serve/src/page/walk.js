// A run that is chosen step by step: what can happen next, and the run so far as a report shows it.
// Where the run is looked at is where it goes on: a step taken before its end begins a branch.
import { button, el, fill } from './dom.js';
import { Run } from './run.js';
import { Viewer } from './viewer.js';
import { explanation } from './tables.js';
import { ask } from './api.js';
import { Branches, isSame } from './branches.js';
import { Offers } from './offers.js';

/** What can happen next is asked for when nothing has moved for so long, in milliseconds. */
const REST = 80;
const RANDOM_STEPS = 10;
const UNTIL_STEPS = 1000;

export class Walk {
  /**
   * `request()` is the text to be executed, `tell(words, tone)` shows a sentence, `shown(view)` is
   * called with each run, `moved(isNew)` with each move, `findings(all)` with what is wrong with the
   * text, `checkAhead(run)` and `findAhead(run, words)` ask for searches from where the run is.
   */
  constructor(owner) {
    this.owner = owner;
    this.branches = new Branches();
    this.known = new Map();
    this.at = 0;
    this.offers = new Offers((at, choice) => this.#take(at, choice), (line) => this.viewer?.openLine(undefined, line));
    this.chooser = el('select', { id: 'branches', 'aria-label': 'Which branch', onchange: () => this.#choose() });
    this.place = el('div', { id: 'run' });
    this.element = el('main', {}, el('div', { class: 'next' }, this.#controls(), this.offers.element), this.place);
  }

  /** The run up to where it is looked at. */
  get here() {
    const { path = [], rules } = this.branches.current ?? {};
    return { path: path.slice(0, this.at), rules };
  }

  /** The branch and the step that are looked at. */
  get spot() {
    return { branch: this.branches.current?.id ?? 0, at: Math.max(0, this.at) };
  }

  /** Goes to a branch and a step of it, as far as they are still there. */
  go({ branch, at }) {
    if (branch === this.branches.current?.id && this.viewer) return this.viewer.go(this.#eventsOf(Math.min(at, this.ends.length)));
    return this.branches.select(branch) && this.open(this.branches.current, { at, again: true });
  }

  /** The text is another one: the run is executed again, as far as it goes. */
  async again() {
    this.known.clear();
    const at = this.at;
    await this.open(this.branches.current ?? { path: [] }, { at, again: true });
  }

  /** Shows a run, at its end or at a step; `more` goes on from there. */
  async open({ path, rules }, { at = null, again = false, more = {} } = {}) {
    const before = this.offers.here;
    this.offers.show(null);
    try {
      const answer = await ask('run', { ...this.owner.request(), path, rules, ...more });
      if (answer === null) return;
      if (answer.findings) {
        this.offers.show(before);
        return this.owner.findings(answer.findings, more.until);
      }
      const run = { path: answer.path, rules: answer.rules };
      if (again) this.branches.replace(run);
      else this.branches.show(run);
      this.isNew = !again;
      this.known.set(answer.path.length, answer.here);
      this.#show(answer, at === null ? answer.path.length : Math.min(at, answer.path.length));
      if (answer.said) this.owner.tell(answer.said);
    } catch (error) {
      this.offers.show(before);
      this.owner.tell(error.message, 'bad');
    }
  }

  #show({ view, path, ends, here }, at) {
    this.ends = ends;
    this.known = new Map([[path.length, here]]);
    const run = new Run(view.runs[0], view.machines);
    const before = this.viewer;
    this.viewer = new Viewer(view, run, {
      moved: (event) => this.#moved(event),
      announce: (text) => this.owner.announce(text),
    });
    // What was open stays open.
    if (before) this.viewer.take(before);
    fill(this.place, run.tail || run.waits.length > 0 ? explanation(run, (...it) => this.viewer.openLine(...it)) : '', this.viewer.element);
    const options = this.branches.names().map((name, index) =>
      el('option', { value: index, selected: index === this.branches.now }, name),
    );
    fill(this.chooser, options);
    this.owner.shown(view);
    this.at = -1;
    this.viewer.go(this.#eventsOf(at), true);
  }

  #eventsOf(step) {
    return step === 0 ? 0 : this.ends[step - 1];
  }

  /** The last step that is over at an event: in the middle of an atomic sequence nobody chooses. */
  #moved(event) {
    let at = this.ends.length;
    while (at > 0 && this.ends[at - 1] > event) at -= 1;
    if (at === this.at) return;
    this.at = at;
    this.owner.moved(this.isNew);
    this.isNew = false;
    clearTimeout(this.timer);
    if (this.known.has(at)) return this.offers.show(this.known.get(at));
    this.offers.show(null);
    this.timer = setTimeout(() => this.#look(), REST);
  }

  async #look() {
    const { at, known } = this;
    try {
      const answer = await ask('here', { ...this.owner.request(), ...this.here });
      if (answer === null || known !== this.known) return;
      if (answer.findings) return this.owner.findings(answer.findings);
      known.set(at, answer);
      if (at === this.at) this.offers.show(answer);
    } catch (error) {
      this.owner.tell(error.message, 'bad');
    }
  }

  #take(at, choice) {
    const { path, rules } = this.branches.current ?? { path: [] };
    const taken = { choice: at, process: choice.process, action: choice.action };
    this.owner.announce(`${choice.process}, ${choice.action}`);
    if (this.at < path.length && isSame(path[this.at], taken)) {
      return this.viewer.go(this.#eventsOf(this.at + 1));
    }
    return this.open({ path: [...path.slice(0, this.at), taken], rules });
  }

  attached() {
    this.viewer?.attached();
  }

  /** Back by one step. */
  back() {
    if (this.at > 0) this.viewer.go(this.#eventsOf(this.at - 1));
  }

  random(steps, until) {
    const seed = Math.floor(Math.random() * 1e6);
    const more = { random: { steps, seed }, ...(until ? { until } : {}) };
    return this.open(this.here, { more });
  }

  #choose() {
    this.branches.now = Number(this.chooser.value);
    this.open(this.branches.current);
  }

  #forget() {
    this.branches.forget();
    this.open(this.branches.current ?? { path: [] });
  }

  #controls() {
    const steps = el('input', { type: 'number', id: 'steps', min: 1, max: 10000, value: RANDOM_STEPS, 'aria-label': 'How many steps' });
    const until = el('input', { type: 'text', id: 'until', placeholder: 'until: x == 3 && len(q) > 0', 'aria-label': 'Until this holds' });
    const wanted = (then) => {
      const text = until.value.trim();
      if (text) then(text);
      else until.focus();
    };
    const random = () => this.random(Math.max(1, Math.min(10000, Number(steps.value) || 1)));
    until.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') wanted((text) => this.random(UNTIL_STEPS, text));
    });
    return el(
      'div',
      { class: 'bar', role: 'toolbar', 'aria-label': 'Run on' },
      button('back', 'back by a step (Backspace)', () => this.back(), { id: 'back' }),
      button('start', 'to the initial state', () => this.viewer?.go(0), { id: 'start' }),
      el('span', { class: 'group' }, steps, button('at random', 'so many random steps (r)', random, { id: 'random' })),
      el(
        'span',
        { class: 'group' },
        until,
        button('random run', 'random steps until it holds (Enter)', () => wanted((text) => this.random(UNTIL_STEPS, text)), { id: 'run-until' }),
        button('shortest run', 'search the shortest way from here to where it holds', () => wanted((text) => this.owner.findAhead(this.here, text)), { id: 'find' }),
      ),
      button('check from here', 'what can go wrong ahead of this state?', () => this.owner.checkAhead(this.here), { id: 'check-ahead' }),
      el('span', { class: 'gap' }),
      el('span', { class: 'group' }, this.chooser, button('✕', 'forget this branch', () => this.#forget(), { id: 'forget' })),
    );
  }

  /** Handles a key; says whether it was one of ours. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      if (event.key === 'Escape') event.target.blur();
      return false;
    }
    if (/^[1-9]$/.test(event.key)) return this.offers.choose(Number(event.key) - 1);
    if (event.key === 'Backspace') this.back();
    else if (event.key === 'r') this.random(1);
    else return this.viewer?.key(event) ?? false;
    return true;
  }
}
