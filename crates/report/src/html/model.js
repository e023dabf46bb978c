// All of one model: verdict, requirements, the run that is shown, warnings, figures. Whoever makes
// it is told which run and which step are shown, and may put something above a run.
import { el, fill } from './dom.js';
import { Run } from './run.js';
import { Panes, Viewer } from './viewer.js';
import { chooser, established, explanation, findings } from './tables.js';
import { origin, requirements, statistics, unreached } from './tables.js';

/** Runs are made once: their states take a while. */
const made = new WeakMap();

function runOf(model, at) {
  const data = model.runs[at];
  if (!made.has(data)) made.set(data, new Run(data, model.machines));
  return made.get(data);
}

export class ModelPart {
  /**
   * `moved(run, step)` is called behind each move, `announce(text)` says something aloud, and
   * `beside(run)` gives what stands above the run of that index.
   */
  constructor(model, { moved, announce, beside = () => false }) {
    this.model = model;
    this.moved = moved;
    this.announce = announce;
    this.beside = beside;
    this.viewer = null;
    this.place = el('section', { id: 'run', 'aria-label': 'Run' });
    this.opener = () => {};
    const openLine = (file, line) => {
      this.opener(file, line);
      this.place.scrollIntoView();
    };
    const openRun = (index) => {
      this.showRun(index);
      this.place.scrollIntoView();
      this.viewer.focus();
    };
    this.element = el(
      'main',
      {},
      findings('errors', 'Errors in the model', model.diagnostics, openLine),
      el('div', { class: 'two' }, el('div', {}, established(model)), el('div', {}, requirements(model, openRun))),
      this.place,
      el('div', { class: 'paper', id: 'paper' }),
      el('div', { class: 'two' }, findings('warnings', 'Warnings', model.warnings, openLine), unreached(model, openLine)),
      el('div', { class: 'two' }, statistics(model), origin(model)),
    );
  }

  /** Shows a run, if there is one, at a step. */
  open(run = 0, step = null) {
    const { runs } = this.model;
    if (runs.length > 0) this.showRun(Math.min(run, runs.length - 1), step);
    else this.#showTexts();
  }

  /** Shows a run at a step; without one at its end. */
  showRun(at, step = null) {
    const run = runOf(this.model, at);
    const moved = (now) => this.moved(at, now);
    this.viewer = new Viewer(this.model, run, { moved, announce: this.announce });
    this.opener = (file, line) => this.viewer.openLine(file, line);
    fill(
      this.place,
      el('h2', {}, 'Run'),
      chooser(this.model.runs, at, (other) => this.showRun(other)),
      explanation(run, this.opener),
      this.beside(at),
      this.viewer.element,
    );
    // A run that goes on for ever begins where it does.
    const start = run.cycle_start === null ? run.length : run.cycle_start + 1;
    this.viewer.go(step ?? start, true);
  }

  /** Without a run: source and machines alone. */
  #showTexts() {
    if (this.model.sources.length === 0) return;
    const panes = new Panes(this.model, null, (file, line) => this.opener(file, line), () => {}, () => 0);
    this.opener = (file, line) => {
      panes.select('source');
      panes.source.show(file, line);
    };
    fill(this.place, el('h2', {}, 'Source and machines'), el('div', { class: 'alone' }, panes.element));
  }
}
