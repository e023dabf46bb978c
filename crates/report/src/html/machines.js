// The machine of a process: a picture with the state it is in, and where it can go from there.
import { el, fill, link, shape } from './dom.js';

export class MachinePane {
  /** `machines` are those of a model; `openLine` is called with a file and a line. */
  constructor(machines, openLine) {
    this.machines = machines;
    this.openLine = openLine;
    this.follows = true;
    this.picture = el('div', { class: 'picture' });
    this.about = el('p', { class: 'faint' });
    this.exits = el('div');
    this.choice = el('select', {
      'aria-label': 'Which machine',
      onchange: () => {
        this.follows = false;
        this.#refresh();
      },
    });
    this.follow = el(
      'button',
      {
        type: 'button',
        title: 'show the machine of the process that moves',
        onclick: () => {
          this.follows = !this.follows;
          this.#refresh();
        },
      },
      'follow',
    );
    const bar = el('div', { class: 'bar' }, this.choice, this.follow);
    this.element = el('div', { class: 'machine' }, bar, this.about, this.picture, this.exits);
    this.show(null, 0);
  }

  /** Shows where the processes of a run are behind step `index`; without a run, a machine. */
  show(run, index) {
    if (run !== this.run || this.choice.options.length === 0) {
      this.run = run;
      this.#list();
    }
    this.index = index;
    this.#refresh();
  }

  /** One entry per process of the run, then the machines that are none of theirs. */
  #list() {
    const lanes = (this.run?.lanes ?? []).map((lane) => [lane.name, lane.machine]);
    const used = new Set(lanes.map(([, machine]) => machine));
    const rest = this.machines.map((machine, at) => [machine.name, at]).filter(([, at]) => !used.has(at));
    this.entries = [...lanes, ...rest];
    fill(this.choice, this.entries.map(([name], at) => el('option', { value: at }, name)));
  }

  #refresh() {
    const step = this.run && this.index > 0 ? this.run.steps[this.index - 1] : null;
    if (this.follows && step) {
      const at = this.entries.findIndex(([name]) => name === step.process);
      if (at >= 0) this.choice.value = String(at);
    }
    this.follow.setAttribute('aria-pressed', String(this.follows));
    this.follow.hidden = !this.run;
    const [name, index] = this.entries[Number(this.choice.value)] ?? [null, null];
    const machine = this.machines[index];
    if (!machine) {
      fill(this.about, name ? `${name}: there is no drawing of this process` : 'There is no machine.');
      this.picture.replaceChildren();
      this.exits.replaceChildren();
      return;
    }
    const now = this.run?.stateAt(this.index).at[name];
    const before = this.index > 0 ? this.run?.stateAt(this.index - 1).at[name] : now;
    const moved = step !== null && step.process === name;
    fill(this.about, machine.about);
    this.#draw(machine, now, moved || before !== now ? before : undefined);
    this.#listExits(machine, now);
  }

  #draw(machine, now, before) {
    const { drawing } = machine;
    if (!drawing) {
      this.picture.replaceChildren();
      return;
    }
    if (this.drawn !== machine) {
      this.drawn = machine;
      this.parts = picture(machine);
      fill(this.picture, this.parts.svg);
    }
    for (const [id, element] of this.parts.nodes) element.classList.toggle('now', id === now);
    for (const { edge, element } of this.parts.edges) {
      element.classList.toggle('hot', edge.from === before && edge.to === now);
      element.classList.toggle('out', edge.from === now);
    }
    const spot = drawing.nodes.find((node) => node.id === now);
    if (spot) this.#reveal(spot, drawing);
  }

  #reveal(spot, drawing) {
    this.picture.scrollLeft = spot.x - drawing.left - this.picture.clientWidth / 2;
    this.picture.scrollTop = spot.y - drawing.top - this.picture.clientHeight / 2;
  }

  #listExits(machine, now) {
    const edges = machine.edges.filter((edge) => now === undefined || edge.from === now);
    const place = new Map(machine.nodes.map((node) => [node.id, node.place]));
    const known = edges.some((edge) => edge.executed);
    const row = (edge) =>
      el(
        'tr',
        {},
        now === undefined && el('td', {}, place.get(edge.from)),
        el('td', { class: 'code' }, edge.action),
        el('td', {}, place.get(edge.to)),
        el('td', {}, edge.line > 0 && link(edge.line, () => this.openLine(edge.file, edge.line))),
        known && el('td', {}, edge.executed),
      );
    const heads = [now === undefined && 'from', now === undefined ? 'statement' : 'from here', 'to', 'line'];
    const cells = [...heads, known && 'executed'].filter(Boolean).map((head) => el('th', {}, head));
    const table = el('table', {}, el('thead', {}, el('tr', {}, cells)), el('tbody', {}, edges.map(row)));
    fill(this.exits, edges.length > 0 ? table : el('p', { class: 'faint' }, 'Nothing leads on from here.'));
  }
}

/** The shapes of a machine, and which of them are which state and which statements. */
export function picture(machine) {
  const { left, top, width, height, nodes, edges } = machine.drawing;
  const svg = shape('svg', {
    viewBox: `${left} ${top} ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': `states of ${machine.name}`,
  });
  const parts = { svg, nodes: new Map(), edges: [] };
  const texts = [];
  for (const edge of edges) {
    const group = shape('g', { class: `edge ${edge.class}` });
    group.append(shape('path', { class: 'path', d: edge.path }), shape('path', { class: 'tip', d: edge.tip }));
    const words = shape('g', { class: `edge ${edge.class}` });
    words.append(...edge.labels.map(label));
    svg.append(group);
    texts.push(words);
    parts.edges.push({ edge, element: group }, { edge, element: words });
  }
  for (const node of nodes) {
    const group = box(node);
    svg.append(group);
    parts.nodes.set(node.id, group);
  }
  svg.append(...texts);
  return parts;
}

function label({ x, y, anchor, text, full }) {
  const element = shape('text', { x, y, 'text-anchor': anchor }, text);
  if (text !== full) element.append(shape('title', {}, full));
  return element;
}

function box(node) {
  const { x, y, width, height } = node;
  const group = shape('g', { class: node.gone ? 'node gone' : 'node' });
  const [left, top] = [x - width / 2, y - height / 2];
  if (node.start) {
    group.append(
      shape('path', { class: 'entry', d: `M${x} ${top - 18}V${top - 6}` }),
      shape('path', { class: 'tip', d: `M${x} ${top}l-4 -7h8z` }),
      shape('circle', { class: 'tip', cx: x, cy: top - 20, r: 4 }),
    );
  }
  group.append(shape('rect', { x: left, y: top, width, height, rx: 8 }));
  if (node.end) {
    const inner = { x: left + 3, y: top + 3, width: width - 6, height: height - 6, rx: 5 };
    group.append(shape('rect', inner));
  }
  group.append(shape('text', { class: 'title', x, y: node.under ? y - 1 : y + 4 }, node.title));
  if (node.under) group.append(shape('text', { class: 'under', x, y: y + 11 }, node.under));
  return group;
}
