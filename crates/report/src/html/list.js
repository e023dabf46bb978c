// The list of steps and the chart on one grid: a row per step, so that a label collides with
// nothing and ten thousand rows are placed by arithmetic. Only the rows in sight are in the page.
// Sizes are read when they change and never while stepping.
import { el, fill, number, shape, shortened } from './dom.js';
import { LOOP, draw } from './chart.js';
import { rowBefore } from './rows.js';

const ROW = 24;
const HEAD = 34;
/** Rows above and below those in sight. */
const SPARE = 6;
/** More propositions than this have no column of their own. */
const ATOMS_MAX = 6;
const ATOM = 22;
/** With more lanes than this they are narrow, and the list has no column for processes. */
const LANES_WIDE = 7;
const NARROW = 720;
/** Width of a character of the names of lanes. */
const NAME = 7.3;
/** The column of processes is as wide as the longest name, within these bounds. */
const PROCESS = [64, 112];

export class StepList {
  /** `pick` is told which step was chosen. */
  constructor(run, pick) {
    this.run = run;
    this.pick = pick;
    this.now = 0;
    this.top = 0;
    this.left = 0;
    this.height = 600;
    this.width = 800;
    this.atoms = run.atoms.slice(0, ATOMS_MAX);
    this.head = el('div', { class: 'lanes', 'aria-hidden': 'true' });
    this.rows = el('div', { class: 'rows', role: 'presentation' });
    this.element = el(
      'div',
      {
        class: 'steps',
        tabindex: 0,
        role: 'listbox',
        'aria-label': 'Steps of the run',
        onscroll: () => this.#scrolled(),
        onclick: (event) => this.#clicked(event),
      },
      this.head,
      this.rows,
    );
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

  /** Shows other rows or lanes. */
  show(layout) {
    this.layout = layout;
    this.#measure();
  }

  /** Height of all rows, in pixels. */
  wanted() {
    return HEAD + (this.layout.steps.length + (this.#hasTail() ? 1 : 0)) * ROW + ROW;
  }

  /** Moves to a step. */
  select(step) {
    this.now = step;
    if (this.layout.rowOf[step] >= 0) this.#reveal(step);
    this.#draw();
    this.element.setAttribute('aria-activedescendant', `step${step}`);
  }

  #hasTail() {
    return this.run.tail !== null && this.run.failing === null;
  }

  /** It was taken off the page and is there again: a browser forgets how far it was scrolled. */
  attached() {
    this.element.scrollTop = this.top;
    this.element.scrollLeft = this.left;
  }

  #resized() {
    // Off the page it has no size.
    if (this.element.clientHeight === 0) return;
    this.height = this.element.clientHeight;
    this.width = this.element.clientWidth;
    // Where there is room for all rows the browser does not scroll, whatever was asked.
    this.top = this.element.scrollTop;
    this.left = this.element.scrollLeft;
    if (!this.layout) return;
    this.#measure();
    this.select(this.now);
  }

  #scrolled() {
    this.top = this.element.scrollTop;
    this.left = this.element.scrollLeft;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const [from, to] = this.#inSight();
      if (from !== this.from || to !== this.to) this.#draw();
    });
  }

  #clicked(event) {
    const row = event.target.closest('[data-step]');
    if (row) this.pick(Number(row.dataset.step));
  }

  #measure() {
    const lanes = this.layout.lanes.length;
    const narrow = this.width < NARROW;
    const many = lanes > LANES_WIDE;
    const longest = Math.max(0, ...this.layout.lanes.map((index) => this.run.lanes[index].name.length));
    const process = Math.min(PROCESS[1], Math.max(PROCESS[0], Math.ceil(longest * NAME) + 8));
    const text = (narrow ? 176 : many ? 222 : 222 + process) + this.atoms.length * ATOM;
    const loop = this.run.cycle_start === null ? 0 : LOOP;
    const room = (this.width - text - loop - 8) / Math.max(1, lanes);
    const lane = Math.max(many ? 56 : narrow ? 74 : 84, Math.min(150, room));
    this.short = narrow || many;
    this.text = text;
    this.place = { row: ROW, lane, left: text + loop, loop: text + 16 };
    this.whole = Math.max(this.width, Math.ceil(text + loop + lane * lanes + 8));
    this.element.classList.toggle('short', this.short);
    this.element.style.setProperty('--process', `${process}px`);
    this.rows.style.height = `${this.wanted() - HEAD}px`;
    this.rows.style.width = `${this.whole}px`;
    this.#drawHead();
    this.#draw();
  }

  #drawHead() {
    const { lane, left } = this.place;
    const letters = this.atoms.map((atom, at) =>
      el('b', { title: atom, style: { width: `${ATOM}px` } }, letter(at)),
    );
    const words = this.short ? 'step, action' : 'step, process, action';
    const legend = el('span', { class: 'key', style: { width: `${this.text}px` } }, words, el('i'), letters);
    const names = this.layout.lanes.map((index, column) => {
      const { name } = this.run.lanes[index];
      const style = { left: `${left + lane * column}px`, width: `${lane - 4}px` };
      const room = Math.floor((lane - 8) / NAME);
      return el('span', { class: 'lane', title: name, style }, shortened(name, room));
    });
    this.head.style.width = `${this.whole}px`;
    fill(this.head, legend, names);
  }

  #inSight() {
    const first = Math.floor((this.top - HEAD) / ROW) - SPARE;
    const from = Math.max(0, Math.min(first, this.layout.steps.length - 1));
    const count = Math.ceil(this.height / ROW) + 2 * SPARE;
    return [from, Math.min(this.layout.steps.length, from + count)];
  }

  #draw() {
    const [from, to] = this.#inSight();
    [this.from, this.to] = [from, to];
    const rows = [];
    for (let row = from; row < to; row++) rows.push(this.#row(row));
    if (this.#hasTail() && to === this.layout.steps.length) rows.push(this.#tail(to));
    const picture = shape('svg', { 'aria-hidden': 'true', width: this.whole, height: (to - from + 1) * ROW });
    picture.style.top = `${from * ROW}px`;
    picture.append(...draw(this.layout, this.place, from, to, this.now));
    this.rows.replaceChildren(...rows, picture);
  }

  #row(row) {
    const index = this.layout.steps[row];
    const step = index > 0 ? this.run.steps[index - 1] : null;
    const kinds = ['row'];
    if (index === this.now) kinds.push('on');
    if (index > 0 && this.run.failing === index - 1) kinds.push('bad');
    const words = step
      ? [
          el('span', { class: 'process' }, step.process),
          el('span', { class: 'action' }, step.action),
          step.unread && el('span', { class: 'unread' }, '[unread]'),
        ]
      : el('span', { class: 'initial' }, 'initial state');
    return el(
      'div',
      {
        class: kinds.join(' '),
        role: 'option',
        id: `step${index}`,
        'data-step': index,
        'aria-selected': String(index === this.now),
        'aria-setsize': this.layout.steps.length,
        'aria-posinset': row + 1,
        style: { top: `${row * ROW}px`, width: `${this.whole}px` },
      },
      this.#cells(index > 0 ? number(index) : '0', words, this.#truth(index)),
    );
  }

  /** The row behind the last step: the state is wrong, no step was. */
  #tail(row) {
    const { text, bad } = this.run.tail;
    return el(
      'div',
      {
        class: bad ? 'row tail bad' : 'row tail',
        role: 'presentation',
        title: text,
        style: { top: `${row * ROW}px`, width: `${this.whole}px` },
      },
      // Bars stand under the lanes of those who wait; any other text may take the whole row.
      this.#cells('', el('span', { class: 'action' }, text), [], this.run.waits.length > 0 ? this.text : this.width),
    );
  }

  #cells(mark, words, truth, width = this.text) {
    const style = { width: `${width}px` };
    return el('span', { class: 'cells', style }, el('span', { class: 'no' }, mark), words, el('i'), truth);
  }

  #truth(index) {
    const letters = [...this.run.truthAt(index)].slice(0, this.atoms.length);
    return letters.map((it) => {
      const [sign, name] = it === 'T' ? ['●', 'true'] : ['○', 'false'];
      return el('span', { class: 'truth', 'aria-label': name, style: { width: `${ATOM}px` } }, sign);
    });
  }

  /** Scrolls so far that a step and its lane are in sight. */
  #reveal(step) {
    const row = rowBefore(this.layout, step);
    const y = row * ROW;
    const room = this.height - HEAD;
    let top = this.top;
    if (y < top + ROW) top = Math.max(0, y - ROW * 3);
    else if (y > top + room - ROW * 3) top = Math.max(0, y - room + ROW * 5);
    if (top !== this.top) this.top = this.element.scrollTop = top;
    this.#revealLane(step);
  }

  #revealLane(step) {
    const column = step > 0 ? this.layout.column(this.run.steps[step - 1].process) : -1;
    if (column < 0 || this.whole <= this.width) return;
    const { lane, left } = this.place;
    const x = left + lane * column;
    let to = this.left;
    if (x < to + this.text) to = Math.max(0, x - this.text - lane);
    else if (x + lane > to + this.width) to = x + 2 * lane - this.width;
    if (to !== this.left) this.left = this.element.scrollLeft = to;
  }
}

/** The letter of a proposition. */
export function letter(index) {
  return String.fromCharCode(97 + (index % 26));
}
