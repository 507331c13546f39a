/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion that fails 5,000 lines below the only step, in a file with signs that should not act. */
test(() => {
  const rows = () => [...document.querySelectorAll('#code > div')], at = (line) => rows().find((r) => r.dataset.line === String(line));
  const error = story.error.line;
  equal('the error has no step', story.events.filter((e) => e.guilty).length, 0);
  check('two parts of the file', story.x.sources.length === 2 && story.x.sources.every((s) => s.file === story.error.file), story.x.sources.length);
  check('the line of the error is marked', at(error) && at(error).classList.contains('wrong'), error);
  const box = $('code').getBoundingClientRect(), row = at(error).getBoundingClientRect();
  check('and in sight', row.top >= box.top && row.bottom <= box.bottom, [row.top, box.top]);
  press('Home');
  const line = story.events[state.step].line;
  check('a step opens its part', line < 20 && at(line).classList.contains('now'), line);
  check('without what reorders', at(5).textContent.includes('a \\u202e b') && !/[\u202e\r]/.test($('code').textContent), at(5).textContent);
  check('nothing ends at a zero', at(6).textContent.includes('after zero'), at(6).textContent);
  check('paper has what is near', at(line).className === 'now' && rows().some((r) => r.classList.contains('far')), at(line).className);
  checkList();
  checkPaper();
});

function checkList() {
  const selected = () => [...document.querySelectorAll('#table [aria-selected=true]')].map((r) => r.id);
  equal('one option is selected', selected(), [`step-${state.step}`]);
  const down = (key) => $('table').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  down('ArrowDown');
  equal('the next one in the list', [state.step, selected()], [1, ['step-1']]);
  down('ArrowUp');
  equal('and back', state.step, 0);
  equal('names', [$('code'), $('table')].map((n) => n.getAttribute('aria-label')), ['Source', 'Steps of the execution']);
}

/* The time line is as wide as the paper; of many steps, those around the selected one are printed. */
function checkPaper() {
  const printed = () => [...document.querySelectorAll('#table .row:not(.far)')].map((r) => r.id);
  markFarSteps(1, 0);
  equal('few of many steps', printed(), [`step-${state.step}`]);
  markFarSteps();
  equal('all of a few', printed().length, story.events.length);
  const paper = [...document.styleSheets[0].cssRules].find((r) => r.media && r.media.mediaText === 'print').cssText;
  check('paper', /#lanes \{[^}]*width: 100% !important/.test(paper) && /\.far[^{]*\{ display: none/.test(paper), paper);
}
