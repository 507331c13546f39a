/* SPDX-License-Identifier: Apache-2.0 */
/* A long history, violated at its end. */
test(() => {
  const h = story.history, opened = Number(document.documentElement.dataset.openedMs);
  tell(`${h.count} operations opened in ${opened} ms`);
  check('opens within a second', opened < 1000, opened);
  equal('verdict', $('verdict').textContent, 'violated');
  check('the sentence', /^not linearizable: .* is impossible$/.test($('title').textContent), $('title').textContent);
  equal('all operations are there', h.count, 100000);
  checkLayout(h);
  checkKeys(h);
  checkPoints(h);
  checkPixels(h);
  checkBands(h);
});

/* A bar ends left of another exactly when its operation returned before the other was called. */
function checkLayout(h) {
  let seed = 1, wrong = 0, narrow = 0;
  const random = () => { seed = (seed * 48271) % 2147483647; return seed % h.count; };
  const end = (i) => (h.ret[i] < 0 ? Infinity : h.ret[i]);
  for (let n = 0; n < 200000; n++) {
    const i = random(), j = n % 2 ? random() : Math.min(h.count - 1, i + (seed % 20));
    if ((end(i) < h.call[j]) !== (h.to[i] < h.from[j])) wrong++;
    if (h.to[i] - h.from[i] < Math.min(h.label[i].length, LABEL_MOST) * 7) narrow++;
  }
  equal('bars tell who came before whom', wrong, 0);
  equal('labels fit', narrow, 0);
}

function inSight(h, i) { return h.from[i] * view.zoom >= leftEdge() - 1 && h.from[i] * view.zoom <= leftEdge() + shown(); }

function checkKeys(h) {
  press('End');
  equal('End selects the last', state.op, h.count - 1);
  check('and scrolls there', inSight(h, h.count - 1), leftEdge());
  check('the address has it', location.hash.includes(`op=${h.id[h.count - 1]}`), location.hash);
  press('ArrowLeft');
  equal('the one before', state.op, h.count - 2);
  press('Home');
  check('Home scrolls back', inSight(h, 0), leftEdge());
  press(']');
  equal('] selects the next of the core', state.op, h.coreList.find((i) => i > 0));
  press('e');
  equal('e selects the error', state.op, h.guilty);
  check('and its details say so', $('op-details').textContent.includes('its answer is impossible'), $('op-details').textContent);
  $('find').value = h.label[500];
  find(1);
  check('find', h.label[state.op].includes(h.label[500]) && inSight(h, state.op), state.op);
  const theme = document.documentElement.dataset.theme;
  press('t');
  check('t changes the theme', document.documentElement.dataset.theme !== theme);
  press('t');
  press('0');
  check('0 shows everything', span() <= shown() + 1, [span(), shown()]);
  const start = performance.now();
  drawHistory();
  tell(`everything drawn in ${(performance.now() - start).toFixed(1)} ms`);
  view.zoom = 1;
  sizeHistory();
  press('e');
}

/* Points of the order lie inside of their bars, in order. */
function checkPoints(h) {
  const attempt = chosenOrder();
  check('there is an order', attempt.order.length > 0 && attempt.stuckAt === h.guilty, attempt.order);
  attempt.points.forEach((x, n) => {
    const i = attempt.indexes[n];
    check(`point ${n + 1}`, x >= h.from[i] && x <= h.to[i] && (!n || x >= attempt.points[n - 1]), [x, h.from[i], h.to[i]]);
  });
  equal('rows of the order', $('attempt').children.length, attempt.order.length + 2);
}

/* The colour at the left edge of an operation's bar, as drawn. */
function pixelOf(h, i) {
  const ratio = devicePixelRatio, x = h.from[i] * view.zoom - leftEdge() + GUTTER + 5;
  const y = laneTop(h.lane[h.thread[i]]) + 9;
  return [...$('lanes').getContext('2d').getImageData(x * ratio, y * ratio, 1, 1).data].slice(0, 3).join();
}

function checkPixels(h) {
  setTheme('light');
  state.op = -1;
  drawHistory();
  equal('the guilty one is red', pixelOf(h, h.guilty), '194,38,38');
  const other = h.coreList.find((i) => i !== h.guilty && inSight(h, i));
  equal('the core is blue', pixelOf(h, other), '36,86,196');
}

function checkBands(h) {
  const i = h.guilty;
  h.bands.push({ from: h.call[i], to: h.ret[i], label: 'partition' });
  drawHistory();
  const ratio = devicePixelRatio, x = (h.from[i] * view.zoom - leftEdge() + GUTTER + 20) * ratio;
  const data = $('lanes').getContext('2d').getImageData(x, 2 * ratio, 1, 1).data;
  equal('a band', [...data].slice(0, 3).join(), '245,230,200');
  check('it begins before the event it precedes', bandEdge(h, h.ret[i]) < h.to[i] && bandEdge(h, h.ret[i]) > h.from[i]);
  equal('and may last to the end', [bandEdge(h, 0), bandEdge(h, h.positions)], [0, h.total]);
}
