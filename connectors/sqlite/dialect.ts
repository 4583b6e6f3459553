import { columnList, type Dialect, usualDialect } from '../sql/dialect.ts';

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

const tableNames =
  `SELECT "schema", name FROM pragma_table_list WHERE "schema" = 'main' ` +
  `AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

function places(count: number): string {
  return Array(count).fill('?').join(', ');
}

/** SQLite compares any value with any text without failing; affinity makes numbers of digits. */
export const sqliteDialect: Dialect = {
  ...usualDialect,
  quote,
  placeholder: () => '?',
  comparison: (column, _type, placeholder) => ({ column, value: placeholder }),
  comparable: (value) => value,
  // Any column may hold a text, whatever its type.
  beginning: (column, _type, characters) =>
    `CASE typeof(${column}) WHEN 'text' THEN substr(${column}, 1, ${characters}) ELSE ${column} END`,
  isBinary: (type) => /blob/i.test(type),
  product: `SELECT 'SQLite ' || sqlite_version()`,
  tables: `${tableNames} ORDER BY name`,
  columns: (count) =>
    `SELECT t."schema", t.name, c.name, c.type FROM (${tableNames}) AS t ` +
    `JOIN pragma_table_xinfo(t.name) AS c WHERE c.hidden <> 1 ` +
    `AND t.name IN (${places(count)}) ORDER BY t.name, c.cid`,
  keys: (count) =>
    `WITH t AS (SELECT * FROM (${tableNames}) WHERE name IN (${places(count)})) ` +
    `SELECT t."schema", t.name, 'primary', 'P', c.name, c.pk AS place FROM t ` +
    'JOIN pragma_table_info(t.name) AS c WHERE c.pk > 0 UNION ALL ' +
    `SELECT t."schema", t.name, i.name, 'U', c.name, c.seqno FROM t ` +
    'JOIN pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c ' +
    'WHERE i."unique" = 1 AND i.partial = 0 AND c.name IS NOT NULL ORDER BY place',
  foreignKeys: (count) =>
    `SELECT t."schema", t.name, f.id, f."from", t."schema", f."table", ` +
    `coalesce(f."to", (SELECT c.name FROM pragma_table_info(f."table") AS c WHERE c.pk = f.seq + 1)) ` +
    `FROM (${tableNames}) AS t JOIN pragma_foreign_key_list(t.name) AS f ` +
    `WHERE t.name IN (${places(count)}) ORDER BY t.name, f.id, f.seq`,
  rowCount: (table) => `SELECT max(rowid) FROM ${table}`,
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
