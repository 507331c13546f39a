/* SPDX-License-Identifier: Apache-2.0 */
/* More threads than a canvas could have lanes, the guilty one far down. */
test(() => {
  const h = story.history, lane = h.lane[h.thread[h.guilty]];
  equal('lanes', h.lanes.length, 3001);
  check('the canvas has what is in sight', $('lanes').height <= innerHeight * devicePixelRatio, $('lanes').height);
  check('the error is in sight', laneTop(lane) >= TOP && laneTop(lane) + view.laneHeight <= view.height, laneTop(lane));
  drawHistory();
  equal('and drawn there', pixel(lane, h.from[h.guilty] + 5), '194,38,38');
  const box = $('lanes').getBoundingClientRect(), x = h.from[h.guilty] - leftEdge() + GUTTER + 5;
  equal('and found there', opAt({ clientX: box.left + x, clientY: box.top + laneTop(lane) + 8 }), h.guilty);
  press('Home');
  check('the first is in another lane', laneTop(h.lane[h.thread[0]]) >= TOP && topEdge() < 100, topEdge());
  check('bars are as high as labels', view.barHeight >= 15, view.barHeight);
  press('e');
  equal('back', opAt({ clientX: box.left + x, clientY: box.top + laneTop(lane) + 8 }), h.guilty);
});

function pixel(lane, x) {
  const ratio = devicePixelRatio, y = laneTop(lane) + view.barTop + 5;
  return [...$('lanes').getContext('2d').getImageData((x * view.zoom - leftEdge() + GUTTER) * ratio, y * ratio, 1, 1).data].slice(0, 3).join();
}
