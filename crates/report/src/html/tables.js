// Everything around the run: verdict, requirements, waits, warnings, figures. The sentences come
// with the data; here they only get their places.
import { button, el, fill, link, number } from './dom.js';
import { letter } from './list.js';

const NAME_MAX = 28;

/** A part of the page with a heading; nothing where there is nothing in it. */
export function section(id, title, ...content) {
  const filled = content.flat(9).some(Boolean);
  return filled && el('section', { id, 'aria-label': title }, el('h2', {}, title), content);
}

/** The verdict. */
export function header({ banner }) {
  return el(
    'header',
    { class: banner.tone },
    el('h1', {}, `${banner.sign} ${banner.word}`.trim()),
    el('div', { class: 'sentence' }, banner.sentence),
    el('div', { class: 'facts' }, banner.facts.join(' · ')),
  );
}

/** The models of the page; `open` is called with the index of one. */
export function index(models, unread, shown, open) {
  const row = (model, at) =>
    el(
      'tr',
      { class: at === shown ? 'on' : null, 'data-model': at },
      el('td', {}, tag(model.banner.tone, model.banner.sign, model.banner.word)),
      el('td', {}, link(model.model, () => open(at), { 'aria-current': at === shown ? 'true' : null })),
      el('td', {}, model.banner.sentence),
    );
  const missing = unread.map((file) =>
    el('tr', {}, el('td', {}, tag('bad', '✗', '-')), el('td', {}, file), el('td', {}, 'cannot be read')),
  );
  const rows = el('tbody', {}, models.map(row), missing);
  return el('nav', { id: 'index', 'aria-label': 'Models' }, el('table', {}, rows));
}

function tag(tone, sign, word) {
  return el('span', { class: `tag ${tone}` }, `${sign} ${word}`.trim());
}

/** What was established, under which assumptions, and what is to be said beside. */
export function established(model) {
  return [
    section('established', 'What was established', list(model.established)),
    section('assumptions', 'Under these assumptions', list(model.assumptions)),
    section('search', 'About this search', lines(model.remarks)),
  ];
}

function list(items) {
  return items.length > 0 && el('ul', {}, items.map((item) => el('li', {}, item)));
}

/** Labels on the left, texts on the right. */
function lines(all) {
  const rows = all.flatMap(({ head, text }) => [el('dt', {}, head), el('dd', {}, text)]);
  return rows.length > 0 && el('dl', {}, rows);
}

/** Requirements or potential errors; `open` is called with the index of a run. */
export function requirements(model, open) {
  const run = (index) => index !== null && link('show run', () => open(index), { 'data-run': index });
  const rows = model.requirements.map((it) =>
    el(
      'tr',
      {},
      el(
        'td',
        {},
        it.name,
        it.line !== null && el('span', { class: 'faint' }, ` line ${it.line}`),
        it.text && el('div', { class: 'code faint' }, it.text),
        it.note && el('div', { class: 'faint' }, it.note),
      ),
      el('td', {}, tag(it.tone, it.sign, it.result)),
      el('td', {}, run(it.run)),
    ),
  );
  const potential = model.candidates.map((it) =>
    el(
      'tr',
      {},
      el('td', {}, it.kind, el('div', { class: 'faint' }, it.place)),
      el('td', {}, tag(it.tone, it.sign, it.cost)),
      el('td', {}, run(it.run)),
    ),
  );
  const table = (rows) =>
    rows.length > 0 && el('div', { class: 'wide-table' }, el('table', {}, el('tbody', {}, rows)));
  return [
    section('requirements', 'Requirements', table(rows)),
    section('candidates', 'Potential errors', table(potential)),
  ];
}

/** Why a run is what it is: who waits, what was allowed, how long it is. */
export function explanation(run, openLine) {
  const atoms = run.atoms.map((atom, at) => `${letter(at)}: ${atom}`).join(' · ');
  return el(
    'div',
    { class: run.tail?.bad ? 'why bad' : 'why', id: 'why' },
    el('p', { class: 'sentence' }, run.sentence),
    run.waits.length > 0 && waits(run, openLine),
    lines(run.why),
    atoms && el('p', { class: 'faint' }, `${atoms} · ● true ○ false`),
    el('p', { class: 'faint' }, run.about),
  );
}

/** A name is not broken in two to make room for what stands beside it, unless it is very long. */
function named(name) {
  return name.length <= NAME_MAX ? 'code whole' : 'code';
}

function waits(run, openLine) {
  const heads = ['Process', 'is at', 'waits for', 'and cannot go on because'];
  const row = (wait) =>
    el(
      'tr',
      { class: wait.culprit ? 'culprit' : null },
      el('td', { class: named(wait.process) }, wait.culprit ? '✗ ' : '', wait.process),
      el(
        'td',
        {},
        wait.line > 0 && link(`line ${wait.line}`, () => openLine(undefined, wait.line)),
        wait.at && el('span', { class: named(wait.at) }, ` ${wait.at}`),
      ),
      el('td', { class: 'code' }, wait.waits),
      el(
        'td',
        {},
        wait.because,
        wait.needs?.length > 0 && el('span', { class: 'faint' }, `; needs ${wait.needs.join(' or ')}`),
      ),
    );
  const head = el('thead', {}, el('tr', {}, heads.map((it) => el('th', {}, it))));
  return el('div', { class: 'wide-table' }, el('table', {}, head, el('tbody', {}, run.waits.map(row))));
}

/** Errors of the text, or warnings about it. */
export function findings(id, title, all, openLine) {
  const place = (it) =>
    el(
      'div',
      {},
      it.line > 0 && link(`${it.file}:${it.line}`, () => openLine(it.file, it.line)),
      it.text && el('span', { class: 'code' }, ` ${it.text}`),
    );
  const row = (it) =>
    el(
      'tr',
      {},
      el('td', {}, tag(it.severity === 'error' ? 'bad' : 'care', '', `${it.severity}[${it.id}]`)),
      el('td', {}, it.message, it.remarks.map((text) => el('div', { class: 'faint' }, text))),
      el('td', {}, it.places.map(place)),
    );
  return section(id, title, all.length > 0 && el('table', {}, el('tbody', {}, all.map(row))));
}

/** Statements never executed. */
export function unreached(model, openLine) {
  const guard = (file) => (it) =>
    el(
      'li',
      {},
      link(`line ${it.line}`, () => openLine(file, it.line)),
      el('span', { class: 'code' }, ` ${it.statement}`),
      el('span', { class: 'faint' }, `: ${it.text}`),
    );
  const row = (it) =>
    el(
      'tr',
      {},
      el('td', { class: named(it.process) }, it.process),
      el(
        'td',
        {},
        link(it.lines, () => openLine(it.file, it.line)),
        it.guards.length > 0 && el('ul', {}, it.guards.map(guard(it.file))),
      ),
    );
  const rows = model.unreached.map(row);
  return section(
    'unreached',
    'Never executed',
    model.coverage && el('p', { class: 'faint' }, model.coverage),
    rows.length > 0 && el('table', {}, el('tbody', {}, rows)),
  );
}

/** The figures. */
export function statistics(model) {
  return section('statistics', 'Statistics', lines(model.statistics));
}

/** How to have the same again. */
export function origin(model) {
  const command = el('code', {}, model.command);
  const copy = button('copy', 'copy the command', async () => {
    await navigator.clipboard?.writeText(model.command);
    fill(copy, 'copied');
    setTimeout(() => fill(copy, 'copy'), 1200);
  });
  const line = model.command && el('div', { class: 'command' }, command, copy);
  return section('origin', 'Reproduce', line, lines(model.origin));
}

/** Which run is shown, if there are several; `open` is called with the index of one. */
export function chooser(runs, shown, open) {
  if (runs.length < 2) return false;
  const options = runs.map((run, at) =>
    el('option', { value: at, selected: at === shown }, `${at + 1} of ${number(runs.length)}: ${run.sentence}`),
  );
  const onchange = (event) => open(Number(event.target.value));
  return el('select', { id: 'runs', 'aria-label': 'Which run', onchange }, options);
}
