/* SPDX-License-Identifier: Apache-2.0 */
/* A test of a harness that is not linearizable: selecting in one pane selects in the others. */
test(() => {
  equal('both panes are there', [$('history').hidden, $('grid').hidden], [false, false]);
  equal('the history', story.history.count, 3);
  selectOp(0);
  equal('an operation selects its call', story.events[state.step].operation, 'add(1)');
  check('of its thread', story.events[state.step].thread === 1 && document.querySelector('#table .selected'));
  check('returns have their answers', [...document.querySelectorAll('#table .row')].some((r) => r.textContent.includes('returnget = 1')));
  check('a short history fills its width', span() > 0.9 * shown() || view.zoom === 3, [span(), shown()]);
  check('places without the folder of all', [...document.querySelectorAll('#table .place')].every((p) => !p.textContent.includes('/')));
  const step = story.events.findIndex((e) => e.thread === 2 && e.kind === 'W');
  selectStep(step);
  selectStep(0);
  equal('one outside of operations selects none', [state.op, $('op-details').textContent], [-1, 'Nothing is selected.']);
  selectStep(step);
  equal('a step selects its operation', [state.op, $('op-details').textContent.includes('T2')], [1, true]);
  const { id } = story.history;
  equal('nothing overlaps by chance', [0, 1, 2].map((i) => onlyByChance(story.history, i).length), [0, 0, 0]);
  story.stepsOfOps = new Map([[id[0], [0, 4]], [id[1], [5, 9]]]);
  equal('what only ran later', onlyByChance(story.history, 1), ['after T1 add(1)']);
});
