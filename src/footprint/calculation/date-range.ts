const isDate = /^\d{4}-\d{2}-\d{2}/;

/** Finds the earliest and the latest of ISO 8601 dates. */
export class DateRange {
  #from: string | null = null;
  #to: string | null = null;

  /** Adds a date or time; ignores a text that does not start with one, and null. */
  add(date: string | null): void {
    if (date === null || !isDate.test(date)) return;
    if (this.#from === null || date < this.#from) this.#from = date;
    if (this.#to === null || date > this.#to) this.#to = date;
  }

  result(): { readonly from: string | null; readonly to: string | null } {
    return { from: this.#from, to: this.#to };
  }
}
