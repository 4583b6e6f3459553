/**
 * Replaces the characters that PostgreSQL cannot store (U+0000 and unpaired surrogates) by U+FFFD
 * in all texts of a value. For answers of other systems that only people read.
 */
export function storable<Value>(value: Value): Value {
  return replaced(value) as Value;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(replaced);
  const members = Object.entries(value).map(([name, held]) => [replaced(name), replaced(held)]);
  return Object.fromEntries(members);
}
