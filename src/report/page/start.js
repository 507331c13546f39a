/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, search, and the beginning. */

/* Every pane draws the selection. `always`: bring it into sight even if it is in sight. */
function refresh(always) {
  if (story.history) {
    showOp(state.op, always);
    showOpDetails();
    drawHistory();
  }
  if (story.events.length) {
    showStep();
    showDetails();
    showMemory();
  }
  showSource();
  writeAddress();
}

function reveal() {
  const row = $(`step-${state.step}`);
  if (row) row.scrollIntoView({ block: 'nearest' });
}

function show(number) {
  state.number = number;
  state.step = state.op = -1;
  story = prepare(stories[number]);
  $('choice').value = number;
  finding.words = '';
  showHeader();
  showHistory();
  showCalls();
  showSteps();
  listFiles();
  listLocations();
}

/* -------- search */

/* Steps, or else operations, that contain the words. */
function search(words) {
  const wanted = words.toLowerCase(), has = (s) => s.toLowerCase().includes(wanted), hits = [];
  if (!wanted) return hits;
  story.events.forEach((e, k) => { if (has(`${describe(e)} ${e.note || ''} ${e.place || ''}`)) hits.push([selectStep, k]); });
  const h = story.history;
  if (!hits.length && h)
    for (let i = 0; i < h.count; i++) if (has(h.label[i]) || has(h.threads[h.thread[i]])) hits.push([selectOp, i]);
  return hits;
}

const finding = { words: '', hits: [], at: -1 };

function find(direction) {
  const words = $('find').value;
  if (!story) return;
  if (words !== finding.words) Object.assign(finding, { words, hits: search(words), at: -1 });
  const count = finding.hits.length;
  $('found').textContent = words && !count ? 'none' : '';
  if (!count) return;
  finding.at = (finding.at + direction + count) % count;
  $('found').textContent = `${finding.at + 1} of ${count.toLocaleString('en')}`;
  const [choose, n] = finding.hits[finding.at];
  choose(n);
  reveal();
}

/* -------- keys */

const KEYS = {
  ArrowRight: () => go(1), ArrowLeft: () => go(-1), ']': () => turn(1), '[': () => turn(-1), e: selectError,
  f: () => $('find').focus(), '/': () => $('find').focus(), t: toggleTheme, '?': () => $('keys').showModal(),
  '+': () => zoomBy(1.5), '=': () => zoomBy(1.5), '-': () => zoomBy(1 / 1.5), 0: () => zoomBy(0),
  a: () => story.history && chooseAttempt(view.chosen + 1), Home: () => jump(0), End: () => jump(Infinity),
};

/* In the list of steps, as in other lists. */
const LIST_KEYS = { ArrowDown: () => go(1), ArrowUp: () => go(-1) };

/* Those that need nothing to be shown. */
const ALWAYS = ['f', '/', 't', '?'];

/* One step; in a history without steps, one operation, by call. */
function go(direction) {
  if (story.events.length) selectStep(state.step + direction);
  else selectOp(state.op + direction);
}

function turn(direction) {
  if (story.events.length) {
    selectStep(nextSwitch(direction));
    return;
  }
  const core = story.history ? story.history.coreList : [];
  const next = direction > 0 ? core.find((i) => i > state.op) : core.findLast((i) => i < state.op);
  if (next !== undefined) selectOp(next);
}

function jump(to) {
  if (story.events.length) selectStep(Math.min(to, story.events.length - 1));
  else if (story.history) selectOp(Math.min(to, story.history.count - 1));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
  if (event.target.matches && event.target.matches('input, select')) {
    if (event.target === $('find') && event.key === 'Enter') find(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const action = event.target === $('table') ? LIST_KEYS[event.key] || KEYS[event.key] : KEYS[event.key];
  if (!action || (!story && !ALWAYS.includes(event.key))) return;
  event.preventDefault();
  action();
  reveal();
}

/* -------- the beginning */

function listen() {
  document.addEventListener('keydown', onKey);
  listenHistory();
  $('theme').onclick = toggleTheme;
  $('help').onclick = () => $('keys').showModal();
  $('find').oninput = () => { if (!$('find').value) find(1); };
  $('choice').onchange = () => { show(Number($('choice').value)); selectError(); };
  $('copy').onclick = () => navigator.clipboard && navigator.clipboard.writeText($('replay').textContent);
  wantsDark.addEventListener('change', () => setTheme());
  addEventListener('hashchange', () => { setTheme(); if (story) followAddress(); });
  addEventListener('beforeprint', () => { setTheme('light'); markFarSteps(); });
  addEventListener('afterprint', () => setTheme());
  addEventListener('resize', () => {
    showRates();
    if (story && story.history) sizeHistory(), drawHistory();
    if (story && story.events.length) sizeColumns();
  });
}

function listChoices() {
  $('choice').hidden = stories.length < 2;
  $('choice').replaceChildren(...stories.map((s, n) => el('option', { value: n,
    textContent: `${n + 1}. ${s.case.name}: ${s.x.one_line}`.slice(0, 90) })));
}

function start() {
  setTheme();
  showCases();
  showRates();
  listen();
  if (stories.length) {
    listChoices();
    const asked = readAddress();
    show(storyOfAddress(asked));
    followAddress();
    if (asked.step) reveal();
  }
  if (data.verdict !== 'violated') {
    document.title = $('title').textContent = data.verdict === 'error' ? 'not judged' : data.verdict;
  }
  /* For tests, and for readers who look into the page. */
  document.documentElement.dataset.openedMs = Math.round(performance.now() - began);
}

start();
