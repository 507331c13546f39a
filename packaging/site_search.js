/* SPDX-License-Identifier: Apache-2.0 */
/* Search of the site in place of the generator's, which needs a server: pages.js has the text of all sections. Finds those with every
 * word of the question, or words that begin so. */
function wordsOf(text) {
    return text.toLowerCase().split(/[^\p{L}\p{N}_+-]+/u).filter((word) => word);
}

// Words of the title weigh most; then how much of the section is about them.
function weigh(page, words) {
    const title = page.title.toLowerCase(), all = wordsOf(page.text);
    const uses = all.filter((other) => words.some((word) => other.startsWith(word))).length;
    return 10 * words.filter((word) => title.includes(word)).length + 10 * uses / (50 + all.length);
}

function findPages(words) {
    const found = siteSections.filter((page) => {
        const all = wordsOf(page.title + ' ' + page.text);
        return words.every((word) => all.some((other) => other.startsWith(word) || other.replace(/^-+/, '').startsWith(word)));
    });
    found.forEach((page) => { page.weight = weigh(page, words); });
    return found.sort((a, b) => b.weight - a.weight).slice(0, 60);
}

function excerptOf(page, words) {
    const at = Math.max(0, page.text.toLowerCase().indexOf(words[0]) - 80);
    return (at ? '… ' : '') + page.text.slice(at, at + 240) + (page.text.length > at + 240 ? ' …' : '');
}

function addResult(list, page, words) {
    const article = list.appendChild(document.createElement('article'));
    const link = article.appendChild(document.createElement('h3')).appendChild(document.createElement('a'));
    link.href = base_url + '/' + page.location;
    link.textContent = page.title;
    article.appendChild(document.createElement('p')).textContent = excerptOf(page, words);
}

function showResults(list, question) {
    const words = wordsOf(question), found = words.length ? findPages(words) : [];
    list.textContent = found.length || !words.length ? '' : 'Nothing has all of these words.';
    found.forEach((page) => addResult(list, page, words));
}

function beginSearch(list, input) {
    input.value = new URLSearchParams(window.location.search).get('q') || '';
    input.addEventListener('keyup', () => showResults(list, input.value));
    showResults(list, input.value);
}

const searchList = document.getElementById('mkdocs-search-results');
if (searchList) {
    const script = document.head.appendChild(document.createElement('script'));
    script.onload = () => beginSearch(searchList, document.getElementById('mkdocs-search-query'));
    script.src = base_url + '/search/pages.js';
}
