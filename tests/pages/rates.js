/* SPDX-License-Identifier: Apache-2.0 */
/* A run on real threads: how fast it went. */
test(() => {
  equal('the pane is there', $('rates').hidden, false);
  const points = (name) => $('rates-picture').querySelector(`.${name}`).getAttribute('points').split(' ').map((p) => p.split(',').map(Number));
  const recorded = points('recorded'), judged = points('judged');
  equal('a point for each sample', [recorded.length, judged.length], [4, 4]);
  check('time goes right', recorded.every((p, i) => !i || p[0] > recorded[i - 1][0]), recorded);
  check('the fastest is the highest', recorded[3][1] < recorded[1][1] && recorded[1][1] < recorded[0][1] && recorded[0][1] === recorded[2][1], recorded);
  const labels = [...$('rates-picture').querySelectorAll('text')].map((t) => t.textContent);
  equal('labels', labels, ['0/s', '1.0 M/s', '2.0 M/s', '0 s', '4.0 s', 'found after 3.50 s']);
  const at = Number($('rates-picture').querySelector('line.found').getAttribute('x1'));
  check('where it was found', at > recorded[2][0] && at < recorded[3][0], at);
  equal('rates of equal counts', ratesOf([1, 2], [5, 5]), [5, 0]);
  equal('round numbers', [1, 3, 70, 1200].map(roundUp), [1, 5, 100, 2000]);
});
