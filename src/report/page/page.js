/* SPDX-License-Identifier: Apache-2.0 */
/* The page shows one counterexample and has one selection: a step, an operation, or both; every pane draws itself from
 * that. Names and values come from programs under test: textContent only. */
'use strict';
const began = performance.now();
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);

/* Every counterexample of every case, or the picture of one that holds. */
const stories = data.cases.flatMap((c) => [...c.counterexamples, ...(c.picture ? [c.picture] : [])].map((x) => ({ case: c, x })));
const state = { number: 0, step: -1, op: -1, atError: false };
let story = null; // the prepared counterexample: see prepare()

function el(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function plural(n, word) {
  return `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
}

/* Processes of a model that are none of its threads have no number. */
const threadName = (t) => (t === undefined ? 'others' : `T${t}`);
const threadColor = (t) => `var(--t${(t ?? 6) % 8})`;

/* -------- preparing */

/* Lanes stand in the order of the threads' names, T2 before T10. */
function orderLanes(threads) {
  const order = threads.map((_, t) => t);
  const collator = new Intl.Collator('en', { numeric: true });
  order.sort((a, b) => collator.compare(threads[a], threads[b]));
  const lane = [];
  order.forEach((t, k) => { lane[t] = k; });
  return lane;
}

/* `x`: what the monitor says about it, with core and orders. */
function prepareHistory(h, x) {
  h.count = h.id.length;
  h.byId = new Map(h.id.map((id, i) => [id, i]));
  h.core = new Set((x.ops || []).map((o) => h.byId.get(o.id)));
  const guilty = (x.ops || []).find((o) => o.guilty);
  h.guilty = guilty ? h.byId.get(guilty.id) : -1;
  h.lane = orderLanes(h.threads);
  h.coreList = [...h.core].sort((a, b) => a - b);
  h.holds = h.orders && h.orders.length > 0;
  if (h.holds) x.attempts = h.orders.map((o) => ({ ...o, order: o.order.map((i) => h.id[i]) }));
  return h;
}

function prepareEvents(x) {
  const events = x.events || [];
  const byId = new Map(events.map((e, k) => [e.id, k]));
  const columns = [...new Set(events.map((e) => e.thread))].sort((a, b) => a - b);
  const byAddress = new Map();
  events.forEach((e, k) => {
    e.index = k;
    if (!e.location) return;
    const writes = byAddress.get(e.location.address) || [];
    byAddress.set(e.location.address, writes);
    if (e.written !== undefined) writes.push(e);
  });
  for (const writes of byAddress.values()) {
    writes.sort((a, b) => (a.mo ?? a.id) - (b.mo ?? b.id));
    writes.forEach((w, n) => { w.position = n; });
  }
  return { events, byId, columns, byAddress, folder: commonFolder(events) };
}

/* What all places begin with, up to a slash. */
function commonFolder(events) {
  const places = events.flatMap((e) => e.place || []);
  let folder = places.length ? places[0].slice(0, places[0].lastIndexOf('/') + 1) : '';
  while (folder && !places.every((p) => p.startsWith(folder))) folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}

/* "queue.c:31" (or "queue.c:31:5") in two parts, if the page has that file. */
function splitPlace(x) {
  const match = /^(.*?):(\d+)(?::\d+)?$/.exec(x.place || '');
  return match && (x.sources || []).some((s) => s.file === match[1]) ? { file: match[1], line: Number(match[2]) } : null;
}

/* Indexes of a counterexample, made once. */
function prepare(entry) {
  if (!entry.ready) {
    const x = entry.x;
    entry.ready = { x, case: entry.case, core: x.history || x, error: splitPlace(x),
      history: x.timeline ? prepareHistory(x.timeline, x.history || x) : null, ...prepareEvents(x) };
  }
  return entry.ready;
}

/* The step the error is about: one that is marked, or odd, or the last of the guilty operation, or of all. */
function errorStep() {
  const { events, history: h } = story;
  const marks = [(e) => e.guilty, (e) => e.note, (e) => h && h.guilty >= 0 && e.op === h.id[h.guilty], () => true];
  for (const mark of marks) {
    const k = events.findLastIndex(mark);
    if (k >= 0) return k;
  }
  return -1;
}

/* -------- selection */

function opOfStep(k) {
  const e = story.events[k];
  const i = e && e.op !== undefined && story.history ? story.history.byId.get(e.op) : undefined;
  return i === undefined ? -1 : i;
}

function selectStep(k) {
  if (k < 0 || k >= story.events.length) return;
  state.step = k;
  state.op = opOfStep(k);
  state.atError = false;
  refresh();
}

function selectOp(i) {
  if (!story.history || i < 0 || i >= story.history.count) return;
  state.op = i;
  state.atError = false;
  if (story.history.holds) chooseOrderOf(story.history, i);
  const k = story.events.findIndex((e) => e.op === story.history.id[i]);
  if (k >= 0) state.step = k;
  refresh();
}

function selectError() {
  state.op = story.history ? story.history.guilty : -1;
  state.step = errorStep();
  state.atError = true;
  refresh(true);
}

/* -------- address */

function readAddress() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function writeAddress() {
  const words = new URLSearchParams(readAddress());
  for (const name of ['c', 'step', 'op']) words.delete(name);
  if (stories.length > 1) words.set('c', state.number);
  if (state.step >= 0) words.set('step', story.events[state.step].id);
  else if (state.op >= 0) words.set('op', story.history.id[state.op]);
  history.replaceState(null, '', `#${words}`);
}

/* The counterexample that the address names, or the first one. */
function storyOfAddress(words) {
  const first = stories.findIndex((s) => s.case.counterexamples.length);
  return Math.min(stories.length - 1, Math.max(0, Number(words.c ?? first) || 0));
}

/* Selects what the address names, or the error. */
function followAddress() {
  const words = readAddress(), number = storyOfAddress(words);
  if (number !== state.number) show(number);
  const step = story.byId.get(Number(words.step));
  const op = story.history ? story.history.byId.get(Number(words.op)) : undefined;
  if (step !== undefined) selectStep(step);
  else if (op !== undefined) selectOp(op);
  else selectError();
}

/* -------- header */

function showHeader() {
  const { x } = story, c = story.case;
  const place = x.place || (x.file && !x.events ? x.file : '');
  document.title = x.one_line;
  showVerdict(c.verdict);
  $('where').textContent = place || c.name;
  $('title').textContent = x.one_line;
  $('why').textContent = x.why || '';
  $('remarks').replaceChildren(...(x.remarks || []).map((r) => el('p', { textContent: r })), ...momentOf(x));
  $('chips').replaceChildren(...chipsOf(x, c).map((text) => el('li', { textContent: text })));
  const replay = x.replay || (x.trace ? `plumb replay ${x.trace}` : '');
  $('replay-line').hidden = !replay;
  $('replay').textContent = replay;
}

/* When it ceased to be legal, with a way to get there. */
function momentOf(x) {
  if (!x.moment) return [];
  const events = [x.moment.legal_until, x.moment.illegal_from];
  return x.moment.text.map((text, k) => {
    const op = events[k] && story.history ? story.history.byId.get(events[k].id) : undefined;
    const line = el('p', { textContent: text });
    if (op === undefined) return line;
    line.className = 'moment';
    line.onclick = () => selectOp(op);
    return line;
  });
}

function chipsOf(x, c) {
  const chips = [...c.facts];
  if (x.memory) chips.push(`memory model ${x.memory}`);
  if (x.under_sc === 'never') chips.push('never under sc');
  if (x.under_sc === 'too') chips.push('also under sc');
  if (x.under_c11 === 'never') chips.push('never with release sequences of C11');
  const threads = story.columns.filter((t) => t !== undefined).length;
  if (threads) chips.push(plural(threads, 'thread'));
  if (x.execution) chips.push(`found in execution ${x.execution.toLocaleString('en')}`);
  const { shrink, found_by: finder } = story.core;
  if (shrink && shrink.from > shrink.to)
    chips.push(`shrunk from ${shrink.from.toLocaleString('en')} to ${plural(shrink.to, 'operation')}`);
  if (story.core.left_out)
    chips.push(`${story.core.left_out.length} more not returned by then: no help`);
  if (finder) chips.push(`found by ${finder}`);
  if (x.confirmed_by) chips.push(`confirmed by ${x.confirmed_by}`);
  return chips;
}

function showVerdict(verdict) {
  $('verdict').textContent = verdict;
  $('verdict').className = `pill ${verdict}`;
}

/* The name of a case, which chooses its picture if there is one. */
function caseName(c) {
  const number = stories.findIndex((s) => s.case === c), code = el('code', { textContent: c.name });
  return number < 0 || stories.length < 2 ? code
    : el('button', { className: 'link', onclick: () => { show(number); selectError(); } }, code);
}

/* What there is to say about inputs: all of them, when there are several or one has no picture; and what they printed. */
function showCases() {
  $('command').textContent = `plumb ${data.command}`;
  showVerdict(data.verdict);
  const printed = data.cases.filter((c) => c.output);
  if (data.cases.length === 1 && stories.length && !printed.length) return;
  const rows = data.cases.map((c) => el('tr', {}, el('td', {}, caseName(c)),
    el('td', {}, el('span', { className: `pill ${c.verdict}`, textContent: c.verdict })),
    el('td', { textContent: [...c.facts, c.message || ''].filter(Boolean).join('; ') })));
  $('cases').replaceChildren(el('table', {}, ...rows), ...printed.map((c) => el('pre', { textContent: c.output })));
  $('cases').hidden = false;
}

/* -------- theme */

const wantsDark = matchMedia('(prefers-color-scheme: dark)');

function setTheme(theme) {
  document.documentElement.dataset.theme = theme || readAddress().theme || (wantsDark.matches ? 'dark' : 'light');
  if (story) drawHistory();
}

function toggleTheme() {
  const words = new URLSearchParams(readAddress());
  words.set('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  history.replaceState(null, '', `#${words}`);
  setTheme();
}

/* A colour of the style sheet, for canvases. */
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
