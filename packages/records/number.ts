/**
 * Larger exponents keep their scientific notation, so that hostile text does not become megabytes
 * of zeros.
 */
const exponentMax = 400;

/**
 * Writes a number's text without exponent (`1.5e3` → `1500`), digit for digit; returns other text
 * unchanged.
 */
export function plainNumber(text: string): string {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?[eE]([+-]?\d{1,6})$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > exponentMax) return text;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded =
    '0'.repeat(Math.max(0, 1 - point)) + digits + '0'.repeat(Math.max(0, point - digits.length));
  const at = Math.max(point, 1);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const rest = padded.slice(at);
  return (sign === '-' ? '-' : '') + integer + (rest === '' ? '' : `.${rest}`);
}
