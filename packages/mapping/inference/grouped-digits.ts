/** `1.250,50` and `1.250.000`, whose points stand between thousands. */
export const groupedNumber = /^-?\d{1,3}((\.\d{3})+,\d+|(\.\d{3}){2,})$/;
/** `1.250`, which may be a thousand or one and a quarter. */
export const oneGroup = /^-?[1-9]\d{0,2}\.\d{3}$/;

/**
 * Whether the points of a column stand between thousands. Three digits behind each point are decimals where no value
 * is without them, as a database prints NUMERIC(12,3), and where the column's type is a number. Whole numbers beside
 * `1.250` have thousands: a decimal would not be kept with its last zero in one row and left out in another.
 */
export function areGrouped(values: readonly string[], type: string | undefined): boolean {
  const all = values.map((value) => value.trim());
  if (all.some((value) => groupedNumber.test(value))) return true;
  if (type !== undefined && numberTypes.test(type)) return false;
  const pointed = all.filter((value) => value.includes('.'));
  if (pointed.length === all.length || !pointed.every((value) => oneGroup.test(value))) {
    return false;
  }
  return pointed.some((value) => value.endsWith('0'));
}

const numberTypes = /num|dec|money|float|double|real|int/i;
