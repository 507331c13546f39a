/* SPDX-License-Identifier: Apache-2.0 */
/* The order that is chosen in words, and the selected operation. */
function showAttempt() {
  const attempts = story.core.attempts || [];
  const attempt = attempts[view.chosen];
  if (!attempt) return;
  const h = story.history, rows = [];
  if (!attempt.order.length && !attempt.stuck && !h.holds) return showExcerpt(h);
  const words = h.holds ? 'Legal order' : !attempt.order.length ? 'No legal order begins'
    : view.chosen ? 'Another legal order' : 'Longest legal order';
  $('attempt-title').replaceChildren(el('span', { textContent: words }), ...attemptButtons(attempts.length));
  const first = attempt.earlier ? `after ${plural(attempt.earlier, 'earlier operation')}` : 'at first';
  if (attempt.initial) rows.push(attemptRow('', first, attempt.initial, -1));
  attempt.order.slice(0, ROWS_MOST).forEach((id, n) => rows.push(attemptRow(n + 1, nameOp(h.byId.get(id)), attempt.states[n],
    h.byId.get(id))));
  if (attempt.order.length > ROWS_MOST) rows.push(attemptRow('', `${attempt.order.length - ROWS_MOST} more`, '', -1));
  if (attempt.stuck) {
    const i = h.byId.get(attempt.stuck.op), row = attemptRow('✗', nameOp(i), attempt.stuck.why, i);
    row.classList.add('stuck');
    rows.push(row);
  }
  $('attempt').replaceChildren(...rows);
}

/* No order was looked for: what there is are the operations that the reason is about. */
function showExcerpt(h) {
  $('attempt-title').replaceChildren('What this is about');
  $('attempt').replaceChildren(...h.coreList.map((i) => attemptRow('', nameOp(i), '', i)));
}

/* Buttons for a few; from one to the next of many. */
function attemptButtons(count) {
  if (count < 2) return [];
  if (count <= BUTTONS_MOST) return Array.from({ length: count }, (_, n) => attemptButton(n + 1, n));
  return [attemptButton('‹', view.chosen - 1), el('span', { textContent: `${(view.chosen + 1).toLocaleString('en')} of ${
    count.toLocaleString('en')}` }), attemptButton('›', view.chosen + 1)];
}

function attemptButton(text, n) {
  const button = el('button', { textContent: text, title: 'Another order (a)', onclick: () => chooseAttempt(n) });
  button.classList.toggle('on', n === view.chosen);
  button.dataset.order = text;
  return button;
}

/* Of a history that holds: shows the order that has the operation. */
function chooseOrderOf(h, i) {
  if (!h.orderOf) {
    h.orderOf = new Int32Array(h.count).fill(-1);
    h.orders.forEach((o, n) => { for (const op of o.order) h.orderOf[op] = n; });
  }
  if (h.orderOf[i] < 0 || h.orderOf[i] === view.chosen) return;
  view.chosen = h.orderOf[i];
  showAttempt();
}

function chooseAttempt(n) {
  const count = (story.core.attempts || []).length, focused = document.activeElement.dataset.order;
  if (!count) return;
  view.chosen = (n + count) % count;
  showAttempt();
  const again = focused && [...$('attempt-title').querySelectorAll('button')].find((b) => b.dataset.order === focused);
  if (again) again.focus();
  showOpDetails();
  drawHistory();
}

const nameOp = (i) => `${story.history.threads[story.history.thread[i]]} ${story.history.label[i]}`;

function attemptRow(number, name, text, i) {
  const row = el('li', {}, el('span', { className: 'number', textContent: number }), el('span', { textContent: name }),
    el('span', { className: 'state', textContent: text || '' }));
  row.dataset.op = i;
  if (i >= 0) row.onclick = () => selectOp(i);
  return row;
}

/* Where the steps of each operation begin and end, by its number: [first, last]. */
function stepsOfOps() {
  if (!story.stepsOfOps) {
    story.stepsOfOps = new Map();
    for (const e of story.events)
      if (e.op !== undefined) story.stepsOfOps.set(e.op, [story.stepsOfOps.get(e.op)?.[0] ?? e.index, e.index]);
  }
  return story.stepsOfOps;
}

/* Those that ran before or after it, though they overlap here: no step of one happens before the other, so that a
 * client could have called both at the same time. */
function onlyByChance(h, i) {
  const steps = stepsOfOps(), own = steps.get(h.id[i]), others = [];
  for (let j = 0; own && j < h.count; j++) {
    const other = steps.get(h.id[j]);
    if (!other || h.thread[j] === h.thread[i] || h.to[j] < h.from[i] || h.to[i] < h.from[j]) continue;
    if (other[1] < own[0]) others.push(`after ${nameOp(j)}`);
    else if (own[1] < other[0]) others.push(`before ${nameOp(j)}`);
  }
  return others;
}

function showOpDetails() {
  const h = story.history, i = state.op;
  for (const row of $('attempt').children) row.classList.toggle('selected', i >= 0 && Number(row.dataset.op) === i);
  if (i < 0) {
    $('op-details').replaceChildren('Nothing is selected.');
    return;
  }
  const facts = [['operation', h.label[i]], ['thread', h.threads[h.thread[i]]], ['called', String(h.called[i])],
    ['returned', h.returned[i] === null ? 'never' : String(h.returned[i])]];
  if (h.line[i]) facts.push(['input line', h.line[i].toLocaleString('en')]);
  const role = i === h.guilty ? 'its answer is impossible' : h.core.has(i) ? 'part of the core' : 'not needed for the error';
  if (!h.holds) facts.push(['role', role]);
  const chance = onlyByChance(h, i);
  if (chance.length) facts.push(['overlaps', `it ran ${chance.join(', ')}, but nothing orders them: a client may call them at the same time`]);
  $('op-details').replaceChildren(el('dl', {}, ...facts.flatMap(([a, b]) => [el('dt', { textContent: a }),
    el('dd', { textContent: b })])));
}
