import { columnList, type Dialect, usualDialect } from '../sql/dialect.ts';

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

const integers: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint']);
const texts: ReadonlySet<string> = new Set(['text', 'character varying', 'character', 'name']);
const bigintMax = 2n ** 63n - 1n;

const relations =
  'FROM pg_catalog.pg_class AS t JOIN pg_catalog.pg_namespace AS s ON s.oid = t.relnamespace ';
const visible =
  `t.relkind IN ('r', 'v', 'm', 'p', 'f') ` +
  `AND s.nspname NOT IN ('pg_catalog', 'information_schema') ` +
  `AND s.nspname !~ '^pg_(toast|temp)' AND pg_catalog.has_table_privilege(t.oid, 'SELECT')`;
const defaultFirst = '(s.nspname = current_schema()) DESC, s.nspname, t.relname';

/** The dialect of PostgreSQL. Its types are strict: text is compared as text, or as an integer. */
export const postgresDialect: Dialect = {
  ...usualDialect,
  quote,
  placeholder: (position) => `$${position}`,
  equals(column, type, placeholder, value) {
    if (integers.has(type)) {
      const isWritten = /^(0|-?[1-9]\d{0,18})$/.test(value) && BigInt(value) <= bigintMax;
      return isWritten ? `${column} = ${placeholder}::bigint` : undefined;
    }
    if (texts.has(type)) return `${column} = ${placeholder}`;
    // A cast of the column to text never fails; it only cannot use the index.
    return `${column}::text = ${placeholder}::text`;
  },
  comparable: (value) => value,
  isBinary: (type) => type === 'bytea',
  tables: `SELECT s.nspname, t.relname ${relations} WHERE ${visible} ORDER BY ${defaultFirst}`,
  columns: (count) =>
    'SELECT s.nspname, t.relname, a.attname, pg_catalog.format_type(a.atttypid, NULL) ' +
    `${relations} JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid ` +
    `WHERE ${visible} AND a.attnum > 0 AND NOT a.attisdropped AND t.relname IN (` +
    `${Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')}) ` +
    `ORDER BY ${defaultFirst}, a.attnum`,
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
