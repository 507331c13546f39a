/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that contradict a specification in comments: the legal order with the state after each call, or the cycle; of a rule of
 * synchronization the two calls, with the arrow that is missing between them. */
const CALL_TITLES = { cycle: 'Ordering points', condition: 'Order of calls', synchronization: 'Synchronization' };

/* The step of that number, if it is listed. */
const stepOf = (id) => (id === undefined ? undefined : story.byId.get(id));

function callRow(number, call, text, className) {
  const row = el('li', { className: className || '' }, el('span', { className: 'number', textContent: number }),
    el('span', {}, tagOf(call.thread), ` ${call.label}`), el('span', { className: 'state', textContent: text || '' }));
  const k = stepOf(call.begin);
  if (k !== undefined) {
    row.classList.add('leads');
    row.onclick = () => { selectStep(k); reveal(); };
  }
  return row;
}

function orderRows(c) {
  const rows = c.order.map((n, k) => callRow(k + 1, c.calls[n], c.calls[n].state));
  if (c.initial) rows.unshift(el('li', {}, el('span'), el('span', { textContent: 'at first' }),
    el('span', { className: 'state', textContent: c.initial })));
  return [...rows, callRow('✗', c.calls[c.failed], c.values || 'cannot follow', 'stuck')];
}

function cycleRows(c) {
  return [...c.order, c.order[0]].map((n, k) => callRow(k ? '→' : '', c.calls[n], c.calls[n].place));
}

function callFacts(c) {
  const facts = [[c.kind === 'synchronization' ? 'rule' : 'condition', c.clause], [c.kind === 'cycle' ? 'points' : 'values', c.values],
    ['place', c.place]];
  return facts.filter(([, text]) => text).flatMap(([name, text]) => [el('dt', { textContent: name }),
    el('dd', {}, el('code', { textContent: text }))]);
}

/* One side of the picture: a call, and its access. */
function callCard(call, access, wanted) {
  const card = el('div', { className: 'card' }, el('p', {}, tagOf(call.thread), ` ${call.label}`));
  const k = access && stepOf(access.event);
  card.style.setProperty('--tc', threadColor(call.thread));
  if (k === undefined) return card;
  card.append(el('p', {}, stepLink(k), ' ', el('code', { textContent: stepText(story.events[k]) })),
    el('p', { className: 'place', textContent: access.place || '' }),
    el('p', {}, el('span', { className: access.lacks ? 'note' : '', textContent: access.lacks ? `has to be ${wanted}` : `is ${wanted}` })));
  return card;
}

function missingArrow() {
  const text = svg('text', { x: 60, y: 14 });
  text.textContent = 'happens before';
  const arrow = svg('svg', { class: 'missing', viewBox: '0 0 120 46', role: 'img' },
    svg('path', { class: 'shaft', d: 'M4 28H108' }), svg('path', { d: 'M104 22L114 28L104 34' }), svg('path', { d: 'M52 20L68 36M68 20L52 36' }), text);
  arrow.setAttribute('aria-label', 'does not happen before');
  return arrow;
}

function syncPicture(c) {
  return [callCard(c.calls[c.earlier], c.release, 'release'), missingArrow(), callCard(c.calls[c.failed], c.acquire, 'acquire')];
}

function orderTitle(c) {
  if (c.kind === 'cycle') return 'each of these calls is before the next, by their points';
  if (c.kind === 'synchronization') return 'what a thread did before the first call may be unseen after the second';
  return !c.order.length ? 'no legal order begins' : c.every ? 'an order that is legal up to there' : 'longest legal order';
}

function showCalls() {
  const c = story.x.calls;
  $('calls').hidden = !c;
  if (!c) return;
  const sync = c.kind === 'synchronization';
  $('calls-title').textContent = CALL_TITLES[c.kind];
  $('calls-note').textContent = orderTitle(c);
  $('call-order').hidden = sync;
  $('call-picture').hidden = !sync;
  $('call-order').replaceChildren(...(sync ? [] : c.kind === 'cycle' ? cycleRows(c) : orderRows(c)));
  $('call-picture').replaceChildren(...(sync ? syncPicture(c) : []));
  $('call-facts').replaceChildren(...callFacts(c));
}
