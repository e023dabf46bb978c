// The page: which model and which run are shown, the address, keys and paper.
import { el, fill, number, shape } from './dom.js';
import { draw, LOOP } from './chart.js';
import { ModelPart } from './model.js';
import { header, index, section } from './tables.js';

/** The address is written when nothing has moved for so long, in milliseconds. */
const REST = 300;
/** Paper takes slices of so many rows, and no more rows than this in all. */
const SLICE = 40;
const PRINTED_MAX = 600;

const { models, unread } = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page');
const live = document.getElementById('live');
let part = null;
let shown = 0;
let address = 0;

function openModel(at, run = 0, step = null) {
  const model = models[at];
  shown = at;
  part = new ModelPart(model, { moved: tellAddress, announce: (text) => fill(live, text) });
  const isList = models.length + unread.length > 1;
  fill(page, isList && index(models, unread, at, (other) => openModel(other)), header(model), part.element);
  document.title = `${model.banner.word} ${model.model} - argos`;
  part.open(run, step);
}

/** `#e0s12`: run 0, step 12; with several models `#m1e0s12`. */
function tellAddress(run, step) {
  clearTimeout(address);
  address = setTimeout(() => {
    const model = models.length > 1 ? `m${shown}` : '';
    history.replaceState(null, '', `#${model}e${run}s${step}`);
  }, REST);
}

function openAddress() {
  const parts = /^#(?:m(\d+))?e(\d+)s(\d+)$/.exec(location.hash);
  const [model, run, step] = (parts ?? []).slice(1).map((part) => (part ? Number(part) : 0));
  if (parts && models[model]?.runs[run]) openModel(model, run, step);
  else if (!page.hasChildNodes() && models.length > 0) openModel(0);
}

/** The chart in slices, with the steps beside it. */
function printed() {
  const paper = document.getElementById('paper');
  if (!part?.viewer || !paper) return;
  const { layout } = part.viewer.list;
  const end = Math.min(layout.steps.length, PRINTED_MAX + 1);
  const slices = [];
  for (let from = 1; from < end; from += SLICE) slices.push(slice(layout, from, Math.min(end, from + SLICE)));
  const rest = layout.steps.length - end;
  fill(paper, slices, rest > 0 && el('p', {}, `the first ${PRINTED_MAX} of ${number(layout.steps.length - 1)} steps`));
}

function slice(layout, from, to) {
  const { run, lanes, steps } = layout;
  const lane = Math.max(70, Math.min(150, 640 / Math.max(1, lanes.length)));
  const left = 260 + (run.cycle_start === null ? 0 : LOOP);
  const place = { row: 20, lane, left, loop: 250 };
  const size = [left + lane * lanes.length + 20, 24 + (to - from + 1) * 20];
  const picture = shape('svg', { viewBox: `0 0 ${size[0]} ${size[1]}`, 'aria-hidden': 'true' });
  lanes.forEach((lane_, column) => {
    const x = left + lane * (column + 0.5);
    picture.append(shape('text', { class: 'msg', x, y: 14, 'text-anchor': 'middle' }, run.lanes[lane_].name));
  });
  // A label stands a little above its row; what else is above belongs to the slice before.
  const box = { y: 18, width: size[0], height: size[1] - 18 };
  const chart = shape('svg', { ...box, viewBox: `0 -6 ${box.width} ${box.height}` });
  chart.append(...draw(layout, place, from, to, -1));
  for (let row = from; row < to; row++) {
    const step = run.steps[steps[row] - 1];
    const y = (row - from) * 20 + 14;
    chart.append(shape('text', { class: 'say', x: 30, y, 'text-anchor': 'end' }, steps[row]));
    chart.append(shape('text', { class: 'msg', x: 38, y }, `${step.process} ${step.action}`.slice(0, 30)));
  }
  picture.append(chart);
  return el('div', { class: 'slice' }, picture);
}

document.addEventListener('keydown', (event) => {
  if (part?.viewer?.key(event)) event.preventDefault();
});
addEventListener('beforeprint', printed);
addEventListener('hashchange', openAddress);
openAddress();
if (models.length === 0) fill(page, section('none', 'Nothing was checked', index(models, unread, -1, () => {})));
