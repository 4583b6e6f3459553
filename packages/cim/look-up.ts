/**
 * The entry of a table whose keys come from outside. A plain `table[key]` also finds what every object
 * inherits, as for the key `constructor`.
 */
export function lookUp<Entry>(
  table: Readonly<Record<string, Entry>> | undefined,
  key: string,
): Entry | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
