// The chart: lifelines, messages and signs of some rows, as shapes. Lines come first and text
// last, so that text stays readable where it crosses a line.
import { columns, cut, shape } from './dom.js';
import { wiresIn } from './rows.js';

/** Width of a character of the chart's type. */
const CHAR = 6.7;
/** Room for the bracket around the part that repeats. */
export const LOOP = 26;

/**
 * The shapes of rows `from` to `to`, without the latter. `place` has the measures: `row` and
 * `lane` are the size of a cell, `left` is where the first lane begins and `loop` where the
 * bracket stands; row `from` is at the top. Messages that are in a channel behind step `now`
 * are drawn thick.
 */
export function draw(layout, place, from, to, now) {
  const pen = {
    layout,
    place,
    from,
    now,
    lines: [],
    texts: [],
    x: (column) => place.left + place.lane * (column + 0.5),
    y: (row) => (row - from) * place.row + place.row / 2,
    end: place.left + place.lane * layout.lanes.length,
  };
  lifelines(pen, to);
  for (const wire of wiresIn(layout, from, to)) message(pen, wire);
  for (let row = Math.max(from, 1); row < to; row++) sign(pen, row);
  if (to === layout.steps.length) halted(pen, to);
  bracket(pen, to);
  return [...pen.lines, ...pen.texts];
}

function line(pen, kind, d) {
  pen.lines.push(shape('path', { class: kind, d }));
}

/** A text, cut to its room; the whole is its title. */
function label(pen, kind, x, y, anchor, text, room) {
  const shown = cut(text, Math.max(3, Math.floor(room / CHAR)));
  const element = shape('text', { class: kind, x, y, 'text-anchor': anchor }, shown);
  if (shown !== text) element.append(shape('title', {}, text));
  pen.texts.push(element);
}

/** The point of an arrow at `x` that comes from the left if `way` is 1. */
function tip(pen, kind, x, y, way) {
  line(pen, kind, `M${x} ${y}l${-7 * way} -4v8z`);
}

function lifelines(pen, to) {
  const top = Math.max(pen.y(pen.from) - pen.place.row / 2, pen.y(0));
  const bottom = pen.y(to) - pen.place.row / 2;
  line(pen, 'life', pen.layout.lanes.map((_, at) => `M${pen.x(at)} ${top}V${bottom}`).join(''));
}

function message(pen, wire) {
  if (wire.send < 0) fromOutside(pen, wire);
  else if (wire.from < 0) return;
  else if (wire.receive < 0 || wire.to < 0) unfinished(pen, wire);
  else whole(pen, wire);
}

/** Whether a message is in a channel now. */
function isFlying(pen, wire) {
  const { steps } = pen.layout;
  const behind = wire.receive < 0 ? wire.step.unread : pen.now < steps[wire.receive];
  return pen.now >= steps[wire.send] && behind;
}

/** A receive whose send is not in the picture. */
function fromOutside(pen, wire) {
  if (wire.to < 0) return;
  const [x, y] = [pen.x(wire.to), pen.y(wire.receive)];
  line(pen, 'wire', `M${x - 26} ${y}H${x - 7}`);
  pen.lines.push(shape('circle', { class: 'stub', cx: x - 28, cy: y, r: 2.5 }));
  tip(pen, 'tip', x, y, 1);
}

/** A send whose receive never comes, or is not in the picture. */
function unfinished(pen, wire) {
  const [x, y] = [pen.x(wire.from), pen.y(wire.send)];
  const way = wire.to >= 0 && wire.to < wire.from ? -1 : 1;
  const reaches = wire.to >= 0 && wire.to !== wire.from;
  const far = reaches ? pen.x(wire.to) - 12 * way : x + way * Math.min(pen.place.lane * 0.42, 64);
  const thick = isFlying(pen, wire) ? ' fly' : '';
  line(pen, `wire${wire.step.unread ? ' lost' : ''}${thick}`, `M${x} ${y}H${far - way}`);
  if (wire.step.unread) {
    line(pen, 'brk', `M${far - 5 * way} ${y - 5}h${5 * way}v10h${-5 * way}`);
  } else {
    pen.lines.push(shape('circle', { class: 'stub', cx: far, cy: y, r: 2.5 }));
  }
  const kind = wire.step.unread ? 'msg bad' : 'msg';
  label(pen, kind, (x + far) / 2, y - 4, 'middle', wire.step.label, Math.max(Math.abs(far - x), 92));
}

/** Across at the send, down while it waits, in at the receive; round corners. */
function whole(pen, wire) {
  const itself = wire.from === wire.to;
  const [xf, xt] = [pen.x(wire.from), pen.x(wire.to)];
  const [ys, yr] = [pen.y(wire.send), pen.y(wire.receive)];
  const away = itself || wire.from < wire.to ? 1 : -1;
  const into = itself ? -1 : away;
  const x = itself ? xt + 16 + 5 * wire.slot : xt - into * (10 + 5 * wire.slot);
  const thick = isFlying(pen, wire) ? ' fly' : '';
  const turn = `H${x - 4 * away}q${4 * away} 0 ${4 * away} 4`;
  const back = `V${yr - 4}q0 4 ${4 * into} 4H${xt - 6 * into}`;
  line(pen, `wire${thick}`, `M${xf} ${ys}${turn}${back}`);
  tip(pen, `tip${thick}`, xt, yr, into);
  const text = wire.step.label;
  if (itself) ofItself(pen, [xf, x], ys - 4, text);
  else label(pen, 'msg', (xf + x) / 2, ys - 4, 'middle', text, Math.max(Math.abs(x - xf) - 6, 92));
}

/** The label of a message to oneself: beside the loop, or before the lane where there is no room. */
function ofItself(pen, [lane, loop], y, text) {
  const right = pen.end - loop - 6;
  const need = columns(text) * CHAR;
  if (need > right) label(pen, 'msg', lane - 6, y, 'end', text, pen.place.lane * 0.9);
  else label(pen, 'msg', loop + 4, y, 'start', text, Math.min(right, pen.place.lane * 0.6 + need));
}

function sign(pen, row) {
  const index = pen.layout.steps[row];
  const step = pen.layout.run.steps[index - 1];
  const column = pen.layout.column(step.process);
  if (column < 0) return;
  const [x, y] = [pen.x(column), pen.y(row)];
  const now = index === pen.now ? ' now' : '';
  const shapes = {
    send: () => dot(pen, x, y, now),
    rendezvous: () => rendezvous(pen, step, x, y, now),
    receive: () => now && pen.texts.push(shape('circle', { class: 'ring', cx: x, cy: y, r: 6 })),
    tau: () => {
      pen.texts.push(shape('path', { class: 'tau', d: `M${x} ${y - 7}l7 7l-7 7l-7 -7z` }));
      beside(pen, column, y, 'msg taut', 'τ timeout', 11);
    },
    internal: () => {
      const box = { class: `int${now}`, x: x - 3, y: y - 3, width: 6, height: 6 };
      pen.texts.push(shape('rect', box));
      beside(pen, column, y, 'say', step.deed ?? step.action, 8);
    },
  };
  shapes[step.kind]();
  if (pen.layout.run.failing === index - 1) {
    pen.texts.push(shape('path', { class: 'cross', d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` }));
  }
}

function dot(pen, x, y, now) {
  pen.texts.push(shape('circle', { class: `dot${now}`, cx: x, cy: y, r: 3.2 }));
}

function rendezvous(pen, step, x, y, now) {
  dot(pen, x, y, now);
  const column = pen.layout.columnOf.get(step.target) ?? -1;
  if (column < 0 || pen.x(column) === x) return;
  const peer = pen.x(column);
  const way = peer > x ? 1 : -1;
  line(pen, `wire sync${now && ' fly'}`, `M${x} ${y}H${peer - 6 * way}`);
  tip(pen, 'tip', peer, y, way);
  label(pen, 'msg', (x + peer) / 2, y - 5, 'middle', step.label, Math.abs(peer - x) - 10);
}

/** Text beside a sign, on the side where there is room. */
function beside(pen, column, y, kind, text, gap) {
  const x = pen.x(column);
  const need = columns(text) * CHAR + 12;
  const right = pen.end - x - 2;
  const left = x - pen.place.left - 2;
  const atLeft = need > right && left > right;
  const room = Math.max(20, (atLeft ? left : right) - gap);
  label(pen, kind, x + (atLeft ? -gap : gap), y + 4, atLeft ? 'end' : 'start', text, room);
}

/** The row behind the last step: a bar under every lane that waits. */
function halted(pen, to) {
  const y = pen.y(to);
  for (const wait of pen.layout.run.waits) {
    const column = pen.layout.column(wait.process);
    if (column < 0) continue;
    const x = pen.x(column);
    line(pen, 'life', `M${x} ${y - pen.place.row / 2}V${y}`);
    pen.texts.push(shape('path', { class: wait.culprit ? 'cross' : 'halt', d: `M${x - 9} ${y}h18` }));
    if (wait.culprit) label(pen, 'msg bad', x + 12, y + 4, 'start', 'stuck', pen.place.lane / 2 - 8);
  }
}

/** The bracket around the part that repeats. */
function bracket(pen, to) {
  const { run, steps } = pen.layout;
  if (run.cycle_start === null) return;
  const first = steps.findIndex((step) => step > run.cycle_start);
  if (first < 0 || first >= to) return;
  const top = pen.y(first) - pen.place.row / 2 + 3;
  const bottom = pen.y(steps.length - 1) + pen.place.row / 2 - 3;
  const x = pen.place.loop;
  line(pen, 'loop', `M${x + 8} ${bottom}H${x}V${top}H${x + 8}`);
  tip(pen, 'looptip', x + 11, top, 1);
  const seen = [Math.max(top, 0), Math.min(bottom, pen.y(to))];
  if (seen[1] - seen[0] < 110) return;
  const turned = `translate(${x - 4} ${(seen[0] + seen[1]) / 2}) rotate(-90)`;
  const words = { class: 'loopt', transform: turned, 'text-anchor': 'middle' };
  pen.texts.push(shape('text', words, 'repeats for ever'));
}
