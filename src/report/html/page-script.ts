/*
 * The script of the page: search and sort in the table of organizations. Rows beyond the first are
 * in a template, so that thousands cost nothing until they are shown. It only moves rows about: it
 * makes no markup and sends nothing.
 *
 * On paper nobody can ask for more rows, so up to `maxPrintedRows` are printed, and the page states
 * how many are not.
 */
const maxPrintedRows = 1_000;

/** The source of the script. */
export const pageScript = `'use strict';
(() => {
  const table = document.getElementById('organizations');
  const body = table.tBodies[0];
  const step = body.rows.length;
  const more = document.getElementById('rest');
  const all = [...body.rows, ...(more ? more.content.children : [])];
  const fold = (text) => text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();
  const texts = new Map(all.map((row) => [row, fold(row.textContent)]));
  const search = document.getElementById('search');
  const status = document.getElementById('shown');
  const [next, every] = document.querySelectorAll('.more button');
  const heads = [...table.tHead.rows[0].cells];
  let ordered = all;
  let found = all;
  let limit = step;
  const count = (many) => many.toLocaleString('en');
  function show() {
    const shown = found.slice(0, limit);
    body.replaceChildren(...shown);
    status.textContent = count(shown.length) + ' of ' + count(found.length) + (found.length < all.length ? ' found' : '') + ' shown';
    next.hidden = every.hidden = shown.length === found.length;
  }
  function filter() {
    const words = fold(search.value).split(/\\s+/).filter(Boolean);
    found = words.length === 0 ? ordered : ordered.filter((row) => words.every((word) => texts.get(row).includes(word)));
    show();
  }
  const numberOf = (text) => {
    const found = /-?[\\d,.]+(e[+-]?\\d+)?/i.exec(text);
    return found ? Number(found[0].replace(/,/g, '')) : undefined;
  };
  const language = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  function sort(at, isNumber, direction) {
    const keyed = all.map((row) => {
      const text = row.cells[at].textContent.trim();
      return { row, key: text === '' || text === '\\u2013' ? undefined : isNumber ? numberOf(text) : text };
    });
    const order = isNumber ? (a, b) => a - b : language.compare;
    keyed.sort((a, b) => {
      if (a.key === undefined || b.key === undefined) return (a.key === undefined) - (b.key === undefined);
      return direction * order(a.key, b.key);
    });
    ordered = keyed.map(({ row }) => row);
  }
  heads.forEach((head, at) => {
    const isNumber = head.classList.contains('number');
    head.firstElementChild?.addEventListener('click', () => {
      const was = head.getAttribute('aria-sort');
      const isUp = was === null || was === 'none' ? !isNumber : was === 'descending';
      for (const one of heads) one.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      sort(at, isNumber, isUp ? 1 : -1);
      filter();
    });
  });
  search.addEventListener('input', () => {
    limit = step;
    filter();
  });
  next.addEventListener('click', () => {
    limit += step;
    show();
  });
  every.addEventListener('click', () => {
    limit = Infinity;
    show();
  });
  const printed = document.getElementById('printed');
  function showPrinted() {
    const shown = found.slice(0, Math.max(limit, ${maxPrintedRows}));
    body.replaceChildren(...shown);
    const isSearch = found.length < all.length;
    const isCut = shown.length < found.length;
    printed.textContent = !isSearch && !isCut ? '' : 'Printed here: ' + count(shown.length) + ' of ' + count(all.length) + ' organizations in this table'
      + (isSearch ? ', those that match \u201c' + search.value.trim() + '\u201d' : '') + '.'
      + (isCut ? ' To print every one, choose \u201cShow all\u201d first.' : '');
  }
  const closed = [];
  addEventListener('beforeprint', () => {
    showPrinted();
    closed.push(...document.querySelectorAll('details:not([open])'));
    for (const one of closed) one.open = true;
  });
  addEventListener('afterprint', () => {
    printed.textContent = '';
    show();
    for (const one of closed.splice(0)) one.open = false;
  });
  for (const one of document.querySelectorAll('.controls, .more')) one.hidden = false;
  document.getElementById('unscripted').hidden = true;
  show();
})();
`;
