// A run to step through: controls, list and chart, inspector, source and machines. Whoever makes
// a viewer gives it a model and a run, and is told where it is.
import { button, el, fill, number } from './dom.js';
import { isEvent } from './run.js';
import { layout, rowBefore } from './rows.js';
import { StepList } from './list.js';
import { Inspector } from './inspector.js';
import { SourcePane } from './source.js';
import { MachinePane } from './machines.js';

/** Steps that Page Up and Page Down move. */
const PAGE = 20;
/** Rounds of a loop after which looking for a step in it is given up. */
const ROUNDS_MAX = 2;

const KEYS = [
  ['→ ←', 'or j k: step on, back'],
  ['Shift → ←', 'next, previous event'],
  ['n p', 'next, previous step of the same process'],
  ['Home End', 'first, last'],
  ['PgUp PgDn', `${PAGE} steps`],
  ['↑ ↓', 'step, while the list has the focus'],
  ['i', 'internal steps on, off'],
  ['/', 'find'],
  ['s m', 'source, machines'],
  ['f', 'full state'],
  ['w', 'wide chart'],
];

export class Viewer {
  /** `moved(step)` is called behind each move, `announce(text)` says something aloud. */
  constructor(model, run, { moved, announce }) {
    this.run = run;
    this.moved = moved;
    this.announce = announce;
    this.now = 0;
    this.round = 1;
    this.internal = true;
    this.text = '';
    this.hiddenLanes = new Set();
    this.hiddenChannels = new Set();
    const openLine = (file, line) => this.openLine(file, line);
    this.list = new StepList(run, (step) => this.go(step));
    this.inspector = new Inspector(run, openLine);
    this.panes = new Panes(model, run, openLine, (step) => this.go(step), () => this.now);
    this.side = el('div', { class: 'side' }, this.inspector.element, this.panes.element);
    this.view = el('div', { class: 'view' }, this.list.element, this.side);
    this.element = el('div', { class: 'viewer' }, this.#controls(), this.view);
    this.#filter();
  }

  /** Moves to a step; `quiet` says nothing aloud. */
  go(step, quiet = false) {
    this.now = Math.max(0, Math.min(this.run.length, step));
    this.list.select(this.now);
    this.inspector.show(this.now);
    this.panes.show(this.now);
    this.#tellPosition();
    const at = this.now > 0 ? this.run.steps[this.now - 1] : null;
    const words = at ? `Step ${this.now}, ${at.process}, ${at.action}, line ${at.line}` : 'Initial state';
    if (!quiet) this.announce(words);
    this.moved(this.now);
  }

  /** It was taken off the page and is there again. */
  attached() {
    this.list.attached();
    this.panes.show(this.now);
  }

  /** Opens a line of the source. */
  openLine(file, line) {
    this.panes.select('source');
    this.panes.source.show(file, line);
    this.panes.element.scrollIntoView({ block: 'nearest' });
  }

  /** Gives the list the focus. */
  focus() {
    this.list.element.focus({ preventScroll: true });
  }

  /** Shows the same as another viewer: source or machines, the whole state, internal steps, width. */
  take(other) {
    this.panes.select(other.panes.selected);
    if (other.inspector.whole.open) this.inspector.toggle();
    if (!other.internal) this.#toggleInternal();
    if (other.view.classList.contains('wide')) this.#toggleWide();
  }

  #tellPosition() {
    const { cycle_start: start, length, events } = this.run;
    const parts = [`step ${number(this.now)} of ${number(length)}`];
    if (this.now > 0) parts.push(`event ${number(events[this.now])}`);
    if (start !== null && this.now > start) parts.push(`round ${this.round}`);
    fill(this.position, parts.join(', '));
  }

  /** On by one row, or by as many as it takes to come to a step that fits. */
  #move(way, fits = () => true) {
    const { steps } = this.list.layout;
    const { cycle_start: start } = this.run;
    let row = this.list.layout.rowOf[this.now];
    if (row < 0) row = rowBefore(this.list.layout, this.now) + (way < 0 ? 1 : 0);
    for (let rounds = 0; rounds < ROUNDS_MAX; ) {
      row += way;
      if (row < 0) return;
      if (row >= steps.length) {
        const again = start === null ? -1 : steps.findIndex((step) => step > start);
        if (again < 0) return;
        row = again;
        rounds += 1;
        this.round += 1;
      }
      if (steps[row] === 0 || fits(this.run.steps[steps[row] - 1])) return this.go(steps[row]);
    }
  }

  #last() {
    this.round = 1;
    this.go(this.run.length);
  }

  #controls() {
    this.position = el('span', { class: 'position' });
    this.count = el('span', { class: 'faint' });
    this.find = el('input', {
      type: 'search',
      placeholder: 'find: statement, process, variable',
      'aria-label': 'Show only steps with this text',
      oninput: () => {
        this.text = this.find.value.toLowerCase();
        this.#refilter();
      },
    });
    this.internalButton = el(
      'button',
      { type: 'button', 'aria-pressed': 'true', title: 'i', onclick: () => this.#toggleInternal() },
      'internal steps',
    );
    this.wideButton = el(
      'button',
      { type: 'button', 'aria-pressed': 'false', title: 'w', onclick: () => this.#toggleWide() },
      'wide',
    );
    const keys = KEYS.map(([key, what]) => el('div', {}, el('kbd', {}, key), ` ${what}`));
    return el(
      'div',
      { class: 'bar', role: 'toolbar', 'aria-label': 'Run' },
      button('|◀', 'first (Home)', () => this.go(0)),
      button('◀', 'step back (left arrow)', () => this.#move(-1)),
      button('▶', 'step on (right arrow)', () => this.#move(1)),
      button('▶|', 'last (End)', () => this.#last()),
      this.position,
      el('span', { class: 'gap' }),
      this.count,
      this.find,
      this.internalButton,
      this.#filters(),
      this.wideButton,
      popup('Keys', keys),
    );
  }

  #filters() {
    const box = (name, set, item) =>
      el(
        'label',
        {},
        el('input', {
          type: 'checkbox',
          checked: true,
          onchange: (event) => {
            if (event.target.checked) set.delete(item);
            else set.add(item);
            this.#refilter();
          },
        }),
        ` ${name}`,
      );
    const channels = new Set(this.run.steps.map((step) => step.channel).filter(Boolean));
    return popup('Processes, channels', [
      el('h3', {}, 'Processes'),
      this.run.lanes.map((lane, index) => box(lane.name, this.hiddenLanes, index)),
      channels.size > 0 && el('h3', {}, 'Channels'),
      [...channels].map((channel) => box(channel, this.hiddenChannels, channel)),
    ]);
  }

  #toggleInternal() {
    this.internal = !this.internal;
    this.internalButton.setAttribute('aria-pressed', String(this.internal));
    this.#refilter();
  }

  #toggleWide() {
    const on = this.view.classList.toggle('wide');
    this.wideButton.setAttribute('aria-pressed', String(on));
  }

  #refilter() {
    this.#filter();
    this.go(this.now, true);
  }

  /** The violation is never hidden as an internal step. */
  #keeps(index) {
    const step = this.run.steps[index - 1];
    if (this.hiddenLanes.has(this.run.laneOf.get(step.process))) return false;
    if (step.channel && this.hiddenChannels.has(step.channel)) return false;
    const isHidden = !this.internal && step.kind === 'internal' && this.run.failing !== index - 1;
    return !isHidden && (this.text === '' || this.run.matches(index, this.text));
  }

  #filter() {
    const lanes = this.run.lanes.map((_, index) => index).filter((it) => !this.hiddenLanes.has(it));
    const rows = layout(this.run, lanes, (index) => this.#keeps(index));
    this.list.show(rows);
    this.view.style.setProperty('--rows', `${this.list.wanted()}px`);
    const shown = rows.steps.length - 1;
    const all = this.run.length;
    fill(this.count, shown === all ? '' : `${number(shown)} of ${number(all)} steps shown`);
  }

  /** Handles a key; says whether it was one of ours. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.target;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
      if (event.key === 'Escape') target.blur();
      return false;
    }
    const step = this.run.steps[this.now - 1];
    const same = (other) => other.process === step?.process;
    const event_ = event.shiftKey ? isEvent : undefined;
    const everywhere = {
      ArrowRight: () => this.#move(1, event_),
      ArrowLeft: () => this.#move(-1, event_),
      j: () => this.#move(1),
      k: () => this.#move(-1),
      n: () => this.#move(1, same),
      p: () => this.#move(-1, same),
      i: () => this.#toggleInternal(),
      '/': () => this.find.focus(),
      w: () => this.#toggleWide(),
      s: () => this.panes.select('source'),
      m: () => this.panes.select('machines'),
      f: () => this.inspector.toggle(),
    };
    const inList = {
      ArrowDown: () => this.#move(1),
      ArrowUp: () => this.#move(-1),
      Home: () => this.go(0),
      End: () => this.#last(),
      PageDown: () => this.go(this.now + PAGE),
      PageUp: () => this.go(this.now - PAGE),
    };
    const ours = everywhere[event.key] ?? (this.list.element.contains(target) && inList[event.key]);
    if (!ours) return false;
    ours();
    return true;
  }
}

/** Source and machines, one at a time. */
export class Panes {
  constructor(model, run, openLine, pick, now) {
    this.run = run;
    this.index = 0;
    const stepsAt = (file, line) => run?.stepsAt(file, line) ?? [];
    const faults = model.diagnostics.flatMap((it) => it.places).map((it) => `${it.file}:${it.line}`);
    const isFault = (file, line) => faults.includes(`${file}:${line}`);
    this.source = new SourcePane(model.sources, { stepsAt, pick, now, isFault });
    this.machines = new MachinePane(model.machines, openLine);
    this.pane = el('div', { class: 'pane', tabindex: 0, role: 'tabpanel' });
    this.tabs = ['source', 'machines'].map((name) =>
      el(
        'button',
        { type: 'button', role: 'tab', 'data-pane': name, onclick: () => this.select(name) },
        name === 'source' ? 'Source' : 'Machines',
      ),
    );
    const bar = el(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'Source or machines', onkeydown: (it) => this.#turn(it) },
      this.tabs,
      el('span', { class: 'faint' }, model.legend),
    );
    this.element = el('div', { class: 'panes' }, bar, this.pane);
    this.height = 400;
    this.source.within(this.pane, () => this.height);
    new ResizeObserver(() => {
      this.height = this.pane.clientHeight || this.height;
    }).observe(this.pane);
    this.select('source');
  }

  /** Shows one of them. */
  select(name) {
    this.selected = name;
    for (const tab of this.tabs) {
      const on = tab.dataset.pane === name;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    this.pane.setAttribute('aria-label', name);
    fill(this.pane, name === 'source' ? this.source.element : this.machines.element);
    this.show(this.index);
  }

  /** Shows where step `index` is. */
  show(index) {
    this.index = index;
    if (this.selected === 'machines') return this.machines.show(this.run, index);
    const step = index > 0 ? this.run?.steps[index - 1] : null;
    this.source.show(step?.file, step?.line ?? 0);
  }

  #turn(event) {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    event.stopPropagation();
    this.select(this.selected === 'source' ? 'machines' : 'source');
    this.tabs.find((tab) => tab.dataset.pane === this.selected).focus();
  }
}

function popup(name, content) {
  return el('details', { class: 'popup' }, el('summary', {}, name), el('div', {}, content));
}
