// The text of the model, with what is wrong with it as one types. Nothing is written to the file.
import { button, el, fill } from './dom.js';
import { ask } from './api.js';

/** The text is looked at when nothing was typed for so long, in milliseconds. */
const REST = 250;

export class Editor {
  /**
   * `explore()` is called when the text is to be explored, `check()` when it is to be checked,
   * `shown(banner)` with what is to be said at the top.
   */
  constructor(text, owner) {
    this.file = text;
    this.owner = owner;
    this.numbers = el('pre', { class: 'numbers', 'aria-hidden': 'true' });
    this.area = el('textarea', {
      id: 'text',
      spellcheck: 'false',
      autocomplete: 'off',
      wrap: 'off',
      'aria-label': 'Text of the model',
      oninput: () => this.#typed(),
      onscroll: () => {
        this.top = this.area.scrollTop;
        this.numbers.scrollTop = this.top;
      },
      onkeydown: (event) => this.#key(event),
    });
    this.area.value = text;
    this.used = text;
    this.list = el('div', { id: 'findings', role: 'log', 'aria-label': 'Errors and warnings' });
    this.restore = button('as in the file', 'take the text of the file again', () => this.#restore(), { id: 'restore' });
    const bar = el(
      'div',
      { class: 'bar' },
      button('check', 'check this text (Ctrl Enter)', () => this.owner.check(), { id: 'check-text' }),
      button('explore', 'explore this text', () => this.owner.explore(), { id: 'explore-text' }),
      this.restore,
      el('span', { class: 'faint' }, 'The file itself is never changed.'),
    );
    const paper = el('div', { class: 'editor' }, this.numbers, this.area);
    this.element = el('main', {}, el('div', {}, bar, paper), this.list);
    this.#number();
  }

  /** The text as it is now. */
  get text() {
    return this.area.value;
  }

  get isEdited() {
    return this.area.value !== this.file;
  }

  /** Takes a text that was edited before. */
  edit(text) {
    this.area.value = text;
    this.used = text;
    this.#number();
  }

  /** Whether the text is another one than when this was last asked. */
  takeChange() {
    const changed = this.used !== this.area.value;
    this.used = this.area.value;
    return changed;
  }

  #typed() {
    this.#number();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), REST);
  }

  #restore() {
    this.area.value = this.file;
    this.#typed();
  }

  #number() {
    const count = this.area.value.split('\n').length;
    this.restore.hidden = !this.isEdited;
    if (count === this.count && !this.marked) return;
    this.count = count;
    this.marked = false;
    fill(this.numbers, Array.from({ length: count }, (_, at) => at + 1).join('\n'));
  }

  /** A browser forgets how far a text was scrolled that was taken off the page. */
  attached() {
    this.area.scrollTop = this.top ?? 0;
    this.numbers.scrollTop = this.area.scrollTop;
  }

  /** Asks what is wrong with the text. */
  async look() {
    try {
      const answer = await ask('diagnose', { text: this.text });
      if (answer !== null) this.show(answer.findings);
    } catch (error) {
      fill(this.list, el('p', { class: 'tag bad' }, error.message));
    }
  }

  /** Lists errors and warnings; those of `other`, a predicate that was typed elsewhere, too. */
  show(findings) {
    const item = (finding) =>
      el(
        'section',
        { class: finding.severity === 'error' ? 'finding bad' : 'finding care' },
        finding.line !== null &&
          button(`line ${finding.line}:${finding.column}`, 'go to this line', () => this.#goTo(finding), { class: 'link' }),
        el('pre', {}, finding.text),
      );
    fill(this.list, findings.length > 0 ? findings.map(item) : el('p', { class: 'faint' }, 'No errors and no warnings.'));
    this.#mark(findings);
    const errors = findings.filter((it) => it.severity === 'error').length;
    const warnings = findings.length - errors;
    const count = (many, word) => `${many} ${word}${many === 1 ? '' : 's'}`;
    const sentence = findings.length === 0 ? 'no errors and no warnings' : `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
    const tone = errors > 0 ? 'bad' : warnings > 0 ? 'care' : 'good';
    this.owner.shown({ tone, sign: errors > 0 ? '✗' : '', word: 'TEXT', sentence });
  }

  /** Marks the numbers of lines with errors. */
  #mark(findings) {
    const lines = new Map();
    for (const { line, severity } of findings) {
      if (line !== null && lines.get(line) !== 'bad') lines.set(line, severity === 'error' ? 'bad' : 'care');
    }
    this.marked = true;
    const row = (_, at) => [el('span', { class: lines.get(at + 1) ? `tag ${lines.get(at + 1)}` : null }, at + 1), '\n'];
    fill(this.numbers, Array.from({ length: this.count }, row));
  }

  #goTo({ line, column }) {
    const before = this.area.value.split('\n').slice(0, line - 1);
    const at = before.join('\n').length + (line > 1 ? 1 : 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 6) * height);
  }

  #key(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.owner.check();
    }
  }
}
