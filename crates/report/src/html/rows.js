// Which rows a chart has and how each message runs: across at its send, down beside its reader
// while it waits, into the lane at its receive. So a line crosses a row only where its message is
// in the queue at that moment. The picture of `argos replay --format svg` follows the same rules
// (`svg/wires.rs`); a test compares them.

/** Messages that wait side by side beyond this share a place. */
const SLOTS = 5;
/** Messages are found by blocks of so many rows. */
const BLOCK = 64;

/**
 * The rows of a run. `lanes` are the indices of those shown, from left to right; `keep` says
 * whether step `n`, from 1, has a row. Row 0 is the initial state.
 */
export function layout(run, lanes, keep) {
  const columnOf = new Map(lanes.map((lane, column) => [lane, column]));
  const column = (process) => columnOf.get(run.laneOf.get(process)) ?? -1;
  const steps = [0];
  const rowOf = new Int32Array(run.length + 1).fill(-1);
  rowOf[0] = 0;
  for (let step = 1; step <= run.length; step++) {
    if (!keep(step)) continue;
    rowOf[step] = steps.length;
    steps.push(step);
  }
  const wires = messages(run, rowOf, column, columnOf);
  return { run, lanes, column, columnOf, steps, rowOf, wires, blocks: blocks(wires) };
}

function messages(run, rowOf, column, columnOf) {
  const busy = new Map();
  const wires = [];
  run.steps.forEach((step, index) => {
    const row = rowOf[index + 1];
    if (row < 0) return;
    const other = step.match === undefined ? -1 : rowOf[step.match + 1];
    if (step.kind === 'receive' && other < 0) {
      wires.push({ send: -1, receive: row, from: -1, to: column(step.process), slot: 0, step });
    }
    if (step.kind !== 'send') return;
    const wire = {
      send: row,
      receive: step.unread ? -1 : other,
      from: column(step.process),
      to: columnOf.get(step.target) ?? -1,
      slot: 0,
      step,
    };
    if (wire.receive >= 0 && wire.to >= 0) wire.slot = slot(busy, wire);
    wires.push(wire);
  });
  return wires;
}

/** The first place beside the reader that is free when the message is sent. */
function slot(busy, wire) {
  const side = wire.to * 2 + (wire.from < wire.to ? 1 : 0);
  if (!busy.has(side)) busy.set(side, new Array(SLOTS).fill(0));
  const until = busy.get(side);
  const free = until.findIndex((row) => row <= wire.send);
  const slot = free < 0 ? SLOTS - 1 : free;
  until[slot] = wire.receive;
  return slot;
}

function blocks(wires) {
  const blocks = [];
  for (const wire of wires) {
    const first = wire.send >= 0 ? wire.send : wire.receive;
    const last = wire.receive >= 0 ? wire.receive : first;
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++) {
      (blocks[block] ??= []).push(wire);
    }
  }
  return blocks;
}

/** The messages that are seen in rows `from` to `to`, without the latter. */
export function wiresIn(layout, from, to) {
  const seen = new Set();
  for (let block = Math.floor(from / BLOCK); block <= Math.floor((to - 1) / BLOCK); block++) {
    for (const wire of layout.blocks[block] ?? []) seen.add(wire);
  }
  return seen;
}

/** The row of a step, or that of the last shown one before it. */
export function rowBefore(layout, step) {
  let row = -1;
  for (let at = step; at >= 0 && row < 0; at--) row = layout.rowOf[at];
  return row;
}
