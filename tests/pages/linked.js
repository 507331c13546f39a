/* SPDX-License-Identifier: Apache-2.0 */
/* A test of a harness that is not linearizable: selecting in one pane selects in the others. */
test(() => {
  equal('both panes are there', [$('history').hidden, $('grid').hidden], [false, false]);
  equal('the history', story.history.count, 3);
  selectOp(0);
  equal('an operation selects its call', story.events[state.step].operation, 'add(1)');
  check('of its thread', story.events[state.step].thread === 1 && document.querySelector('#table .selected'));
  const step = story.events.findIndex((e) => e.thread === 2 && e.kind === 'W');
  selectStep(step);
  selectStep(0);
  equal('one outside of operations selects none', [state.op, $('op-details').textContent], [-1, 'Nothing is selected.']);
  selectStep(step);
  equal('a step selects its operation', [state.op, $('op-details').textContent.includes('T2')], [1, true]);
});
