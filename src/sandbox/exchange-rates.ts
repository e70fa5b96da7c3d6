/** Units of each currency (ISO 4217) per US dollar. Fixed, so that records never change. */
export const ratesPerDollar: Readonly<Record<string, number>> = {
  USD: 1,
  AED: 3.6725,
  ARS: 980,
  AUD: 1.52,
  BGN: 1.81,
  BRL: 5.4,
  CAD: 1.37,
  CHF: 0.88,
  CLP: 935,
  CNY: 7.2,
  COP: 4050,
  CZK: 23.2,
  DKK: 6.89,
  EGP: 48.5,
  EUR: 0.924,
  GBP: 0.786,
  HKD: 7.8,
  HUF: 366,
  IDR: 16000,
  ILS: 3.7,
  INR: 83.5,
  JPY: 152,
  KRW: 1370,
  KWD: 0.307,
  MXN: 18.1,
  MYR: 4.6,
  NGN: 1550,
  NOK: 10.7,
  NZD: 1.65,
  PEN: 3.75,
  PHP: 57.5,
  PKR: 278,
  PLN: 3.97,
  RON: 4.6,
  SAR: 3.75,
  SEK: 10.5,
  SGD: 1.34,
  THB: 36,
  TRY: 33,
  TWD: 32.3,
  UAH: 41,
  VND: 25300,
  ZAR: 18.3,
};

/** The currency of a response if the request names none. */
export const defaultCurrency = 'USD';

/** Returns the code of a supported currency in upper case; undefined for any other one. */
export function knownCurrency(code: string): string | undefined {
  const upper = code.toUpperCase();
  return Object.hasOwn(ratesPerDollar, upper) ? upper : undefined;
}

/** Converts US dollars to a supported currency. */
export function fromDollars(dollars: number, currency: string): number {
  return dollars * (ratesPerDollar[currency] ?? 1);
}
