/* SPDX-License-Identifier: Apache-2.0 */
/* The history on a canvas. Time is warped: neighbouring calls, and neighbouring returns, share a column, and columns
 * stand as far apart as labels need. A bar ends left of another exactly when its operation returned before the other
 * was called. Only what is in sight is drawn, so that the length of a history does not matter. */
const GUTTER = 66, GAP = 12, LABEL_MOST = 30, TOP = 30, WIDEST = 8e6, ROWS_MOST = 1000, BUTTONS_MOST = 20;
/* full: height of all lanes; height: of the canvas, which has those in sight. */
const view = { zoom: 1, width: 0, height: 0, full: 0, laneHeight: 34, barTop: 4, barHeight: 21, chosen: 0 };

/* x of each operation's call and return, at zoom 1. */
function layoutHistory(h) {
  const context = $('lanes').getContext('2d');
  context.font = view.font;
  const letter = context.measureText('0000000000').width / 10;
  const events = new Int32Array(2 * h.count).fill(-1);
  for (let i = 0; i < h.count; i++) {
    events[h.call[i]] = 2 * i;
    if (h.ret[i] >= 0) events[h.ret[i]] = 2 * i + 1;
  }
  h.from = new Float64Array(h.count);
  h.to = new Float64Array(h.count);
  h.at = new Float64Array(events.length + 1); // of each position
  let x = 0, last = 0;
  for (let e = 0, end; e < events.length && events[e] >= 0; e = end, last = end) {
    const returns = events[e] & 1;
    for (end = e, x += GAP; end < events.length && events[end] >= 0 && (events[end] & 1) === returns; end++)
      if (returns) x = Math.max(x, h.from[events[end] >> 1] + labelWidth(h, events[end] >> 1, letter));
    for (let k = e; k < end; k++) {
      (returns ? h.to : h.from)[events[k] >> 1] = x;
      h.at[k] = x;
    }
  }
  h.at.fill(x + GAP, last);
  h.positions = last;
  h.total = x + GAP;
  for (let i = 0; i < h.count; i++) if (h.ret[i] < 0) h.total = Math.max(h.total, h.from[i] + labelWidth(h, i, letter));
  for (let i = 0; i < h.count; i++) if (h.ret[i] < 0) h.to[i] = h.total;
  listLanes(h);
}

const labelWidth = (h, i, letter) => Math.min(h.label[i].length, LABEL_MOST) * letter + 16;

/* Operations by lane: those of a thread come one after the other. */
function listLanes(h) {
  h.lanes = h.threads.map(() => []);
  for (let i = 0; i < h.count; i++) h.lanes[h.lane[h.thread[i]]].push(i);
  h.names = [];
  h.threads.forEach((name, t) => { h.names[h.lane[t]] = name; });
}

/* The first of `count` numbers that is good, when all after it are. */
function lowerBound(count, good) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (good(middle)) high = middle; else low = middle + 1;
  }
  return low;
}

/* The first operation of a lane that ends at or after x. */
const firstAfter = (h, lane, x) => lowerBound(lane.length, (n) => h.to[lane[n]] >= x);

/* -------- scrolling and zoom */

const shown = () => view.width - GUTTER;
const span = () => story.history.total * view.zoom;
/* A browser's elements have a largest width: a wide history scrolls faster than it moves. */
const scale = () => Math.max(1, (span() - shown()) / (WIDEST - view.width));
const leftEdge = () => $('scroller').scrollLeft * scale();
const topEdge = () => Math.min($('scroller').scrollTop, view.full - view.height);

function sizeHistory() {
  const h = story.history, ratio = devicePixelRatio || 1;
  Object.assign(view, h.lanes.length > 20 ? { laneHeight: 24, barTop: 1, barHeight: 17 }
    : { laneHeight: 34, barTop: 4, barHeight: 21 });
  view.width = $('scroller').clientWidth;
  view.full = TOP + h.lanes.length * view.laneHeight + (h.bands.length ? 26 : 10);
  view.height = Math.min(view.full, Math.max(200, Math.floor(innerHeight * 0.62)));
  for (const [canvas, height] of [[$('lanes'), view.height], [$('overview'), 20]]) {
    canvas.width = Math.round(view.width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${view.width}px`;
    canvas.style.height = `${height}px`;
    canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  $('spacer').style.width = `${Math.min(WIDEST, span() + GUTTER)}px`;
  $('spacer').style.height = `${view.full - view.height + 1}px`;
  $('overview').hidden = span() <= shown();
}

function scrollHistory(x) {
  $('scroller').scrollLeft = Math.max(0, x) / scale();
}

/* Zooms and keeps what stands in the middle where it is. */
function zoomTo(zoom) {
  const least = Math.min(1, shown() / story.history.total), x = shown() / 2, time = (leftEdge() + x) / view.zoom;
  view.zoom = Math.min(4, Math.max(least, zoom));
  sizeHistory();
  scrollHistory(time * view.zoom - x);
  drawHistory();
}

const zoomBy = (factor) => story.history && zoomTo(view.zoom * factor);

/* Brings an operation into sight, if it is not. */
function showOp(i, always) {
  const h = story.history;
  if (i < 0) return;
  const from = h.from[i] * view.zoom - leftEdge(), to = h.to[i] * view.zoom - leftEdge();
  if (always || from < 0 || Math.min(to, from + 120) > shown()) scrollHistory(h.from[i] * view.zoom - shown() * 0.4);
  const above = h.lane[h.thread[i]] * view.laneHeight, room = view.height - TOP - 2 * view.laneHeight;
  if (above < topEdge() || above > topEdge() + room) $('scroller').scrollTop = above - room / 2;
}

/* -------- drawing */

function palette() {
  const names = ['surface', 'text', 'muted', 'line', 'accent', 'accent-soft', 'red', 'on', 'band', 'soft'];
  return Object.fromEntries(names.map((n) => [n, color(`--${n}`)]));
}

function drawHistory() {
  const h = story && story.history;
  if (!h || !h.lanes) return;
  const g = $('lanes').getContext('2d'), p = palette(), left = leftEdge();
  g.clearRect(0, 0, view.width, view.height);
  g.font = view.font;
  g.textBaseline = 'middle';
  within(g, 0, () => {
    drawBands(g, h, p, left);
    const spots = drawOrder(g, h, p, left);
    within(g, TOP - 1, () => {
      if (spots) drawWay(g, p, spots);
      for (const k of lanesInSight(h)) drawLane(g, h, p, h.lanes[k], k, left);
      if (spots) drawPoints(g, p, spots);
    });
    labelBands(g, h, p, left);
  });
  drawGutter(g, h, p);
  drawOverview(h, p, left);
}

/* Draws right of the names, and below `top`. */
function within(g, top, draw) {
  g.save();
  g.beginPath();
  g.rect(GUTTER, top, shown(), view.height - top);
  g.clip();
  draw();
  g.restore();
}

const laneTop = (k) => TOP + k * view.laneHeight - topEdge();

function lanesInSight(h) {
  const first = Math.floor(topEdge() / view.laneHeight), count = Math.ceil(view.height / view.laneHeight) + 1;
  return Array.from({ length: Math.max(0, Math.min(count, h.lanes.length - first)) }, (_, n) => first + n);
}

/* Position n is between the events n - 1 and n. */
const bandEdge = (h, n) => (n <= 0 ? 0 : n >= h.positions ? h.total : (h.at[n - 1] + h.at[n]) / 2);

/* Bands in sight, as [left, right, label]. */
function bandsInSight(h, left) {
  const x = (n) => bandEdge(h, n) * view.zoom - left + GUTTER;
  return h.bands.map((b) => [x(b.from), x(b.to), b.label]).filter(([from, to]) => to >= GUTTER && from <= view.width);
}

function drawBands(g, h, p, left) {
  g.fillStyle = p.band;
  for (const [from, to] of bandsInSight(h, left)) g.fillRect(from, 0, Math.max(1, to - from), view.height);
}

/* Along the lower edge, over lanes that end below it. */
function labelBands(g, h, p, left) {
  let free = GUTTER;
  for (const [from, to, label] of bandsInSight(h, left)) {
    const x = Math.max(from, free), text = clip(g, label, Math.max(to - x, 60) - 8);
    if (x > to || !text) continue;
    g.fillStyle = p.band;
    g.fillRect(x, view.height - 16, Math.max(to - x, 60), 16);
    g.fillStyle = p.muted;
    g.fillText(text, x + 4, view.height - 8);
    free = Math.max(to, x + 60);
  }
}

/* Bars narrower than a pixel of the screen would be drawn over each other: one of them is. The core is drawn last. */
function drawLane(g, h, p, lane, k, left) {
  const first = firstAfter(h, lane, left / view.zoom), end = (left + shown()) / view.zoom, special = [];
  g.strokeStyle = p.line;
  g.strokeRect(GUTTER, laneTop(k) - 0.5, shown(), 0);
  let drawn = -1;
  for (let n = first; n < lane.length && h.from[lane[n]] <= end; n++) {
    const i = lane[n], x = Math.floor(h.to[i] * view.zoom);
    if (h.core.has(i) || i === state.op) special.push(i);
    else if (x > drawn) {
      drawBar(g, h, p, i, k, left);
      drawn = x;
    }
  }
  for (const i of special) drawBar(g, h, p, i, k, left);
}

function drawBar(g, h, p, i, k, left) {
  const x = h.from[i] * view.zoom - left + GUTTER, width = Math.max((h.to[i] - h.from[i]) * view.zoom, 2);
  const y = laneTop(k) + view.barTop, height = view.barHeight, core = h.holds || h.core.has(i), guilty = i === h.guilty;
  g.globalAlpha = core || h.holds ? 1 : 0.25;
  g.fillStyle = guilty ? p.red : core ? p.accent : p.muted;
  g.beginPath();
  if (h.ret[i] < 0 || width < 8) g.rect(x, y, width, height); else g.roundRect(x, y, width, height, 4);
  g.fill();
  g.globalAlpha = core ? 1 : 0.72;
  drawLabel(g, p, h.label[i], x, y, width, height, core);
  g.globalAlpha = 1;
  if (i !== state.op) return;
  g.strokeStyle = p.text;
  g.lineWidth = 2;
  g.stroke();
  g.lineWidth = 1;
}

/* Inside the part of the bar that is in sight. */
function drawLabel(g, p, label, x, y, width, height, core) {
  const from = Math.max(x, GUTTER), room = Math.min(x + width, view.width) - from - 12;
  if (room < 14) return;
  g.fillStyle = core ? p.on : p.text;
  g.fillText(clip(g, label, room), from + 7, y + height / 2 + 0.5);
}

function clip(g, s, room) {
  const letter = g.measureText('0').width, most = Math.floor((room + 1) / letter);
  return s.length <= most ? s : most < 2 ? '' : `${s.slice(0, most - 1)}…`;
}

function drawGutter(g, h, p) {
  g.fillStyle = p.surface;
  g.fillRect(0, 0, GUTTER, view.height);
  g.strokeStyle = p.line;
  g.strokeRect(GUTTER - 0.5, 0, 0, view.height);
  g.fillStyle = p.muted;
  g.fillText('state', 14, TOP / 2);
  g.save();
  g.beginPath();
  g.rect(0, TOP - 1, GUTTER - 1, view.height);
  g.clip();
  g.fillStyle = p.text;
  for (const k of lanesInSight(h)) g.fillText(clip(g, h.names[k], GUTTER - 18), 14, laneTop(k) + view.barTop + view.barHeight / 2);
  g.restore();
}

/* -------- linearization points */

/* Where each step of an order may take effect: after all calls so far, before its own return. Steps that could stand
 * at one place are spread over the room there is. */
function placePoints(h, order) {
  const base = [], points = [];
  order.forEach((i, n) => { base[n] = Math.max(n ? base[n - 1] : 0, h.from[i]); });
  for (let n = 0, end; n < order.length; n = end) {
    for (end = n; end < order.length && base[end] === base[n]; end++);
    let limit = end < order.length ? base[end] : base[n] + 16 * (end - n + 1);
    for (let m = n; m < end; m++) limit = Math.min(limit, h.to[order[m]]);
    for (let m = n; m < end; m++) points[m] = base[n] + Math.min(16, (limit - base[n]) / (end - n + 1)) * (m - n + 1);
  }
  return points;
}

/* The order that is chosen in the list, as indexes of the history. */
function chosenOrder() {
  const h = story.history, attempt = (story.core.attempts || [])[view.chosen];
  if (!attempt) return null;
  if (!attempt.points) {
    attempt.indexes = attempt.order.map((id) => h.byId.get(id));
    attempt.points = placePoints(h, attempt.indexes);
    attempt.stuckAt = attempt.stuck ? h.byId.get(attempt.stuck.op) : -1;
  }
  return attempt;
}

const pointY = (h, i) => laneTop(h.lane[h.thread[i]]) + view.barTop + view.barHeight + 2;

/* Where the points in sight are; states are drawn. Lines stand behind the bars, points in front of them. */
function drawOrder(g, h, p, left) {
  const attempt = chosenOrder();
  if (!attempt) return null;
  const { points } = attempt, near = (x) => lowerBound(points.length, (n) => points[n] >= (left + x) / view.zoom);
  const first = Math.max(0, near(-400) - 1), end = Math.min(points.length, near(shown()) + 2), spots = [];
  for (let n = first; n < end; n++) spots.push([points[n] * view.zoom - left + GUTTER, pointY(h, attempt.indexes[n])]);
  if (shown() * 20 > spots.length * 100) drawStates(g, p, attempt.states.slice(first, end), spots);
  if (attempt.stuckAt >= 0 && end === points.length) spots.stuck = findStuck(h, left, attempt);
  return spots;
}

function findStuck(h, left, attempt) {
  const i = attempt.stuckAt, before = attempt.points.length ? attempt.points[attempt.points.length - 1] : 0;
  const at = Math.min(Math.max(before + 14, h.from[i] + 14), h.to[i]);
  return [at * view.zoom - left + GUTTER, pointY(h, i)];
}

/* From point to point, and to where it gets stuck. */
function drawWay(g, p, spots) {
  g.strokeStyle = p.accent;
  g.lineWidth = 1.5;
  g.beginPath();
  spots.forEach(([x, y], n) => (n ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.stroke();
  if (spots.stuck && spots.length) {
    g.strokeStyle = p.red;
    g.setLineDash([4, 3]);
    g.beginPath();
    g.moveTo(...spots[spots.length - 1]);
    g.lineTo(...spots.stuck);
    g.stroke();
    g.setLineDash([]);
  }
  g.lineWidth = 1;
}

function drawPoints(g, p, spots) {
  g.fillStyle = p.accent;
  for (const [x, y] of spots) {
    g.beginPath();
    g.arc(x, y, 4, 0, 7);
    g.fill();
  }
  if (!spots.stuck) return;
  const [x, y] = spots.stuck;
  g.strokeStyle = p.red;
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(x - 4, y - 4), g.lineTo(x + 4, y + 4), g.moveTo(x + 4, y - 4), g.lineTo(x - 4, y + 4);
  g.stroke();
  g.lineWidth = 1;
}

/* The strip on top: the state from each point on, as far as there is room. */
function drawStates(g, p, states, spots) {
  let free = GUTTER;
  for (let n = 0; n < spots.length; n++) {
    const [x, y] = spots[n], next = n + 1 < spots.length ? spots[n + 1][0] : view.width;
    if (x < GUTTER - 400 || x > view.width) continue;
    g.strokeStyle = p.line;
    g.beginPath();
    g.moveTo(x, TOP - 8), g.lineTo(x, Math.max(TOP, y));
    g.stroke();
    const from = Math.max(x - 4, free), text = clip(g, states[n] || '', Math.max(next, from + 24) - from - 6);
    if (text.length < 5 && text !== states[n]) continue;
    g.fillStyle = p.muted;
    g.fillText(text, from, TOP / 2);
    free = from + g.measureText(text).width + 8;
  }
}

/* -------- overview */

function drawOverview(h, p, left) {
  const g = $('overview').getContext('2d'), unit = shown() / h.total;
  g.clearRect(0, 0, view.width, 20);
  g.fillStyle = p.soft;
  g.fillRect(GUTTER, 7, shown(), 6);
  for (const i of h.coreList) {
    g.fillStyle = i === h.guilty ? p.red : p.accent;
    g.fillRect(Math.min(GUTTER + h.from[i] * unit, view.width - 4), 4, Math.max(3, (h.to[i] - h.from[i]) * unit), 12);
  }
  g.strokeStyle = p.text;
  const width = Math.max(8, (shown() / view.zoom) * unit);
  g.strokeRect(Math.min(GUTTER + (left / view.zoom) * unit, view.width - width), 1.5, width - 1, 17);
}

/* -------- pointer */

function opAt(event) {
  const h = story.history, box = $('lanes').getBoundingClientRect();
  const y = event.clientY - box.top, lane = y < TOP ? undefined : h.lanes[Math.floor((y - TOP + topEdge()) / view.laneHeight)];
  const x = (event.clientX - box.left - GUTTER + leftEdge()) / view.zoom;
  if (!lane || event.clientX - box.left < GUTTER) return -1;
  const i = lane[firstAfter(h, lane, x)];
  return i !== undefined && h.from[i] <= x ? i : -1;
}

function listenHistory() {
  $('scroller').addEventListener('scroll', () => requestAnimationFrame(drawHistory));
  $('lanes').addEventListener('click', (e) => selectOp(opAt(e)));
  $('lanes').addEventListener('mousemove', (e) => {
    const i = opAt(e);
    $('lanes').title = i < 0 ? '' : story.history.label[i];
  });
  $('overview').addEventListener('click', (e) => {
    const x = (e.clientX - $('overview').getBoundingClientRect().left - GUTTER) / shown();
    scrollHistory(x * span() - shown() / 2);
  });
  $('zoom-in').onclick = () => zoomBy(1.5);
  $('zoom-out').onclick = () => zoomBy(1 / 1.5);
  $('zoom-all').onclick = () => zoomBy(0);
  $('zoom-error').onclick = () => { view.zoom = usualZoom(); sizeHistory(); selectError(); };
}

/* A short history fills the width. */
const usualZoom = () => Math.min(3, Math.max(1, shown() / story.history.total));

function showHistory() {
  const h = story.history;
  $('zoom-error').hidden = h && h.holds;
  $('history').hidden = !h;
  if (!h) return;
  view.font = `13px ${color('--mono')}`;
  if (!h.from) layoutHistory(h);
  $('scroller').scrollTop = 0;
  view.zoom = 1;
  view.chosen = 0;
  sizeHistory(); // tells how wide it is
  zoomTo(usualZoom());
  const all = `${plural(h.count, 'operation')} of ${plural(h.threads.length, 'thread')}`;
  $('history-note').textContent = h.left_out
    ? `${all}; ${h.left_out.toLocaleString('en')} farther away are left out` : all;
  $('lanes').setAttribute('aria-label', `${all}. The core: ${h.coreList.map(nameOp).join(', ').slice(0, 2000)}`);
  showAttempt();
}
