/* SPDX-License-Identifier: Apache-2.0 */
/* The message of examples/weak: a stale read under rc11. */
test(() => {
  const rows = [...document.querySelectorAll('#table .row')];
  equal('a row for each step, in order', rows.map((r) => r.querySelector('.n').textContent), ['2', '3', '5', '6', '8', '9']);
  equal('switches', rows.map((r) => r.classList.contains('switch')), [false, false, true, false, true, false]);
  equal('columns', rows.map((r) => r.querySelector('.ev').style.getPropertyValue('--col')), ['0', '0', '1', '1', '2', '2']);
  equal('the odd step is selected first', selected(), '9');
  check('its note', rows[5].textContent.includes('stale: step 5 wrote 42'), rows[5].textContent);
  equal('memory order as a badge', rows[4].querySelector('.order').textContent, 'acq');
  equal('edges', edges(), ['fr', 'hb']);
  check('in words', $('details').textContent.includes('reads the initial value'), $('details').textContent);
  equal('the line in the source', now(), '19');
  equal('other threads in the source', [...document.querySelectorAll('#code .here')].map((r) => r.dataset.line), ['12', '29']);
  equal('what was read', [...document.querySelectorAll('.write.chosen')].map((w) => w.textContent), ['0 initial']);
  equal('what could be read', [...document.querySelectorAll('.write.visible')].map((w) => w.textContent), ['42 5', '1 6']);
  checkMoves();
  const many = Array.from({ length: 9000 }, (_, index) => ({ index }));
  equal('of many writes, those nearby', [chipsInSight(many, 5000), chipsInSight(many, undefined, { index: 3 }), chipsInSight(many, 8999)],
    [[4980, 5020], [0, 40], [8960, 9000]]);
});

function selected() { return document.querySelector('#table .selected .n').textContent; }
function edges() { return [...document.querySelectorAll('.rail g')].map((g) => g.getAttribute('class')).sort(); }
function now() { return document.querySelector('#code .now').dataset.line; }

function checkMoves() {
  press('ArrowLeft');
  equal('a step back', [selected(), now(), edges()], ['8', '18', ['hb', 'rf']]);
  check('the address has it', location.hash.includes('step=8'), location.hash);
  press('[');
  equal('to where the thread took over', selected(), '5');
  equal('edges of a write', edges(), ['fr', 'hb']);
  equal('not written yet', [...document.querySelectorAll('.write.later')].map((w) => w.textContent), ['1 6']);
  press('e');
  equal('to the error', selected(), '9');
  document.querySelectorAll('#table .row')[0].click();
  equal('by the mouse', [selected(), now()], ['2', '28']);
  $('find').value = 'ready = 1';
  find(1), find(1);
  equal('find the second', [selected(), $('found').textContent], ['8', '2 of 2']);
  document.querySelector('#details .link').click();
  equal('follow an edge', selected(), '6');
  location.hash = 'step=3';
  followAddress();
  equal('from an address', selected(), '3');
}
