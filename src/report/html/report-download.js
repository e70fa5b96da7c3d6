/*
 * Saves the rows of the table that match the search as a CSV file. The browser creates the file: no
 * request is sent. Text that a spreadsheet would treat as a formula begins with `'`.
 */

(() => {
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

  addEventListener('downloadtable', (event) => {
    if (!(event instanceof CustomEvent)) return;
    const { headers, rows, fileName } = event.detail;
    downloadTable(headers, rows, fileName);
  });
})();
