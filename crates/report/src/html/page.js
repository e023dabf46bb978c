// The page: which model and which run are shown, the address, keys and paper.
import { el, fill, number, shape } from './dom.js';
import { Run } from './run.js';
import { draw, LOOP } from './chart.js';
import { Panes, Viewer } from './viewer.js';
import { chooser, established, explanation, findings, header } from './tables.js';
import { index, origin, requirements, section, statistics, unreached } from './tables.js';

/** The address is written when nothing has moved for so long, in milliseconds. */
const REST = 300;
/** Paper takes slices of so many rows, and no more rows than this in all. */
const SLICE = 40;
const PRINTED_MAX = 600;

const { models, unread } = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page');
const live = document.getElementById('live');
const runs = new Map();
let viewer = null;
let shown = { model: 0, run: 0 };
let address = 0;

/** The run of a model, made once. */
function runOf(model, at) {
  const data = models[model].runs[at];
  if (!runs.has(data)) runs.set(data, new Run(data, models[model].machines));
  return runs.get(data);
}

function openModel(at, run = 0, step = null) {
  const model = models[at];
  shown = { model: at, run };
  viewer = null;
  const runPart = el('section', { id: 'run', 'aria-label': 'Run' });
  const isList = models.length + unread.length > 1;
  const openRun = (index) => {
    showRun(index);
    runPart.scrollIntoView();
    viewer.focus();
  };
  const openLine = (file, line) => {
    opener(file, line);
    runPart.scrollIntoView();
  };
  fill(
    page,
    isList && index(models, unread, at, (other) => openModel(other)),
    header(model),
    el(
      'main',
      {},
      findings('errors', 'Errors in the model', model.diagnostics, openLine),
      el('div', { class: 'two' }, el('div', {}, established(model)), el('div', {}, requirements(model, openRun))),
      runPart,
      el('div', { class: 'paper', id: 'paper' }),
      el('div', { class: 'two' }, findings('warnings', 'Warnings', model.warnings, openLine), unreached(model, openLine)),
      el('div', { class: 'two' }, statistics(model), origin(model)),
    ),
  );
  document.title = `${model.banner.word} ${model.model} - argos`;
  if (model.runs.length > 0) showRun(Math.min(run, model.runs.length - 1), step);
  else showTexts(model, runPart);
}

let opener = () => {};

function showRun(at, step = null) {
  const model = models[shown.model];
  const run = runOf(shown.model, at);
  shown = { ...shown, run: at };
  viewer = new Viewer(model, run, { moved: tellAddress, announce: (text) => fill(live, text) });
  opener = (file, line) => viewer.openLine(file, line);
  fill(
    document.getElementById('run'),
    el('h2', {}, 'Run'),
    chooser(model.runs, at, (other) => showRun(other)),
    explanation(run, opener),
    viewer.element,
  );
  // A run that goes on for ever begins where it does.
  const start = run.cycle_start === null ? run.length : run.cycle_start + 1;
  viewer.go(step ?? start, true);
}

/** Without a run: source and machines alone. */
function showTexts(model, place) {
  if (model.sources.length === 0) return;
  const panes = new Panes(model, null, (file, line) => opener(file, line), () => {}, () => 0);
  opener = (file, line) => {
    panes.select('source');
    panes.source.show(file, line);
  };
  fill(place, el('h2', {}, 'Source and machines'), el('div', { class: 'alone' }, panes.element));
}

/** `#e0s12`: run 0, step 12; with several models `#m1e0s12`. */
function tellAddress(step) {
  clearTimeout(address);
  address = setTimeout(() => {
    const model = models.length > 1 ? `m${shown.model}` : '';
    history.replaceState(null, '', `#${model}e${shown.run}s${step}`);
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
  if (!viewer || !paper) return;
  const { layout } = viewer.list;
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
  if (viewer?.key(event)) event.preventDefault();
});
addEventListener('beforeprint', printed);
addEventListener('hashchange', openAddress);
openAddress();
if (models.length === 0) fill(page, section('none', 'Nothing was checked', index(models, unread, -1, () => {})));
