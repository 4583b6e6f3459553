import { columnList, type Dialect } from '../sql/dialect.ts';

const quote = (identifier: string) => `[${identifier.replaceAll(']', ']]')}]`;

const integers: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'int', 'bigint']);
const bigintMax = 2n ** 63n - 1n;

/** The types that a text is converted to before it is compared, so that the column's index is used. */
const convertible: Readonly<Record<string, string>> = {
  char: 'varchar(8000)',
  varchar: 'varchar(8000)',
  date: 'date',
  time: 'time(7)',
  datetime: 'datetime',
  smalldatetime: 'smalldatetime',
  datetime2: 'datetime2(7)',
  datetimeoffset: 'datetimeoffset(7)',
  uniqueidentifier: 'uniqueidentifier',
  money: 'money',
  smallmoney: 'smallmoney',
  float: 'float',
  real: 'real',
  bit: 'bit',
};

/** The style of CONVERT that reads the text which text.ts writes. */
const styles: Readonly<Record<string, string>> = {
  date: ', 23',
  datetime: ', 126',
  smalldatetime: ', 126',
  datetime2: ', 126',
  datetimeoffset: ', 127',
};

const isDecimal = (type: string) => /^(decimal|numeric)\(/.test(type);
const isInteger = (value: string) =>
  /^(0|-?[1-9]\d{0,18})$/.test(value) && BigInt(value) <= bigintMax;
/** A row version as a number that grows with it. */
const rowVersion = 'timestamp';

const defaultFirst = 'CASE WHEN TABLE_SCHEMA = SCHEMA_NAME() THEN 0 ELSE 1 END, TABLE_SCHEMA';

function places(count: number): string {
  return Array.from({ length: count }, (_, index) => `@p${index + 1}`).join(', ');
}

/** The dialect of Microsoft SQL Server 2016 and later. */
export const mssqlDialect: Dialect = {
  quote,
  placeholder: (position) => `@p${position}`,
  comparison(column, type, placeholder, value) {
    if (integers.has(type)) {
      return isInteger(value) ? { column, value: `CONVERT(bigint, ${placeholder})` } : undefined;
    }
    if (type === rowVersion) {
      return isInteger(value) ? { column, value: asRowVersion(placeholder) } : undefined;
    }
    if (type === 'nvarchar' || type === 'nchar') return { column, value: placeholder };
    const target = isDecimal(type) ? type : convertible[type];
    // As text, which any type can be written as; it only cannot use the index.
    if (target === undefined) {
      return { column: `CONVERT(nvarchar(max), ${column})`, value: placeholder };
    }
    return { column, value: `TRY_CONVERT(${target}, ${placeholder}${styles[type] ?? ''})` };
  },
  // Without its Z, which only a type with an offset takes; such a type takes it for UTC then.
  comparable: (value) => (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? value.slice(0, -1) : value),
  selected(column, type) {
    // The driver makes doubles of decimals: beyond 2^53 they would lose digits.
    if (isDecimal(type)) return `CONVERT(varchar(50), ${column})`;
    if (type === 'money' || type === 'smallmoney') {
      return `CONVERT(varchar(50), CONVERT(decimal(19,4), ${column}))`;
    }
    if (type === rowVersion) return `CONVERT(varchar(20), CONVERT(bigint, ${column}))`;
    if (type === 'sql_variant') return `CONVERT(nvarchar(4000), ${column})`;
    return column;
  },
  beginning(column, type, characters) {
    if (/^n?(var)?char$|^n?text$/.test(type)) return `SUBSTRING(${column}, 1, ${characters})`;
    if (type !== 'xml') return this.selected(column, type);
    return `SUBSTRING(CONVERT(nvarchar(max), ${column}), 1, ${characters})`;
  },
  converted(placeholder, type) {
    if (integers.has(type)) return `CONVERT(bigint, ${placeholder})`;
    if (type === rowVersion) return asRowVersion(placeholder);
    const target = isDecimal(type) ? type : convertible[type];
    if (target === undefined) return placeholder;
    // To the column's own type: a DATETIME compared with a finer type is never equal to its text.
    const style = type === 'datetimeoffset' ? ', 126' : (styles[type] ?? '');
    return `CONVERT(${target}, ${placeholder}${style})`;
  },
  limited: (select, count) => select.replace(/^SELECT /, `SELECT TOP (${count}) `),
  isBinary: (type) => /^(binary|varbinary|image|geography|geometry|hierarchyid)$/.test(type),
  product: `SELECT 'SQL Server ' + CONVERT(nvarchar(40), SERVERPROPERTY('ProductVersion'))`,
  tables:
    'SELECT TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLES ' +
    `ORDER BY ${defaultFirst}, TABLE_NAME`,
  columns: (count) =>
    'SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ' +
    `CASE WHEN DATA_TYPE IN ('decimal', 'numeric') ` +
    `THEN CONCAT(DATA_TYPE, '(', NUMERIC_PRECISION, ',', NUMERIC_SCALE, ')') ` +
    'ELSE DATA_TYPE END ' +
    'FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME IN ' +
    `(${places(count)}) ` +
    `ORDER BY ${defaultFirst}, TABLE_NAME, ORDINAL_POSITION`,
  keys: (count) =>
    'SELECT k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, ' +
    `CASE c.CONSTRAINT_TYPE WHEN 'PRIMARY KEY' THEN 'P' ELSE 'U' END, k.COLUMN_NAME ` +
    'FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c ' +
    'ON c.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = k.CONSTRAINT_NAME ' +
    `WHERE c.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE') AND k.TABLE_NAME IN (${places(count)}) ` +
    'ORDER BY k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION',
  foreignKeys: (count) =>
    'SELECT k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, o.TABLE_SCHEMA, ' +
    'o.TABLE_NAME, o.COLUMN_NAME FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS AS r ' +
    'JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k ON k.CONSTRAINT_SCHEMA = r.CONSTRAINT_SCHEMA ' +
    'AND k.CONSTRAINT_NAME = r.CONSTRAINT_NAME JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS o ' +
    'ON o.CONSTRAINT_SCHEMA = r.UNIQUE_CONSTRAINT_SCHEMA ' +
    'AND o.CONSTRAINT_NAME = r.UNIQUE_CONSTRAINT_NAME AND o.ORDINAL_POSITION = k.ORDINAL_POSITION ' +
    `WHERE k.TABLE_NAME IN (${places(count)}) ` +
    'ORDER BY k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION',
  rowCounts: (count) =>
    'SELECT s.name, t.name, SUM(p.rows) FROM sys.tables AS t ' +
    'JOIN sys.schemas AS s ON s.schema_id = t.schema_id ' +
    'JOIN sys.partitions AS p ON p.object_id = t.object_id AND p.index_id IN (0, 1) ' +
    `WHERE t.name IN (${places(count)}) GROUP BY s.name, t.name`,
  // Compared code by code: under the default collation INV-1 and inv-1 would be one document.
  createSideTable: (table) =>
    `CREATE TABLE ${table} (` +
    `source_ref nvarchar(512) ${exact} NOT NULL PRIMARY KEY NONCLUSTERED, ` +
    'invoice_id nvarchar(128) NOT NULL, status nvarchar(32) NOT NULL, ' +
    'profile nvarchar(64) NOT NULL, uin nvarchar(256), validation_url nvarchar(2048), ' +
    'settled_at nvarchar(32) NOT NULL, cancellable_until nvarchar(32), ' +
    `idempotency_key nvarchar(255) ${exact} NOT NULL UNIQUE)`,
  createTable: (table, columns, primaryKey) => {
    const list = columnList({ quote }, columns, primaryKey, ({ holds }) => {
      if (holds === 'decimal') return 'decimal(30,10)';
      return holds === 'long' ? 'nvarchar(max)' : `nvarchar(${holds})`;
    });
    return `CREATE TABLE ${table} ${list}`;
  },
  lock: { afterTable: ' WITH (UPDLOCK, HOLDLOCK)', atEnd: '' },
};

const exact = 'COLLATE Latin1_General_100_BIN2';

function asRowVersion(placeholder: string): string {
  return `CONVERT(binary(8), CONVERT(bigint, ${placeholder}))`;
}
