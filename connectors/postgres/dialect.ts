import { columnList, type Dialect, usualDialect } from '../sql/dialect.ts';

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

const integers: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint']);
const texts: ReadonlySet<string> = new Set(['text', 'character varying', 'character', 'name']);
const documents: ReadonlySet<string> = new Set(['json', 'jsonb', 'xml']);
const bigintMax = 2n ** 63n - 1n;
/** As the server writes them. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const numeric = /^-?(0|[1-9]\d{0,500})(\.\d{1,500})?$/;

const relations =
  'FROM pg_catalog.pg_class AS t JOIN pg_catalog.pg_namespace AS s ON s.oid = t.relnamespace ';
const visible =
  `t.relkind IN ('r', 'v', 'm', 'p', 'f') ` +
  `AND s.nspname NOT IN ('pg_catalog', 'information_schema') ` +
  `AND s.nspname !~ '^pg_(toast|temp)' AND pg_catalog.has_table_privilege(t.oid, 'SELECT')`;
const defaultFirst = '(s.nspname = current_schema()) DESC, s.nspname, t.relname';

function places(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
}

/** The dialect of PostgreSQL. Its types are strict: text is compared as text, or as an integer. */
export const postgresDialect: Dialect = {
  ...usualDialect,
  quote,
  placeholder: (position) => `$${position}`,
  comparison(column, type, placeholder, value) {
    if (integers.has(type)) {
      const isWritten = /^(0|-?[1-9]\d{0,18})$/.test(value) && BigInt(value) <= bigintMax;
      return isWritten ? { column, value: `${placeholder}::bigint` } : undefined;
    }
    if (texts.has(type)) return { column, value: placeholder };
    if (type === 'uuid') {
      return uuid.test(value) ? { column, value: `${placeholder}::uuid` } : undefined;
    }
    if (type === 'numeric') {
      // By number, which uses the index, and by text: 7.5 is not 7.50.
      const both = `(${placeholder}::text::numeric, ${placeholder}::text)`;
      return numeric.test(value)
        ? { column: `(${column}, ${column}::text)`, value: both }
        : undefined;
    }
    // A cast of the column to text never fails; it only cannot use the index.
    return { column: `${column}::text`, value: `${placeholder}::text` };
  },
  comparable: (value) => value,
  beginning(column, type, characters) {
    if (texts.has(type)) return `left(${column}, ${characters})`;
    return documents.has(type) ? `left(${column}::text, ${characters})` : column;
  },
  isBinary: (type) => type === 'bytea',
  product: `SELECT 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1)`,
  tables: `SELECT s.nspname, t.relname ${relations} WHERE ${visible} ORDER BY ${defaultFirst}`,
  columns: (count) =>
    'SELECT s.nspname, t.relname, a.attname, pg_catalog.format_type(a.atttypid, NULL) ' +
    `${relations} JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid ` +
    `WHERE ${visible} AND a.attnum > 0 AND NOT a.attisdropped AND t.relname IN (` +
    `${places(count)}) ` +
    `ORDER BY ${defaultFirst}, a.attnum`,
  keys: (count) =>
    `SELECT s.nspname, t.relname, i.indexrelid::text, CASE WHEN i.indisprimary THEN 'P' ELSE 'U' END, ` +
    `a.attname ${relations} JOIN pg_catalog.pg_index AS i ON i.indrelid = t.oid ` +
    'CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k(attnum, place) ' +
    'JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.attnum ' +
    `WHERE ${visible} AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL ` +
    `AND k.place <= i.indnkeyatts AND t.relname IN (${places(count)}) ORDER BY i.indexrelid, k.place`,
  foreignKeys: (count) =>
    'SELECT s.nspname, t.relname, c.conname, a.attname, fs.nspname, ft.relname, fa.attname ' +
    `${relations} JOIN pg_catalog.pg_constraint AS c ON c.conrelid = t.oid AND c.contype = 'f' ` +
    'JOIN pg_catalog.pg_class AS ft ON ft.oid = c.confrelid ' +
    'JOIN pg_catalog.pg_namespace AS fs ON fs.oid = ft.relnamespace ' +
    'CROSS JOIN unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(own, theirs, place) ' +
    'JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.own ' +
    'JOIN pg_catalog.pg_attribute AS fa ON fa.attrelid = ft.oid AND fa.attnum = k.theirs ' +
    `WHERE ${visible} AND t.relname IN (${places(count)}) ORDER BY t.relname, c.conname, k.place`,
  rowCounts: (count) =>
    `SELECT s.nspname, t.relname, t.reltuples::bigint ${relations} ` +
    `WHERE ${visible} AND t.reltuples >= 0 AND t.relname IN (${places(count)})`,
  createSideTable: (table) =>
    `CREATE TABLE IF NOT EXISTS ${table} (source_ref text PRIMARY KEY, ` +
    'invoice_id text NOT NULL, status text NOT NULL, profile text NOT NULL, uin text, ' +
    'validation_url text, settled_at text NOT NULL, cancellable_until text, ' +
    'idempotency_key text NOT NULL UNIQUE)',
  createTable: (table, columns, primaryKey) => {
    const list = columnList({ quote }, columns, primaryKey, ({ holds }) =>
      holds === 'decimal' ? 'numeric' : 'text',
    );
    return `CREATE TABLE IF NOT EXISTS ${table} ${list}`;
  },
};
