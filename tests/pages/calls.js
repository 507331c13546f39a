/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that contradict a specification: a rule of synchronization, a condition, a cycle of points. */
test(() => {
  const cards = () => [...document.querySelectorAll('#call-picture .card')].map((c) => c.textContent);
  const rows = () => [...document.querySelectorAll('#call-order li')].map((r) => [...r.children].map((c) => c.textContent));
  equal('the rule', [$('calls').hidden, $('calls-title').textContent, $('call-facts').textContent], [false, 'Synchronization',
    'ruleEnq -> Deqplacequeue.h:2:7']);
  equal('two calls', cards(), ['T1 enq(<b>1</b>)step 2 W rlx tail = 1queue.h:5has to be release',
    'T2 deq() = 1step 4 R rlx tail = 1queue.h:9is acquire']);
  equal('the missing arrow', document.querySelectorAll('#call-picture .missing .shaft').length, 1);
  check('no race is drawn', !document.querySelector('.rail .race'), document.querySelector('.rail').outerHTML);
  equal('the line of the rule', document.querySelector('#code .wrong').dataset.line, '2');
  document.querySelectorAll('#call-picture .link')[0].click();
  equal('to the write', document.querySelector('#table .selected .n').textContent, '2');

  show(1), selectError();
  equal('the condition', [$('calls-note').textContent, $('call-facts').textContent], ['longest legal order',
    'condition__RET__ == front(q)values__RET__ = 0, q = [1]placequeue.h:7:7']);
  equal('the order', rows(), [['', 'at first', 'q = []'], ['1', 'T1 enq(<b>1</b>)', 'q = [1]'], ['✗', 'T2 deq() = 0', '__RET__ = 0, q = [1]']]);
  document.querySelector('#call-order .stuck').click();
  equal('to where the call begins', document.querySelector('#table .selected .n').textContent, '4');

  show(2), selectError();
  equal('the cycle', rows(), [['', 'T1 move(x, y)', ''], ['→', 'T2 move(y, x)', 'queue.h:8'], ['→', 'T1 move(x, y)', '']]);
  equal('no picture', $('call-picture').hidden, true);
});
