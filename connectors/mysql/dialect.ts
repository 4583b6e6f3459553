import { columnList, type Dialect, usualDialect } from '../sql/dialect.ts';

const quote = (identifier: string) => `\`${identifier.replaceAll('`', '``')}\``;

const tableOptions = 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const systemSchemas = `('information_schema', 'mysql', 'performance_schema', 'sys')`;
const defaultFirst = (schema: string) => `(${schema} <=> DATABASE()) DESC, ${schema}`;

function places(count: number): string {
  return Array(count).fill('?').join(', ');
}

/**
 * The dialect of MySQL and MariaDB. A comparison never fails, but may find too much: see read.ts.
 */
export const mysqlDialect: Dialect = {
  ...usualDialect,
  quote,
  placeholder: () => '?',
  comparison: (column, _type, placeholder) => ({ column, value: placeholder }),
  // DATETIME takes neither the T nor the Z of the text that we return for it.
  comparable: (value) =>
    /^\d{4}-\d{2}-\d{2}T[\d:.]+Z?$/.test(value) ? value.replace('T', ' ').replace('Z', '') : value,
  beginning: (column, type, characters) =>
    /char|text|json/i.test(type) ? `LEFT(${column}, ${characters})` : column,
  isBinary: (type) => /blob|binary|geometry|point|linestring|polygon|vector/i.test(type),
  product:
    `SELECT CONCAT(IF(VERSION() LIKE '%MariaDB%', 'MariaDB ', 'MySQL '), ` +
    `SUBSTRING_INDEX(VERSION(), '-', 1))`,
  tables:
    'SELECT table_schema, table_name FROM information_schema.tables ' +
    `WHERE table_schema NOT IN ${systemSchemas} ` +
    `ORDER BY ${defaultFirst('table_schema')}, table_name`,
  columns: (count) =>
    'SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns ' +
    `WHERE table_schema NOT IN ${systemSchemas} ` +
    `AND table_name IN (${places(count)}) ` +
    `ORDER BY ${defaultFirst('table_schema')}, table_name, ordinal_position`,
  keys: (count) =>
    `SELECT table_schema, table_name, index_name, IF(index_name = 'PRIMARY', 'P', 'U'), column_name ` +
    'FROM information_schema.statistics WHERE non_unique = 0 AND column_name IS NOT NULL ' +
    `AND table_schema NOT IN ${systemSchemas} AND table_name IN (${places(count)}) ` +
    'ORDER BY table_schema, table_name, index_name, seq_in_index',
  foreignKeys: (count) =>
    'SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, ' +
    'referenced_table_name, referenced_column_name FROM information_schema.key_column_usage ' +
    `WHERE referenced_table_name IS NOT NULL AND table_schema NOT IN ${systemSchemas} ` +
    `AND table_name IN (${places(count)}) ` +
    'ORDER BY table_schema, table_name, constraint_name, ordinal_position',
  rowCounts: (count) =>
    'SELECT table_schema, table_name, table_rows FROM information_schema.tables ' +
    `WHERE table_rows IS NOT NULL AND table_schema NOT IN ${systemSchemas} ` +
    `AND table_name IN (${places(count)})`,
  // Compared byte by byte: under the default collation INV-1 and inv-1 would be one document.
  createSideTable: (table) =>
    `CREATE TABLE IF NOT EXISTS ${table} (source_ref VARCHAR(512) NOT NULL PRIMARY KEY, ` +
    'invoice_id VARCHAR(128) NOT NULL, status VARCHAR(32) NOT NULL, ' +
    'profile VARCHAR(64) NOT NULL, uin VARCHAR(256), validation_url VARCHAR(2048), ' +
    'settled_at VARCHAR(32) NOT NULL, cancellable_until VARCHAR(32), ' +
    'idempotency_key VARCHAR(255) NOT NULL UNIQUE) ' +
    tableOptions,
  createTable: (table, columns, primaryKey) => {
    const list = columnList({ quote }, columns, primaryKey, ({ holds }) => {
      if (holds === 'decimal') return 'DECIMAL(30,10)';
      return holds === 'long' ? 'LONGTEXT' : `VARCHAR(${holds})`;
    });
    return `CREATE TABLE IF NOT EXISTS ${table} ${list} ${tableOptions}`;
  },
};
