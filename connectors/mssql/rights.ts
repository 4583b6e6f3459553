import type { Rights } from '../sql/rights.ts';
import { mssqlDialect } from './dialect.ts';

const { quote } = mssqlDialect;

/** Rights of SQL Server, by HAS_PERMS_BY_NAME, which counts roles and denials too. */
export const mssqlRights: Rights = {
  who: 'SELECT USER_NAME(), SCHEMA_NAME()',
  held({ privilege, schema, table, column }) {
    const name = `${quote(schema)}.${quote(table)}`;
    const text =
      column === undefined
        ? `SELECT HAS_PERMS_BY_NAME(@p1, 'OBJECT', @p2)`
        : `SELECT HAS_PERMS_BY_NAME(@p1, 'OBJECT', @p2, @p3, 'COLUMN')`;
    const values = [name, privilege, ...(column === undefined ? [] : [column])];
    return { text, values, rowsMax: 1 };
  },
  isHeld: ([row]) => (row?.[0] == null ? undefined : row[0] === '1'),
  creates: (schema) => ({
    text:
      `SELECT HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'CREATE TABLE'), ` +
      `HAS_PERMS_BY_NAME(@p1, 'SCHEMA', 'ALTER')`,
    values: [quote(schema)],
    rowsMax: 1,
  }),
  isCreating: ([row]) => row?.[0] === '1' && row[1] === '1',
  account: quote,
  login: (user) =>
    `CREATE LOGIN ${quote(user)} WITH PASSWORD = '…'; CREATE USER ${quote(user)} FOR LOGIN ${quote(user)}`,
  readAll: ({ reader, schema = 'dbo' }) => [
    `GRANT SELECT ON SCHEMA::${quote(schema)} TO ${quote(reader)}`,
  ],
  ifMissing: (table, create) =>
    `IF OBJECT_ID(N'${table.replaceAll("'", "''")}', N'U') IS NULL ${create}`,
};
