/* SPDX-License-Identifier: Apache-2.0 */
/* A register that was read as 1, 2 and 1 again: its orders end in several ways. */
test(() => {
  const count = story.core.attempts.length, words = () => $('attempt').textContent;
  check('several attempts', count > 1, count);
  equal('a button for each', $('attempt-title').querySelectorAll('button').length, count);
  const first = words();
  press('a');
  check('another one', words() !== first && view.chosen === 1, words());
  equal('and its points', chosenOrder().points.length, story.core.attempts[1].order.length);
  for (let n = 1; n < count; n++) press('a');
  equal('around', words(), first);
  const lines = [...$('remarks').querySelectorAll('.moment')];
  equal('the moment of --explain', lines.map((l) => l.textContent).join('|'), story.x.moment.text.join('|'));
  lines[1].click();
  equal('leads to its operation', story.history.id[state.op], story.x.moment.illegal_from.id);
  for (const a of story.core.attempts) check('each is stuck', a.stuck && a.stuck.why, a);
});
