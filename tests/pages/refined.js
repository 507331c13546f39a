/* SPDX-License-Identifier: Apache-2.0 */
/* A model that is no queue: its history, its steps, its lines. */
test(() => {
  equal('panes', [$('history').hidden, $('grid').hidden, getComputedStyle($('memory')).display], [false, false, 'none']);
  equal('title', $('steps-title').textContent, 'Model');
  equal('the last step is guilty', [selectedStep(), document.querySelector('#table .guilty .n').textContent], ['17', '17']);
  check('variables', $('details').textContent.includes('cell = ['), $('details').textContent);
  equal('the line', document.querySelector('#code .now').dataset.line, '60');
  selectOp(0);
  equal('an operation selects its call', [selectedStep(), story.events[state.step].text], ['1', 'call enq(1)']);
  press('End');
  equal('and a step its operation', story.history.label[state.op], 'deq() = 5');
});

function selectedStep() { return document.querySelector('#table .selected .n').textContent; }
