/* SPDX-License-Identifier: Apache-2.0 */
/* Two inputs, of which the second is violated; the first has an order for each of its keys. */
test(() => {
  equal('the violated one is shown first', [$('verdict').textContent, state.number], ['violated', 1]);
  check('in its own words', $('title').textContent.startsWith('not linearizable'), $('title').textContent);
  const names = [...document.querySelectorAll('#cases button')];
  equal('both are listed', names.map((n) => n.textContent), ['keys.jsonl', 'hostile.jsonl']);
  names[0].click();
  equal('a name chooses', [$('verdict').textContent, $('title').textContent, readAddress().c], ['holds', 'linearizable', '0']);
  const words = () => $('attempt-title').textContent.replace(/[‹›]/g, '');
  equal('orders are counted', words(), 'Legal order1 of 30');
  press('End');
  equal('an operation shows its order', words(), 'Legal order30 of 30');
  check('with its state', $('attempt').textContent.includes('k29'), $('attempt').textContent);
  press('a');
  equal('around', words(), 'Legal order1 of 30');
  $('attempt-title').querySelector('button').focus();
  $('attempt-title').querySelector('button').click();
  equal('backwards', words(), 'Legal order30 of 30');
  equal('the focus stays', document.activeElement.textContent, '‹');
  location.hash = 'c=1';
  followAddress();
  equal('from an address', [$('verdict').textContent, state.number], ['violated', 1]);
});
