/* SPDX-License-Identifier: Apache-2.0 */
/* For scripts that are added to a page: results as lines of text, which the test finds in the page afterwards. */
const results = [];
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const check = (name, good, seen) => results.push(good ? `ok ${name}` : `FAILED ${name}: ${JSON.stringify(seen)}`);
const equal = (name, seen, wanted) => check(name, JSON.stringify(seen) === JSON.stringify(wanted), seen);
const tell = (text) => results.push(`note ${text}`);

/* Runs the test and leaves its results where --dump-dom shows them. */
function test(body) {
  try { body(); } catch (e) { results.push(`FAILED ${e.stack}`); }
  document.body.append(Object.assign(document.createElement('pre'), { textContent: `RESULTS\n${results.join('\n')}\nEND\n` }));
}
