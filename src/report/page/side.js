/* SPDX-License-Identifier: Apache-2.0 */
/* Beside the steps: the selected one in words, the source with the line each thread has reached, and what each location
 * holds, in modification order. */

/* -------- the step in words */

const EDGE_WORDS = {
  rf: ['reads from', 'is read by'], mo: ['overwrites', 'is overwritten by'], fr: ['overwrites what was read by', 'reads before'],
  hb: ['after', 'before'], race: ['races with', 'races with'],
};

const describe = (e) => `${threadName(e.thread)} ${stepText(e)}`;

function stepLink(k) {
  const e = story.events[k];
  return el('button', { className: 'link', textContent: `step ${e.id}`, title: describe(e), onclick: () => follow(k) });
}

/* What was pressed is gone when the panes are drawn anew: keys go on from the steps. */
function follow(k) {
  selectStep(k);
  reveal();
  $('table').focus({ preventScroll: true });
}

/* "rf  reads from step 6 (T1 W rel ready = 1)" */
function edgeLine([kind, from, to]) {
  const incoming = to === state.step, other = incoming ? from : to;
  return [el('dt', { className: `edge ${kind}`, textContent: kind }),
    el('dd', {}, `${EDGE_WORDS[kind][incoming ? 0 : 1]} `, stepLink(other), ` ${describe(story.events[other])}`)];
}

function showDetails() {
  const e = story.events[state.step];
  if (!e) return;
  const head = el('p', {}, tagOf(e.thread), ` step ${e.id}: `, el('code', { textContent: stepText(e) }));
  const lines = edgesOf(state.step).flatMap(edgeLine);
  if (e.rf === null && !e.rf_plain) lines.unshift(el('dt', { className: 'edge rf', textContent: 'rf' }),
    el('dd', { textContent: 'reads the initial value' }));
  const parts = [head];
  if (e.note) parts.push(el('p', {}, el('span', { className: 'note', textContent: e.note })));
  if (e.state) parts.push(el('p', {}, el('code', { textContent: e.state })));
  $('details').replaceChildren(...parts, el('dl', {}, ...lines));
}

function tagOf(t) {
  const tag = el('span', { className: 'tag', textContent: threadName(t) });
  tag.style.setProperty('--tc', threadColor(t));
  return tag;
}

/* -------- source */

/* Where each thread stands: its last step up to the selected one. */
function currentPlaces() {
  const places = new Map();
  for (let k = 0; k <= state.step; k++) if (story.events[k].file) places.set(story.events[k].thread, story.events[k]);
  return places;
}

/* Signs that would make the rest of the line look like something else are spelled out. */
const plainLine = (text) => text.replace(/\r$/, '').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

function sourceRow(text, number) {
  const row = el('div', {}, el('span', { className: 'nr', textContent: number }), el('span', { className: 'who' }),
    el('span', { textContent: plainLine(text) }));
  row.dataset.line = number;
  return row;
}

/* Of a long file there may be several parts. */
function findSource(name, line) {
  const parts = (story.x.sources || []).filter((s) => s.file === name);
  for (const part of parts) part.lines = part.lines || part.text.replace(/\n$/, '').split('\n');
  return parts.find((s) => line >= s.first && line < s.first + s.lines.length) || parts[0];
}

/* The rows of a file are made once. */
function openFile(file) {
  $('source-name').textContent = file ? file.file : '';
  if (!file || story.file === file) return;
  story.file = file;
  $('code').replaceChildren(...file.lines.map((t, n) => sourceRow(t, file.first + n)));
  markFar(file);
  for (const tab of $('files').children) tab.classList.toggle('on', tab.source === file);
}

/* On paper, lines that are far from every step are left out. */
function markFar(file) {
  const rows = $('code').children, near = new Set(), used = story.error ? [...story.events, story.error] : story.events;
  for (const e of used) if (e.file === file.file) for (let n = e.line - 8; n <= e.line + 8; n++) near.add(n);
  for (const row of rows) row.classList.toggle('far', !near.has(Number(row.dataset.line)));
}

function listFiles() {
  const sources = story.x.sources || [];
  story.file = null;
  $('source').hidden = !sources.length;
  $('code').replaceChildren();
  const label = (s) => (sources.some((o) => o !== s && o.file === s.file) ? `${s.file}:${s.first}` : s.file);
  $('files').replaceChildren(...(sources.length < 2 ? [] : sources.map((s) => el('button', { textContent: label(s),
    source: s, onclick: () => { openFile(findSource(s.file, s.first)); markSource(); } }))));
}

function markSource() {
  const here = story.events[state.step], rows = $('code').children;
  if (!story.file) return;
  for (const row of $('code').querySelectorAll('.here, .now')) {
    row.classList.remove('here', 'now', 'bad');
    row.children[1].replaceChildren();
  }
  for (const [thread, e] of currentPlaces()) {
    const row = e.file === story.file.file && rows[e.line - story.file.first];
    if (!row) continue;
    row.classList.add(e === here ? 'now' : 'here');
    row.classList.toggle('bad', e === here && !!e.guilty);
    row.children[1].append(tagOf(thread));
    if (e === here) centre($('code'), row);
  }
  markError(rows, here);
}

/* The line of the error, which may have no step of its own. */
function markError(rows, here) {
  const row = story.error && story.error.file === story.file.file && rows[story.error.line - story.file.first];
  if (!row) return;
  row.classList.add('wrong');
  row.title = 'The error';
  if (!here || (state.atError && !here.guilty)) centre($('code'), row);
}

function centre(box, row) {
  box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2 + 10;
}

function showSource() {
  const e = story.events[state.step], error = state.atError && !(e && e.guilty) ? story.error : null, at = error || e;
  if (at && at.file) openFile(findSource(at.file, at.line));
  else if (!story.file && (story.x.sources || []).length) openFile(findSource(story.x.sources[0].file, 0));
  markSource();
}

/* -------- memory */

const CHIPS_MOST = 40;

function listLocations() {
  const locations = new Map();
  for (const e of story.events) {
    if (!e.location || (e.found === undefined && e.written === undefined)) continue;
    const key = e.location.address;
    if (!locations.has(key)) locations.set(key, { key, name: e.location.name, initial: '' });
    if (e.rf === null && !e.rf_plain) locations.get(key).initial = e.found;
  }
  story.locations = [...locations.values()];
  $('memory').hidden = !story.locations.length;
}

/* Does step a happen before step e, or come before it in its thread? Null: not known. */
function isBefore(a, e) {
  if (a.thread === e.thread) return a.index <= e.index;
  return e.hb ? a.id <= (e.hb[a.thread] || 0) : null;
}

/* The oldest write, by position, that coherence still lets the thread of `e` read: what it knows to be written, or was
 * read by what happens before, hides what is older. -1: the initial value. */
function oldestVisible(writes, e, address) {
  let oldest = -1;
  writes.forEach((w, n) => { if (isBefore(w, e)) oldest = Math.max(oldest, n); });
  for (const r of story.events)
    if (r.rf && r.location.address === address && r !== e && isBefore(r, e))
      oldest = Math.max(oldest, sourceOf(r) ?? -1);
  return oldest;
}

function writeChip(text, id, classes, k) {
  const chip = el('button', { className: `write ${classes}` }, text, el('sub', { textContent: id ? ` ${id}` : ' initial' }));
  if (k >= 0) chip.onclick = () => follow(k);
  else chip.disabled = true;
  return chip;
}

function locationRow(location, e) {
  const writes = story.byAddress.get(location.key), known = !!(e && e.hb);
  const oldest = known ? oldestVisible(writes, e, location.key) : -1;
  const own = e && e.location && e.location.address === location.key;
  const kind = (n, step) => (own && ((n < 0 && e.rf === null && !e.rf_plain) || (n >= 0 && (writes[n].id === e.rf || writes[n] === e)))
    ? 'chosen' : e && step > e.index ? 'later' : !known ? '' : n < oldest ? 'hidden' : 'visible');
  const chips = location.initial === '' ? [] : [writeChip(location.initial, 0, kind(-1, -1), -1)];
  const [from, to] = chipsInSight(writes, own ? e.position ?? sourceOf(e) : undefined, e);
  if (from) chips.push(el('span', { className: 'more', textContent: `${from.toLocaleString('en')} more …` }));
  for (let n = from; n < to; n++) chips.push(writeChip(writes[n].written, writes[n].id, kind(n, writes[n].index), writes[n].index));
  if (to < writes.length)
    chips.push(el('span', { className: 'more', textContent: `… ${(writes.length - to).toLocaleString('en')} more` }));
  return el('div', { className: `location${own ? ' on' : ''}` },
    el('span', { className: 'name', textContent: location.name }), ...chips);
}

/* Of many writes, those around the one the step is about, or around those written so far. */
function chipsInSight(writes, position, e) {
  if (writes.length <= CHIPS_MOST) return [0, writes.length];
  const middle = position ?? lowerBound(writes.length, (n) => e && writes[n].index > e.index);
  const from = Math.max(0, Math.min(writes.length - CHIPS_MOST, middle - CHIPS_MOST / 2));
  return [from, from + CHIPS_MOST];
}

function showMemory() {
  const e = story.events[state.step];
  const rows = story.locations.map((l) => locationRow(l, e));
  if (e && e.hb) rows.push(el('div', { className: 'legend', textContent:
    `Outlined: what ${threadName(e.thread)} may still read at step ${e.id}. Struck out: too old. Pale: not written yet.` }));
  $('locations').replaceChildren(...rows);
  const row = $('locations').querySelector('.on');
  if (row) centre($('locations'), row);
}
