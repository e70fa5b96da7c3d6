/*
 * The script of a page searches and sorts its table. Rows beyond the first ones are in a template,
 * so that thousands cost nothing until the script shows them. It only moves rows: it creates no
 * markup and sends nothing. A printout has every row that matches the search. A CSV file has them
 * too, with all digits; text that a spreadsheet would treat as a formula begins with `'`.
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
  const noun = table.dataset['noun'];
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
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  let sorted = rows;
  let matches = rows;
  let maxShownRows = stepRows;

  /** @param {Element | undefined} header */
  function isNumeric(header) {
    return header?.classList.contains('number') === true;
  }

  /** @param {string} text */
  function fold(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  }

  function show() {
    const shown = matches.slice(0, maxShownRows);
    body.replaceChildren(...shown);
    const [part, all] = [shown.length, matches.length].map((count) => count.toLocaleString('en'));
    const what = matches.length < rows.length ? 'matches' : rows.length === 1 ? '' : noun;
    status.textContent =
      matches.length === 0 ? 'No matches' : `Showing ${part} of ${all} ${what}`.trim();
    allButton.hidden = shown.length === matches.length;
  }

  function filter() {
    // Words in quotes stand next to each other.
    const words = fold(search.value).match(/"[^"]+"|[^\s"]+/g) ?? [];
    const wanted = words.map((word) => word.replaceAll('"', '').trim());
    matches = sorted.filter((row) => wanted.every((word) => searchTexts.get(row)?.includes(word)));
    show();
  }

  /**
   * Returns the text of a cell with all its digits and without its mark; empty without a value.
   * @param {Element | undefined} cell
   * @param {boolean} isNumber
   */
  function textOf(cell, isNumber) {
    const text = cell?.getAttribute('title') ?? cell?.firstChild?.textContent?.trim() ?? '';
    if (text === '–') return '';
    return isNumber ? text.replace(/(?<=\d),(?=\d)/g, '').replace(/^\u2212/, '-') : text;
  }

  /**
   * Returns what a cell is sorted by; undefined without a value.
   * @param {Element | undefined} cell
   * @param {boolean} isNumber
   */
  function keyOf(cell, isNumber) {
    const text = textOf(cell, isNumber);
    if (!isNumber) return text || undefined;
    const [, sign, less, digits] = /(-?)(<?)([\d.]+(?:e[+-]?\d+)?)/i.exec(text) ?? [];
    // A share such as `<0.1%` is less than 0.1%.
    return digits && Number(`${sign}${digits}`) / (less ? 2 : 1);
  }

  /**
   * Sorts all rows by a column; rows without a value come last.
   * @param {number} column
   * @param {boolean} isNumber
   * @param {1 | -1} direction
   */
  function sort(column, isNumber, direction) {
    const keyed = rows.map((row) => {
      return { row, key: keyOf(row.cells[column], isNumber) };
    });
    keyed.sort(({ key: a }, { key: b }) => {
      if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined);
      if (typeof a === 'number' && typeof b === 'number') return direction * (a - b);
      return direction * collator.compare(String(a), String(b));
    });
    sorted = keyed.map(({ row }) => row);
  }

  headers.forEach((header, column) => {
    const isNumber = isNumeric(header);
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

  /** @param {string} text */
  function guard(text) {
    return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  }

  function saveCsv() {
    const { synthetic } = table.dataset;
    const titles = headers.map((header) => header.textContent);
    const lines = matches.map((row) => {
      const isSynthetic = synthetic === 'all' || row.hasAttribute('data-synthetic');
      const cells = [...row.cells].map((cell, column) => {
        const isNumber = isNumeric(headers[column]);
        return isNumber ? textOf(cell, isNumber) : guard(textOf(cell, isNumber));
      });
      return [...cells, isSynthetic ? 'true' : ''];
    });
    const quoted = [[...titles, 'Synthetic'], ...lines].map((cells) =>
      cells
        .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(','),
    );
    const file = new Blob(['\ufeff', ...quoted.map((line) => `${line}\r\n`)], { type: 'text/csv' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = table.dataset['file'] ?? `${noun}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  elementById('download', HTMLButtonElement).addEventListener('click', saveCsv);

  const details = document.getElementById('details');
  details?.addEventListener('click', () => {
    const isShown = table.classList.toggle('all-columns');
    details.setAttribute('aria-pressed', String(isShown));
  });

  document.addEventListener('click', ({ target }) => {
    const part = target instanceof Element ? target.closest('[data-find]') : null;
    const found = part?.getAttribute('data-find') ?? undefined;
    if (found === undefined || (target instanceof Element && target.closest('a:not([data-find])')))
      return;
    const parts = found.split('"').flatMap((part) => part.trim() || []);
    search.value = parts.map((part) => `"${part}"`).join(' ');
    maxShownRows = stepRows;
    filter();
    document.getElementById('all')?.scrollIntoView();
  });

  addEventListener('beforeprint', () => body.replaceChildren(...matches));
  addEventListener('afterprint', show);
  for (const id of ['controls', 'more']) elementById(id, HTMLElement).hidden = false;
  elementById('unscripted', HTMLElement).hidden = true;
  show();
})();
