// The explorer: a run, the results of checks, the text, and the states as a picture. The server is
// asked with the text and the path of a run, and keeps neither.
import { el, fill } from './dom.js';
import { header } from './tables.js';
import { openModel } from './api.js';
import { Memory } from './memory.js';
import { Walk } from './walk.js';
import { Results } from './results.js';
import { Editor } from './editor.js';
import { StateGraph } from './graph.js';

/** A sentence about what was done goes away after so long, in milliseconds. */
const SAID = 8000;

const NAMES = { walk: 'Explore', results: 'Check', text: 'Text', states: 'States' };

const top = document.getElementById('top');
const panel = document.getElementById('panel');
const live = document.getElementById('live');
const announce = (text) => fill(live, text);

class Explorer {
  constructor(model) {
    this.model = model;
    this.banners = {};
    const request = () => ({ text: this.editor.text, edited: this.editor.isEdited });
    const tell = (words, tone) => this.tell(words, tone);
    const findings = (all, predicate) => this.#findings(all, predicate);
    const explore = (run, at = null) => {
      this.select('walk', false);
      this.walk.open(run, { at });
    };
    const shownAt = (tab) => (banner) => this.#banner(tab, banner);
    this.editor = new Editor(model.text, {
      check: () => this.#check({}),
      explore: () => this.select('walk'),
      shown: shownAt('text'),
    });
    this.walk = new Walk({
      request,
      tell,
      findings,
      announce,
      shown: ({ banner }) => this.#banner('walk', banner),
      moved: (isNew) => this.memory.moved(isNew),
      checkAhead: (run) => this.#check({ ...run, ahead: true }, `What lies ahead of ${place(run)}.`),
      findAhead: (run, cover) =>
        this.#check({ ...run, ahead: true, cover }, `A way from ${place(run)} to where ${cover} holds.`),
    });
    this.results = new Results({ request, tell, findings, explore, announce, shown: ({ banner }) => this.#banner('results', banner) });
    this.states = new StateGraph({ request, findings, explore, here: () => this.walk.here, shown: shownAt('states') });
    this.said = el('p', { id: 'said', role: 'status' });
    this.tabs = Object.entries(NAMES).map(([name, title]) =>
      el('button', { type: 'button', role: 'tab', 'data-tab': name, onclick: () => this.select(name) }, title),
    );
    this.bar = el(
      'div',
      { class: 'tabs top', role: 'tablist', 'aria-label': 'Explorer', onkeydown: (event) => this.#turn(event) },
      this.tabs,
    );
    this.memory = new Memory(model.file, {
      state: () => ({ runs: this.walk.branches.all, text: this.editor.isEdited ? this.editor.text : null }),
      place: () => ({ tab: this.name, ...this.walk.spot }),
      open: (place) => this.#open(place),
    });
    this.#banner('results', { tone: 'plain', sign: '', word: 'CHECK', sentence: 'not checked yet' });
    this.#begin(Memory.kept(model.file));
  }

  /** At the initial state, or where this tab was before it was loaded again. */
  #begin(kept) {
    if (kept?.text) this.editor.edit(kept.text);
    if (kept?.runs.length > 0) this.walk.branches.restore(kept.runs);
    const { tab = 'walk', branch, at = 0 } = kept?.place ?? {};
    this.walk.branches.select(branch);
    this.#show('walk');
    this.walk.open(this.walk.branches.current ?? { path: [] }, { at, again: true });
    this.editor.look();
    if (tab !== 'walk') this.#open({ tab, branch, at });
  }

  /** Goes to a place that was looked at before. */
  #open({ tab, branch, at }) {
    if (tab !== this.name) {
      this.#show(tab);
      this.#refresh(tab);
    }
    if (tab === 'walk') this.walk.go({ branch, at });
  }

  /** Shows a tab; `refresh` brings it up to date with the text. */
  select(name, refresh = true) {
    const isNew = name !== this.name;
    this.#show(name);
    if (isNew) this.memory.moved(true);
    if (refresh) this.#refresh(name);
  }

  #show(name) {
    this.states.leave();
    fill(this.said, '');
    this.name = name;
    const parts = { walk: this.walk, results: this.results, text: this.editor, states: this.states };
    this.part = parts[name];
    for (const tab of this.tabs) {
      const on = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    fill(panel, this.part.element);
    this.part.attached();
    this.#top();
  }

  #refresh(name) {
    if (name === 'walk' && this.editor.takeChange()) this.walk.again();
    if (name === 'states') this.states.draw();
    if (name === 'results') this.results.look();
  }

  /** Shows a sentence for a while. */
  tell(words, tone = '') {
    clearTimeout(this.timer);
    this.said.className = tone;
    fill(this.said, words);
    this.timer = setTimeout(() => fill(this.said, ''), SAID);
  }

  #check(more, about) {
    this.select('results', false);
    this.results.check(more, about);
  }

  /** The text, or a predicate, has errors: they are shown where they can be corrected. */
  #findings(all, predicate) {
    const wrong = all.find((it) => it.severity === 'error' && it.line === null) ?? all.find((it) => it.severity === 'error');
    if (predicate && wrong) return this.tell(wrong.text, 'bad code');
    this.editor.show(all);
    this.select('text');
    return this.tell('The text has errors, so it cannot be executed.', 'bad');
  }

  #banner(tab, banner) {
    this.banners[tab] = banner;
    if (tab === this.name) this.#top();
  }

  #top() {
    const banner = this.banners[this.name] ?? { tone: 'plain', sign: '', word: 'RUN', sentence: '...' };
    const facts = banner.facts ?? [this.model.file, `argos ${this.model.version}`];
    const edited = this.editor.isEdited ? ['edited, not written to the file'] : [];
    fill(top, header({ banner: { ...banner, facts: [...facts, ...edited] } }), this.bar, this.said);
    document.title = `${banner.word} ${this.model.file} - argos serve`;
  }

  #turn(event) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.tabs.findIndex((tab) => tab.dataset.tab === this.name);
    const next = this.tabs[(at + way + this.tabs.length) % this.tabs.length];
    this.select(next.dataset.tab);
    next.focus();
  }

  key(event) {
    return this.part.key?.(event) ?? false;
  }
}

function place({ path }) {
  return path.length === 0 ? 'the initial state' : `the state after step ${path.length}`;
}

try {
  const explorer = new Explorer(await openModel());
  document.addEventListener('keydown', (event) => {
    if (explorer.key(event)) event.preventDefault();
  });
} catch (error) {
  const banner = { tone: 'bad', sign: '✗', word: 'ERROR', sentence: error.message, facts: [] };
  fill(top, header({ banner }));
}
