/* SPDX-License-Identifier: Apache-2.0 */
/* A long history that holds: the order that was found, its points inside of the bars. */
test(() => {
  const h = story.history, attempt = chosenOrder();
  equal('verdict', [$('verdict').textContent, $('title').textContent], ['holds', 'holds']);
  equal('all operations are ordered', attempt.order.length, h.count);
  let wrong = 0;
  attempt.points.forEach((x, n) => {
    const i = attempt.indexes[n];
    if (x < h.from[i] || x > h.to[i] || (n && x < attempt.points[n - 1])) wrong++;
  });
  equal('points', wrong, 0);
  check('states', attempt.states.length === h.count && $('attempt').children.length === h.count + 1, attempt.states.length);
  press('End');
  check('keys', state.op === h.count - 1 && !$('op-details').textContent.includes('role'), state.op);
  press('e');
  equal('there is no error to select', state.op, -1);
});
