import { columnList, type Dialect, usualDialect } from '../sql/dialect.ts';

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

const tableNames =
  `SELECT "schema", name FROM pragma_table_list WHERE "schema" = 'main' ` +
  `AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/** SQLite compares any value with any text without failing; affinity makes numbers of digits. */
export const sqliteDialect: Dialect = {
  ...usualDialect,
  quote,
  placeholder: () => '?',
  equals: (column, _type, placeholder) => `${column} = ${placeholder}`,
  comparable: (value) => value,
  isBinary: (type) => /blob/i.test(type),
  tables: `${tableNames} ORDER BY name`,
  columns: (count) =>
    `SELECT t."schema", t.name, c.name, c.type FROM (${tableNames}) AS t ` +
    `JOIN pragma_table_xinfo(t.name) AS c WHERE c.hidden <> 1 ` +
    `AND t.name IN (${Array(count).fill('?').join(', ')}) ORDER BY t.name, c.cid`,
  createSideTable: (table) =>
    `CREATE TABLE IF NOT EXISTS ${table} (source_ref TEXT PRIMARY KEY NOT NULL, ` +
    'invoice_id TEXT NOT NULL, status TEXT NOT NULL, profile TEXT NOT NULL, uin TEXT, ' +
    'validation_url TEXT, settled_at TEXT NOT NULL, cancellable_until TEXT, ' +
    'idempotency_key TEXT NOT NULL UNIQUE)',
  // A number would be kept in binary: text keeps it as it is written.
  createTable: (table, columns, primaryKey) =>
    `CREATE TABLE IF NOT EXISTS ${table} ${columnList({ quote }, columns, primaryKey, () => 'TEXT')}`,
  // One writer at a time: there is nothing to lock.
  lock: { afterTable: '', atEnd: '' },
};
