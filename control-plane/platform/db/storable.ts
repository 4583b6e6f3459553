/**
 * The value with what PostgreSQL holds in no text, U+0000 and halves of surrogate pairs, replaced by
 * U+FFFD in all its texts: for what others answered, and only a person reads.
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
