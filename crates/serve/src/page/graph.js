// States as a picture: all of a small model, the nearest of a larger one, or a larger part folded by
// a process, a variable or a channel. A click on a state goes there.
import { button, el, fill, shape } from './dom.js';
import { picture } from './machines.js';
import { ask, stop } from './api.js';

export class StateGraph {
  /** `request()` is the text, `here()` the run, `explore(run)` opens one, `shown(banner)` is the top. */
  constructor(owner) {
    this.owner = owner;
    this.base = { path: [] };
    this.by = null;
    this.part = el('select', {
      id: 'fold',
      'aria-label': 'Fold by',
      onchange: () => {
        this.by = this.part.value || null;
        this.draw();
      },
    });
    this.picture = el('div', { class: 'picture', id: 'states', tabindex: 0, 'aria-label': 'States' });
    this.title = el('p', { class: 'faint', id: 'node' });
    this.fit = button('fit', 'the whole picture in the window', () => this.#fit(), { id: 'fit', 'aria-pressed': 'false' });
    const bar = el(
      'div',
      { class: 'bar' },
      button('from the start', 'states from the initial one on', () => this.draw({ path: [] }), { id: 'graph-start' }),
      button('from here', 'states from the one that is explored on', () => this.draw(this.owner.here()), { id: 'graph-here' }),
      el('label', { class: 'group' }, 'fold by', this.part),
      this.fit,
      el('span', { class: 'faint' }, 'Click a state to go there.'),
    );
    this.element = el('main', {}, el('div', {}, bar, this.title, this.picture));
  }

  /** Draws the states ahead of a run; of the one before if none is given. */
  async draw(base = this.base) {
    this.base = base;
    this.owner.shown({ tone: 'plain', sign: '', word: 'STATES', sentence: 'looking at the states ...' });
    try {
      const answer = await ask('graph', { ...this.owner.request(), ...base, ...(this.by ? { by: this.by } : {}) });
      if (answer === null) return;
      if (answer.findings) return this.owner.findings(answer.findings);
      this.#show(answer);
    } catch (error) {
      this.picture.replaceChildren();
      this.owner.shown({ tone: 'bad', sign: '✗', word: 'STATES', sentence: error.message });
    }
  }

  attached() {
    this.title.replaceChildren();
  }

  #fit() {
    const on = this.picture.classList.toggle('fit');
    this.fit.setAttribute('aria-pressed', String(on));
  }

  /** Nobody looks at it any longer. */
  leave() {
    stop('graph');
  }

  #show({ drawing, nodes, edges, about, parts, by }) {
    const option = (part) => el('option', { value: part, selected: part === by }, part);
    fill(this.part, el('option', { value: '', selected: by === null }, 'nothing: every state'), parts.map(option));
    const { svg, nodes: boxes, edges: lines } = picture({ name: 'the model', drawing });
    const texts = new Map(edges.map(([from, to, text]) => [`${from}\n${to}`, text]));
    for (const { edge, element } of lines) {
      element.append(shape('title', {}, texts.get(`${edge.from}\n${edge.to}`) ?? ''));
    }
    for (const node of nodes) this.#node(node, boxes.get(node.id));
    fill(this.picture, svg);
    fill(this.title, '');
    this.owner.shown({ tone: nodes.some((it) => it.problem) ? 'bad' : 'plain', sign: '', word: 'STATES', sentence: about });
  }

  #node(node, box) {
    if (node.problem) box.classList.add('wrong');
    if (node.open) box.classList.add('open');
    box.append(shape('title', {}, node.title));
    box.setAttribute('tabindex', '0');
    box.setAttribute('role', 'button');
    box.setAttribute('data-state', node.id);
    const { path, rules } = this.base;
    const go = () => this.owner.explore({ path: [...path, ...node.path], rules });
    const say = () => fill(this.title, node.title);
    box.addEventListener('click', go);
    box.addEventListener('focus', say);
    box.addEventListener('pointerenter', say);
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        go();
      }
    });
  }
}
