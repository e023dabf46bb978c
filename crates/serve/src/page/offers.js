// What can happen next, process by process, and why the rest cannot.
import { el, fill, link, number } from './dom.js';

/** So many steps have a button. */
const SHOWN_MAX = 200;

export class Offers {
  /** `take` is called with the number of a choice and the choice, `openLine` with a line. */
  constructor(take, openLine) {
    this.take = take;
    this.openLine = openLine;
    this.here = null;
    this.element = el('div', { class: 'offers', id: 'offers', 'aria-label': 'What can happen next' });
  }

  /** Shows what can happen in a state; nothing while that is not known. */
  show(here) {
    this.here = here;
    this.element.classList.toggle('waiting', here === null);
    if (here === null) return;
    const { choices, blocked, ending, problem } = here;
    const cards = [...byProcess(choices, blocked)].map(([process, of]) => this.#card(process, of));
    const more = choices.length - SHOWN_MAX;
    fill(
      this.element,
      choices.length === 0 && el('p', { class: problem ? 'ending bad' : 'ending' }, sentence(ending)),
      el('div', { class: 'cards' }, cards),
      more > 0 && el('p', { class: 'faint' }, `${number(more)} more steps have no button here`),
    );
  }

  /** Takes the choice of a number, as it is listed; says whether there is one. */
  choose(at) {
    const choice = this.here?.choices[at];
    if (choice) this.take(at, choice);
    return Boolean(choice);
  }

  #card(process, { steps, waits }) {
    const step = ({ choice, at }) =>
      el(
        'button',
        { type: 'button', class: 'step', 'data-choice': at, onclick: () => this.choose(at) },
        el('kbd', {}, at + 1),
        el('span', { class: 'code' }, choice.action),
        choice.line > 0 && el('span', { class: 'faint' }, `line ${choice.line}`),
      );
    const wait = (choice) =>
      el(
        'p',
        { class: 'blocked' },
        el('span', { class: 'code' }, choice.action),
        choice.line > 0 && [' ', link(`line ${choice.line}`, () => this.openLine(choice.line))],
        choice.because && el('span', { class: 'faint' }, ` ${choice.because}`),
      );
    return el(
      'section',
      { class: steps.length > 0 ? 'card' : 'card idle', 'data-process': process },
      el('h3', {}, process || 'the system'),
      steps.filter(({ at }) => at < SHOWN_MAX).map(step),
      waits.map(wait),
    );
  }
}

/** Processes in the order in which they are asked; those that wait come last. */
function byProcess(choices, blocked) {
  const all = new Map();
  const of = (process) => {
    if (!all.has(process)) all.set(process, { steps: [], waits: [] });
    return all.get(process);
  };
  choices.forEach((choice, at) => of(choice.process).steps.push({ choice, at }));
  blocked.forEach((choice) => of(choice.process).waits.push(choice));
  return all;
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
