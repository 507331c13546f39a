/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a run on real threads went, and where in it the error was found. */

const RATES = { height: 150, left: 60, right: 12, top: 14, bottom: 22 };

/* Operations a second between two samples, from those so far. */
function ratesOf(seconds, counts) {
  return seconds.map((s, i) => {
    const span = i ? s - seconds[i - 1] : s;
    return span > 0 ? (counts[i] - (i ? counts[i - 1] : 0)) / span : 0;
  });
}

function perSecond(rate) {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} M/s`;
  return rate >= 1e3 ? `${Math.round(rate / 1e3)} k/s` : `${Math.round(rate)}/s`;
}

/* The first number of 1, 2, 5, 10, ... that is at least that large. */
function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= x);
}

function rateLine(name, seconds, rates, x, y) {
  const points = seconds.map((s, i) => `${x(s).toFixed(1)},${y(rates[i]).toFixed(1)}`);
  return svg('polyline', { class: name, points: points.join(' ') });
}

function drawRates({ seconds, recorded, judged, found_at: found }) {
  const g = { ...RATES, width: Math.max(300, $('rates-picture').clientWidth - 28) };
  const end = Math.max(seconds[seconds.length - 1], found || 0) || 1;
  const made = ratesOf(seconds, recorded), decided = ratesOf(seconds, judged);
  const most = roundUp(Math.max(1, ...made, ...decided));
  const x = (s) => g.left + (g.width - g.left - g.right) * (s / end);
  const y = (rate) => g.height - g.bottom - (g.height - g.top - g.bottom) * (rate / most);
  const picture = svg('svg', { viewBox: `0 0 ${g.width} ${g.height}`, role: 'img',
    'aria-label': 'Operations a second' });
  for (const rate of [0, most / 2, most]) {
    picture.append(svg('line', { class: 'axis', x1: g.left, x2: g.width - g.right, y1: y(rate), y2: y(rate) }),
      svg('text', { x: g.left - 6, y: y(rate) + 4, 'text-anchor': 'end' }, perSecond(rate)));
  }
  picture.append(svg('text', { x: g.left, y: g.height - 6 }, '0 s'),
    svg('text', { x: g.width - g.right, y: g.height - 6, 'text-anchor': 'end' }, `${end.toFixed(end < 10 ? 1 : 0)} s`),
    rateLine('recorded', seconds, made, x, y), rateLine('judged', seconds, decided, x, y));
  if (found) {
    const late = x(found) > g.width / 2;
    picture.append(svg('line', { class: 'found', x1: x(found), x2: x(found), y1: g.top, y2: g.height - g.bottom }),
      svg('text', { class: 'found', x: x(found) + (late ? -6 : 6), y: g.top + 10, 'text-anchor': late ? 'end' : 'start' },
        `found after ${found.toFixed(2)} s`));
  }
  return picture;
}

function showRates() {
  const one = data.cases.find((c) => c.rates);
  if (!one) return;
  $('rates').hidden = false;
  $('rates-note').textContent = 'operations a second: recorded (solid) and judged (dashed)';
  $('rates-picture').replaceChildren(drawRates(one.rates));
}
