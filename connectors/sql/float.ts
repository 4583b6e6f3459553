/** A float of 24 bits: widened to a double, 0.1 would be written 0.10000000149011612. */
export function shortestFloat(value: number): string {
  for (let precision = 6; precision < 9; precision += 1) {
    const text = value.toPrecision(precision);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
