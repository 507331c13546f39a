/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a model: a thread, a text, a line; a loop in them is folded. */
test(() => {
  equal('title of the pane', $('steps-title').textContent, 'Model');
  const texts = () => [...document.querySelectorAll('#table .row')].map((r) => r.textContent);
  equal('rows', texts().length, 6);
  check('rounds are folded', texts()[3].includes('3 more rounds of the same: steps 4 to 9'), texts());
  equal('the line of the model', document.querySelector('#code .now').textContent.includes('tail = 1'), true);
  selectStep(story.byId.get(7));
  equal('what is selected is not folded', texts().length, 11);
  equal('and found again', document.querySelector('#table .selected .n').textContent, '7');
  equal('no memory to show', $('memory').hidden, true);
  equal('a process that is no thread', [tagOf(undefined).textContent, describe({ text: 'tick' })], ['others', 'others tick']);
});
