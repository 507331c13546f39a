/* SPDX-License-Identifier: Apache-2.0 */
/* Strings that would like to be something else. */
test(() => {
  equal('nothing ran', window.hacked, undefined);
  equal('nothing became an element', document.querySelectorAll('img, b').length, 0);
  const all = story.history.label.join(' ');
  for (const part of ['<\/script><script>', '<img src=x onerror=', '<!--', '\\u2028', '&lt;b&gt;'])
    check(`shown as it is: ${part}`, all.includes(part), all);
  check('as text, too', $('attempt').textContent.includes('<\/script>'), $('attempt').textContent);
});
