/** A value of CHAR without the spaces that fill it. By hand: a pattern would begin anew at each space of a value that is full of them. */
export function withoutPadding(value: string): string {
  let end = value.length;
  while (value[end - 1] === ' ') end -= 1;
  return value.slice(0, end);
}
