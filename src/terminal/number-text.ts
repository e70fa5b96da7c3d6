/**
 * Writes a number with the digits that it was received with, for programs and exact views.
 *
 * A whole number beyond 2^53 has lost its last digits: JavaScript would write zeros in their place.
 * In scientific notation, every digit that is left is a received one, the last of them rounded.
 */
export function numberText(value: number): string {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded ? value.toExponential() : String(value);
}
