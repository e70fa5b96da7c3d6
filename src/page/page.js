/*
 * The script of a page searches and sorts its table. Rows beyond the first ones are in a template,
 * so that thousands cost nothing until the script shows them. It only moves rows: it creates no
 * markup and sends nothing. A printout has every row that matches the search.
 */

(() => {
  /**
   * @template {HTMLElement} Kind
   * @param {string} id
   * @param {new () => Kind} kind
   */
  function elementById(id, kind) {
    const element = document.getElementById(id);
    if (element instanceof kind) return element;
    throw new Error(`the page has no element ${id}`);
  }

  const table = elementById('rows', HTMLTableElement);
  const noun = table.dataset['noun'] ?? 'rows';
  const body = table.tBodies[0] ?? table.createTBody();
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])];
  const search = elementById('search', HTMLInputElement);
  const status = elementById('shown', HTMLElement);
  const allButton = elementById('show-all', HTMLButtonElement);
  const hiddenRows = document.getElementById('rest');
  const rows = [
    ...body.rows,
    ...(hiddenRows instanceof HTMLTemplateElement ? hiddenRows.content.querySelectorAll('tr') : []),
  ];
  const stepRows = body.rows.length;
  const searchTexts = new Map(rows.map((row) => [row, fold(row.textContent)]));
  let sorted = rows;
  let matches = rows;
  let maxShownRows = stepRows;

  /** @param {string} text */
  function fold(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  }

  /** @param {number} value */
  function formatCount(value) {
    return value.toLocaleString('en');
  }

  function show() {
    const shown = matches.slice(0, maxShownRows);
    body.replaceChildren(...shown);
    const isSearch = matches.length < rows.length;
    status.textContent =
      matches.length === 0
        ? 'No matches'
        : `Showing ${formatCount(shown.length)} of ${formatCount(matches.length)} ${isSearch ? 'matches' : noun}`;
    allButton.hidden = shown.length === matches.length;
  }

  function filter() {
    const words = fold(search.value).split(/\s+/).filter(Boolean);
    matches = sorted.filter((row) => words.every((word) => searchTexts.get(row)?.includes(word)));
    show();
  }

  /** @param {string} text */
  function parseNumber(text) {
    const digits = /-?[\d,.]+(e[+-]?\d+)?/i.exec(text);
    return digits ? Number(digits[0].replace(/,/g, '')) : undefined;
  }

  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

  /**
   * Sorts all rows by a column; rows without a value come last.
   * @param {number} column
   * @param {boolean} isNumber
   * @param {1 | -1} direction
   */
  function sort(column, isNumber, direction) {
    const keyed = rows.map((row) => {
      const text = row.cells[column]?.textContent.trim() ?? '';
      const isMissing = text === '' || text === '–';
      return { row, key: isMissing ? undefined : isNumber ? parseNumber(text) : text };
    });
    keyed.sort((a, b) => {
      if (a.key === undefined || b.key === undefined)
        return Number(a.key === undefined) - Number(b.key === undefined);
      const order =
        typeof a.key === 'number' && typeof b.key === 'number'
          ? a.key - b.key
          : collator.compare(String(a.key), String(b.key));
      return direction * order;
    });
    sorted = keyed.map(({ row }) => row);
  }

  headers.forEach((header, column) => {
    const isNumber = header.classList.contains('number');
    header.firstElementChild?.addEventListener('click', () => {
      const order = header.getAttribute('aria-sort');
      const isAscending = order === null ? !isNumber : order === 'descending';
      for (const other of headers) other.removeAttribute('aria-sort');
      header.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
      sort(column, isNumber, isAscending ? 1 : -1);
      filter();
    });
  });
  search.addEventListener('input', () => {
    maxShownRows = stepRows;
    filter();
  });
  allButton.addEventListener('click', () => {
    maxShownRows = Infinity;
    show();
  });

  /** @type {HTMLDetailsElement[]} */
  const openedDetails = [];

  addEventListener('beforeprint', () => {
    body.replaceChildren(...matches);
    for (const details of document.querySelectorAll('details')) {
      if (details.open) continue;
      details.open = true;
      openedDetails.push(details);
    }
  });
  addEventListener('afterprint', () => {
    show();
    for (const details of openedDetails.splice(0)) details.open = false;
  });
  for (const element of document.querySelectorAll('.controls, .more'))
    if (element instanceof HTMLElement) element.hidden = false;
  elementById('unscripted', HTMLElement).hidden = true;
  show();
})();
