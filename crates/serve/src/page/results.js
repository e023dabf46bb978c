// What a check found out, as a report shows it; from each step of a run one can go on.
import { button, el, fill } from './dom.js';
import { ModelPart } from './model.js';
import { ask, stop } from './api.js';

export class Results {
  /**
   * `request()` is the text to be checked, `explore(run, at)` opens a run at a step, `shown(view)`
   * is called with each result, `tell(words, tone)` shows a sentence, `announce(text)` says it.
   */
  constructor(owner) {
    this.owner = owner;
    this.view = null;
    this.step = 0;
    this.whole = button('check', 'check the whole model', () => this.check(), { id: 'check' });
    this.cancel = button('stop', 'stop the check', () => this.#stop(), { id: 'stop', hidden: true });
    this.about = el('span', { class: 'faint' }, 'Every requirement of the model, from its start.');
    this.place = el('div', { class: 'result' });
    this.element = el('div', {}, el('div', { class: 'bar actions' }, this.whole, this.cancel, this.about), this.place);
  }

  /** Checks: the whole model, or what `more` says. */
  async check(more = {}, about = 'The whole model, from its start.') {
    this.#busy(true, `Checking: ${about}`);
    try {
      const request = this.owner.request();
      const answer = await ask('check', { ...request, ...more });
      if (answer === null) return;
      this.text = request.text;
      this.#busy(false, about);
      if (answer.findings) return this.owner.findings(answer.findings, more.cover);
      this.#show(answer);
    } catch (error) {
      this.#busy(false, `${about} ${error.message}`);
      this.owner.tell(error.message, 'bad');
    }
  }

  /** Checks if nothing was checked yet; says whether it was another text. */
  look() {
    if (this.view === null && this.cancel.hidden) this.check();
    else if (this.view !== null && this.text !== this.owner.request().text) {
      fill(this.about, 'The text was edited since it was checked.');
    }
  }

  attached() {
    this.part?.viewer?.attached();
  }

  #stop() {
    stop('check');
    this.#busy(false, 'Stopped.');
  }

  #busy(is, text) {
    this.cancel.hidden = !is;
    this.whole.disabled = is;
    fill(this.about, text);
    if (is) this.owner.announce(text);
  }

  #show({ view, runs }) {
    this.view = view;
    this.runs = runs;
    this.part = new ModelPart(view, {
      moved: (run, step) => {
        this.step = step;
      },
      announce: (text) => this.owner.announce(text),
      beside: (run) => this.#beside(run),
    });
    fill(this.place, this.part.element);
    this.part.open();
    this.owner.shown(view);
    this.owner.announce(`${view.banner.word}, ${view.banner.sentence}`);
  }

  #beside(run) {
    const steps = this.runs[run];
    if (steps.why) return el('p', { class: 'faint' }, steps.why);
    const last = steps.ends.at(-1) ?? 0;
    const explore = () => {
      if (steps.note && this.step > last) return this.owner.tell(steps.note, 'bad');
      let at = steps.ends.length;
      while (at > 0 && steps.ends[at - 1] > this.step) at -= 1;
      return this.owner.explore({ path: steps.path, rules: steps.rules }, at);
    };
    return el(
      'div',
      { class: 'bar' },
      button('explore from this step', 'go on from the step that is shown (e)', explore, { id: 'explore' }),
      steps.note && el('span', { class: 'faint' }, steps.note),
    );
  }

  /** Handles a key; says whether it was one of ours. */
  key(event) {
    const isText = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === 'e' && !isText && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.element.querySelector('#explore')?.click();
      return true;
    }
    return this.part?.viewer?.key(event) ?? false;
  }
}
