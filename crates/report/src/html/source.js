// The texts of a model: the line of the current step, what was executed, and by which steps.
import { el, fill } from './dom.js';

const LINE = 20;
const MARKS = { never: '○', partly: '◐', open: '·', idle: '–', done: '' };

export class SourcePane {
  /**
   * `sources` are the texts, the model itself first. `stepsAt(file, line)` says which steps
   * execute a line, `pick` is told which of them was chosen. `now` says which step is current,
   * `isFault(file, line)` whether an error of the text is there.
   */
  constructor(sources, { stepsAt, pick, now, isFault }) {
    this.sources = sources;
    this.isFault = isFault;
    this.stepsAt = stepsAt;
    this.pick = pick;
    this.now = now;
    this.shown = -1;
    this.list = el('div', { class: 'source' });
    const options = sources.map((source, at) => el('option', { value: at }, source.file));
    this.choice = el(
      'select',
      { 'aria-label': 'Which file', onchange: () => this.#build(Number(this.choice.value)) },
      options,
    );
    const bar = sources.length > 1 && el('div', { class: 'bar' }, this.choice);
    this.element = el('div', { class: 'texts' }, bar, this.list);
  }

  /** Marks a line, and perhaps that of the other process of a rendezvous; `file` may be none. */
  show(file, line) {
    const at = file ? this.sources.findIndex((source) => source.file === file) : 0;
    if (at < 0 || this.sources.length === 0) return;
    if (at !== this.shown) this.#build(at);
    this.marked?.classList.remove('now');
    this.marked = this.lines[line - 1];
    this.marked?.classList.add('now');
    if (this.marked) this.#reveal(line);
  }

  /** Where the pane scrolls, and how high it is. */
  within(scroller, height) {
    this.scroller = scroller;
    this.height = height;
  }

  #reveal(line) {
    const scroller = this.scroller;
    if (!scroller) return;
    const y = (line - 1) * LINE;
    const top = scroller.scrollTop;
    if (y < top + LINE || y > top + this.height() - 3 * LINE) scroller.scrollTop = y - this.height() / 2;
  }

  #build(at) {
    this.shown = at;
    this.choice.value = String(at);
    const source = this.sources[at];
    const text = source.text.replace(/\n$/, '');
    this.lines = text.split(/\r?\n/).map((words, index) => this.#line(source, index + 1, words));
    fill(this.list, this.lines);
  }

  #line(source, line, words) {
    const known = source.lines[line];
    const file = this.shown === 0 ? undefined : source.file;
    const steps = this.stepsAt(file, line);
    const kinds = ['line'];
    if (known && known.mark !== 'done') kinds.push(known.mark);
    if (steps.length > 0) kinds.push('hit');
    if (this.isFault(source.file, line)) kinds.push('fault');
    const listed = steps.slice(0, 8).join(', ') + (steps.length > 8 ? ', …' : '');
    const ran = steps.length > 0 && `steps ${listed} (click: the next one)`;
    return el(
      'div',
      {
        class: kinds.join(' '),
        'data-line': line,
        title: [known?.note, ran].filter(Boolean).join('; ') || null,
        onclick: steps.length > 0 && (() => this.pick(steps.find((it) => it > this.now()) ?? steps[0])),
      },
      el('span', { class: 'no' }, `${MARKS[known?.mark] ?? ''} ${line}`),
      el('span', {}, dimmed(words, known?.parts ?? [])),
    );
  }
}

/** A line in which some statements are never executed; one that is written over several lines, or with
 * comments inside, is not found there and stays as it is. */
function dimmed(words, parts) {
  const here = parts.filter(([column, text]) => words.startsWith(text, column - 1));
  here.sort(([a], [b]) => a - b);
  const pieces = [];
  let at = 0;
  for (const [column, text] of here) {
    if (column - 1 < at) continue;
    pieces.push(words.slice(at, column - 1), el('span', { class: 'dim' }, text));
    at = column - 1 + text.length;
  }
  return [...pieces, words.slice(at)];
}
