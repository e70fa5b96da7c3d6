/*
 * The script of a page searches and sorts its table. Rows beyond the first ones are in a template,
 * so that thousands cost nothing until the script shows them. It only moves rows: it creates no
 * markup and sends nothing. It saves the rows that match the search as a CSV file, in which text
 * that a spreadsheet would treat as a formula begins with `'`.
 */

(() => {
  /* Paper has no buttons, so the page prints up to this many rows and states how many it omits. */
  const maxPrintedRows = 1_000;

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
  const printNote = elementById('printed', HTMLElement);
  const moreButton = elementById('show-more', HTMLButtonElement);
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
    moreButton.hidden = allButton.hidden = shown.length === matches.length;
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
  moreButton.addEventListener('click', () => {
    maxShownRows += stepRows;
    show();
  });
  allButton.addEventListener('click', () => {
    maxShownRows = Infinity;
    show();
  });

  const formula = /^\s*[=+\-@＝＋－＠]/u;
  const innerFormula = /[;|\t](?=[\s"]*[=+\-@＝＋－＠])/gu;

  /** @param {string} text */
  function guard(text) {
    const line = text.replace(/\s+/g, ' ').trim();
    const safe = line === '–' ? '' : line.replace(innerFormula, "$&'");
    return formula.test(safe) ? `'${safe}` : safe;
  }

  /**
   * Removes separators and spaces from a number; other text is guarded.
   * @param {string} text
   */
  function plainNumber(text) {
    const digits = text.replace(/[,\s]/g, '');
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(digits) ? digits : guard(text);
  }

  /**
   * Returns the figure of a cell without its mark: all digits, which a title has if it is rounded.
   * @param {HTMLTableCellElement | undefined} cell
   */
  function figure(cell) {
    const mark = cell?.querySelector('i')?.textContent ?? '';
    const shown = cell?.textContent ?? '';
    const exact = cell?.title || cell?.querySelector('span')?.title;
    return plainNumber(exact || shown.slice(0, shown.length - mark.length));
  }

  /**
   * @param {HTMLTableCellElement | undefined} cell
   * @param {DOMTokenList} kind
   */
  function values(cell, kind) {
    if (kind.contains('amount')) return [figure(cell), cell?.querySelector('i')?.title ?? ''];
    if (kind.contains('links'))
      return [guard([...(cell?.querySelectorAll('a') ?? [])].map(({ href }) => href).join(' '))];
    return [kind.contains('number') ? figure(cell) : guard(cell?.textContent ?? '')];
  }

  /** @param {readonly string[]} cells */
  function line(cells) {
    const quoted = cells.map((cell) =>
      /[",;|\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    );
    return `${quoted.join(',')}\r\n`;
  }

  /**
   * @param {readonly HTMLTableCellElement[]} headers
   * @param {readonly HTMLTableRowElement[]} rows
   * @param {string} fileName
   */
  function downloadTable(headers, rows, fileName) {
    const titles = headers.flatMap((header) => {
      const title = header.textContent.trim();
      return header.classList.contains('amount') ? [title, `${title} basis`] : [title];
    });
    const lines = rows.map((row) =>
      line(headers.flatMap(({ classList }, column) => values(row.cells[column], classList))),
    );
    const file = new Blob(['\ufeff', line(titles), ...lines], { type: 'text/csv' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = fileName;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  elementById('download', HTMLButtonElement).addEventListener('click', () => {
    downloadTable(headers, matches, `${noun}.csv`);
  });

  /** @type {HTMLDetailsElement[]} */
  const openedDetails = [];

  function showPrinted() {
    const shown = matches.slice(0, Math.max(maxShownRows, maxPrintedRows));
    body.replaceChildren(...shown);
    const isSearch = matches.length < rows.length;
    const isCut = shown.length < matches.length;
    if (!isSearch && !isCut) return;
    const total = `${formatCount(shown.length)} of the ${formatCount(rows.length)} ${noun} in this table`;
    printNote.textContent = `This printout shows ${total}${isSearch ? `: those that match “${search.value.trim()}”` : ''}.${isCut ? ' To print all of them, choose “Show all” first.' : ''}`;
  }

  addEventListener('beforeprint', () => {
    showPrinted();
    for (const details of document.querySelectorAll('details')) {
      if (details.open) continue;
      details.open = true;
      openedDetails.push(details);
    }
  });
  addEventListener('afterprint', () => {
    printNote.textContent = '';
    show();
    for (const details of openedDetails.splice(0)) details.open = false;
  });
  for (const element of document.querySelectorAll('.controls, .more'))
    if (element instanceof HTMLElement) element.hidden = false;
  elementById('unscripted', HTMLElement).hidden = true;
  show();
})();
