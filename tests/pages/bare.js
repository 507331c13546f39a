/* SPDX-License-Identifier: Apache-2.0 */
/* A crash before the first step: only the source can be shown, and no key fails. */
test(() => {
  let errors = 0;
  addEventListener('error', () => errors++);
  equal('panes', [$('history').hidden, $('grid').hidden, $('steps').hidden, $('step').hidden, $('source').hidden],
    [true, false, true, true, false]);
  equal('the line of the error', [...document.querySelectorAll('#code .wrong')].map((r) => r.dataset.line), ['2']);
  for (const key of ['Home', 'End', '[', ']', 'e', 'a', '+', '-', '0', 'ArrowLeft', 'ArrowRight', 'f']) press(key);
  equal('keys', errors, 0);
});
