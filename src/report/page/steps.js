/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of an execution, in their order: a row for each, indented to the column of its thread. Rounds of a loop that
 * repeat what stands above them are folded. A rail at the left has the edges of the selected step. */
const ROW = 26, HEAD = 26, ROUND_MOST = 12, FOLD_LEAST = 3, EDGES_MOST = 24, LETTER = 7.9, NARROW = 520;

/* -------- loops */

/* Everything a reader sees of a step, but its number. */
function signature(e) {
  return [e.thread, e.kind, e.order, e.text, e.location && e.location.name, e.found, e.written, e.place, e.note, e.guilty,
    e.operation, e.answer, e.other].join('\u0001');
}

/* How many rounds of `period` steps, equal to those from k on, follow them. */
function countRounds(signs, k, period) {
  let rounds = 0;
  for (let at = k + period; at + period <= signs.length; at += period, rounds++)
    for (let n = 0; n < period; n++) if (signs[at + n] !== signs[k + n]) return rounds;
  return rounds;
}

/* What is listed: steps, and folds of steps [from, to). */
function findFolds(events) {
  const signs = events.map(signature), items = [];
  for (let k = 0; k < events.length;) {
    let period = 1, rounds = 0;
    for (; period <= ROUND_MOST && !rounds; period += rounds ? 0 : 1) rounds = countRounds(signs, k, period);
    if (rounds * period < FOLD_LEAST) rounds = 0;
    const own = rounds ? period : 1;
    for (let n = 0; n < own; n++) items.push({ k: k + n });
    if (rounds) items.push({ from: k + own, to: k + own * (rounds + 1), rounds, folded: true });
    k += own * (rounds + 1);
  }
  return items;
}

/* -------- rows */

/* "W rel ready = 1": what a step does, as nodes. */
function stepNodes(e) {
  const nodes = [el('span', { className: 'what', textContent: e.text || e.kind })];
  if (e.order) nodes.push(el('span', { className: `order ${e.order}`, textContent: e.order }));
  if (e.location) nodes.push(el('span', { className: 'what', textContent: e.location.name + valueText(e) }));
  if (e.other !== undefined) nodes.push(el('span', { className: 'what', textContent: `T${e.other}` }));
  if (e.operation) nodes.push(el('span', { className: 'what', textContent: e.operation + (e.answer ? ` = ${e.answer}` : '') }));
  return nodes;
}

function valueText(e) {
  if (e.found !== undefined && e.written !== undefined) return `: ${e.found} → ${e.written}`;
  const value = e.written ?? e.found;
  return value === undefined ? '' : ` = ${value}`;
}

const stepText = (e) => e.shownText || (e.shownText = stepNodes(e).map((n) => n.textContent).join(' '));

/* The folder that all steps are in says nothing. */
const shortPlace = (e) => (e.place || '').slice(story.folder.length);

function stepRow(k) {
  const e = story.events[k], before = story.events[k - 1];
  const cell = el('span', { className: 'ev' }, ...stepNodes(e));
  cell.style.setProperty('--col', story.columns.indexOf(e.thread));
  cell.style.setProperty('--tc', threadColor(e.thread));
  if (e.note) cell.append(el('span', { className: 'note', textContent: e.note, title: e.note }));
  const row = el('div', { className: 'row', id: `step-${k}`, title: e.place || '' }, el('span'),
    el('span', { className: 'n', textContent: e.id }), cell,
    el('span', { className: 'place', textContent: e.place ? `\u200e${shortPlace(e)}` : '' }));
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', k === state.step);
  row.classList.toggle('switch', !!before && before.thread !== e.thread);
  row.classList.toggle('guilty', !!e.guilty);
  row.classList.toggle('plain', e.kind === 'r' || e.kind === 'w');
  row.onclick = () => selectStep(k);
  return row;
}

function foldRow(item) {
  const first = story.events[item.from], last = story.events[item.to - 1];
  const text = `↻ ${plural(item.rounds, 'more round')} of the same: steps ${first.id} to ${last.id}`;
  const cell = el('span', { className: 'ev' }, el('button', { className: 'link', textContent: text }));
  cell.style.setProperty('--col', story.columns.indexOf(first.thread));
  cell.style.setProperty('--tc', threadColor(first.thread));
  const row = el('div', { className: 'row fold' }, el('span'), el('span'), cell, el('span'));
  row.onclick = () => { unfold(item); drawRail(); };
  return row;
}

function unfold(item) {
  item.folded = false;
  listRows();
}

function headRow() {
  const cell = el('span', { className: 'ev' });
  story.columns.forEach((t, column) => {
    const tag = tagOf(t);
    tag.style.setProperty('--col', column);
    cell.append(tag);
  });
  return el('div', { className: 'head' }, el('span'), el('span', { textContent: 'step' }), cell, el('span'));
}

/* Lists what is not folded and notes in which line each step stands. */
function listRows() {
  const rows = [headRow()];
  story.line = new Map();
  for (const item of story.items) {
    const from = item.k ?? item.from, to = item.k === undefined ? item.to : from + 1;
    for (let k = from; k < to; k++) story.line.set(k, rows.length - 1);
    if (item.folded) rows.push(foldRow(item));
    else for (let k = from; k < to; k++) {
      story.line.set(k, rows.length - 1);
      rows.push(stepRow(k));
    }
  }
  $('table').replaceChildren(...rows);
  sizeColumns();
}

/* Columns as wide as they can be while every step and its note fit. */
function sizeColumns() {
  const narrow = $('table').clientWidth < NARROW; // no room for places
  $('table').classList.toggle('narrow', narrow);
  const longest = narrow ? 0 : Math.min(22, Math.max(...story.events.map((e) => shortPlace(e).length)));
  const width = $('table').clientWidth - 84 - 46 - 24 - 7.3 * longest;
  let room = 230;
  for (const e of story.events) {
    const column = story.columns.indexOf(e.thread), needed = (stepText(e).length + 3) * LETTER + (e.note || '').length * 6.6 + 44;
    if (column) room = Math.min(room, (width - needed) / column);
  }
  $('table').style.setProperty('--colw', `${Math.max(22, room)}px`);
}

/* -------- edges */

/* Among the writes of its location, that from which a step reads: -1 is the initial one; undefined: it is not there. */
function sourceOf(e) {
  if (e.rf === undefined || e.rf_plain) return undefined;
  if (e.rf === null) return -1;
  const w = story.events[story.byId.get(e.rf)];
  return w && w.location && w.location.address === e.location.address ? w.position : undefined;
}

/* The write that comes next after the source of a read, or null. */
function overwriteOf(e) {
  const source = sourceOf(e);
  if (source === undefined) return null;
  const writes = story.byAddress.get(e.location.address), next = writes[source + 1];
  return (next === e ? writes[source + 2] : next) || null;
}

/* Edges of a step as [kind, from, to], positions of events. */
function edgesOf(k) {
  const e = story.events[k], edges = [], at = (id) => story.byId.get(id);
  const add = (kind, from, to) => { if (from !== undefined && to !== undefined && from !== to) edges.push([kind, from, to]); };
  if (e.rf) add('rf', at(e.rf), k);
  if (e.guilty && !story.x.calls) for (const other of story.events) if (other.guilty) add('race', other.index, k);
  if (e.location && e.mo !== undefined) addOrderEdges(e, k, add);
  const next = overwriteOf(e);
  if (next) add('fr', k, next.index);
  (e.hb || []).forEach((id, t) => { if (id && t !== e.thread) add('hb', at(id), k); });
  return edges;
}

/* Its neighbours in modification order, who reads it, and who read what it overwrites. Of locks and the like only who
 * reads: the next to take a mutex may read from a wait, which is a step at another place. */
function addOrderEdges(e, k, add) {
  const writes = story.byAddress.get(e.location.address), n = e.position ?? -1;
  if (n > 0) add('mo', writes[n - 1].index, k);
  if (n >= 0 && n + 1 < writes.length) add('mo', k, writes[n + 1].index);
  let readers = 0;
  for (const r of story.events) {
    if (readers >= EDGES_MOST) return;
    if (r.rf === e.id) add('rf', k, r.index), readers++;
    else if (n >= 0 && r !== e && r.location && r.location.address === e.location.address && overwriteOf(r) === e)
      add('fr', r.index, k), readers++;
  }
}

const RAIL = { rf: 16, race: 16, fr: 30, mo: 46, hb: 62 };

function svg(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/* A bracket from line to line, with its head at the second. */
function drawEdge([kind, from, to]) {
  const y1 = story.line.get(from) * ROW + ROW / 2 - 3, y2 = story.line.get(to) * ROW + ROW / 2 + 3, x = RAIL[kind];
  const turn = y2 > y1 ? 5 : -5;
  const label = svg('text', { x, y: (y1 + y2) / 2 + 3 });
  label.textContent = kind;
  return svg('g', { class: kind },
    svg('path', { d: `M80 ${y1}H${x + 5}Q${x} ${y1} ${x} ${y1 + turn}V${y2 - turn}Q${x} ${y2} ${x + 5} ${y2}H76` }),
    svg('path', { d: `M75 ${y2 - 4}L81 ${y2}L75 ${y2 + 4}` }), label);
}

function drawRail() {
  for (const old of $('table').querySelectorAll('.rail')) old.remove();
  for (const row of $('table').querySelectorAll('.near')) row.classList.remove('near');
  if (state.step < 0) return;
  const edges = edgesOf(state.step).filter(([, a, b]) => story.line.get(a) !== story.line.get(b));
  const height = ($('table').children.length - 1) * ROW;
  const rail = svg('svg', { class: 'rail', height, style: `top:${HEAD}px` }, ...edges.map(drawEdge));
  $('table').append(rail);
  for (const [, a, b] of edges) for (const k of [a, b]) if (k !== state.step && $(`step-${k}`)) $(`step-${k}`).classList.add('near');
}

/* -------- showing */

function showSteps() {
  const { events, x } = story;
  $('grid').hidden = !events.length && !(x.sources || []).length;
  $('grid').classList.toggle('alone', !events.length);
  $('steps').hidden = $('step').hidden = !events.length;
  if (!events.length) return;
  $('steps-title').textContent = x.title || 'Interleaving';
  const left = x.events_left_out ? `; ${x.events_left_out.toLocaleString('en')} in the middle are left out` : '';
  $('steps-note').textContent = `${plural(events.length, 'step')}${left}`;
  story.items = story.items || findFolds(events);
  listRows();
}

function showStep() {
  const k = state.step, table = $('table');
  for (const row of table.querySelectorAll('.selected')) row.classList.remove('selected'), row.setAttribute('aria-selected', false);
  const fold = story.items && story.items.find((i) => i.folded && k >= i.from && k < i.to);
  if (fold) unfold(fold);
  const row = $(`step-${k}`);
  if (!row) return;
  row.classList.add('selected');
  row.setAttribute('aria-selected', true);
  table.setAttribute('aria-activedescendant', row.id);
  drawRail();
}

/* On paper, of many steps only those around what is odd or selected: a browser needs minutes for thousands. */
function markFarSteps(most = 300, around = 20) {
  const rows = [...$('table').querySelectorAll('.row')], near = new Set(), leave = rows.length > most;
  const odd = rows.flatMap((row, n) => (row.matches('.guilty, .selected') || row.querySelector('.note') ? [n] : []));
  for (const n of odd.slice(-40)) for (let k = n - around; k <= n + around; k++) near.add(k);
  rows.forEach((row, n) => row.classList.toggle('far', leave && !near.has(n)));
  $('table').classList.toggle('parts', leave);
}

/* The next step, in that direction, at which another thread takes over. */
function nextSwitch(direction) {
  const { events } = story;
  for (let k = state.step + direction; k > 0 && k < events.length; k += direction)
    if (events[k].thread !== events[k - 1].thread) return k;
  return direction < 0 ? 0 : events.length - 1;
}
