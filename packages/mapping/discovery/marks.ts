/** How databases write no. */
export const offText = /^(0|f|false|n)$/i;

/** How databases write yes; Access has -1. */
export const onText = /^(-?1|t|true|y)$/i;

/** Two values that say yes and no. */
export function isMark(values: ReadonlySet<string>): boolean {
  const all = [...values];
  return (
    all.length === 2 && all.some((one) => offText.test(one)) && all.some((one) => onText.test(one))
  );
}
