import type { Rights, TableRight } from '../sql/rights.ts';
import { postgresDialect } from './dialect.ts';

const { quote } = postgresDialect;
const fullName = ({ schema, table }: TableRight) => `${quote(schema)}.${quote(table)}`;

/**
 * Rights of PostgreSQL, by its own functions, which count roles too. Their answer is text, in which NULL
 * says that there is no such table, and a schema that may not be entered that there is nothing.
 */
export const postgresRights: Rights = {
  who: `SELECT current_user, COALESCE(current_schema(), 'public')`,
  held(right) {
    const { privilege, column } = right;
    const has =
      column === undefined
        ? `pg_catalog.has_table_privilege(pg_catalog.to_regclass($1), $2)`
        : `pg_catalog.has_column_privilege(pg_catalog.to_regclass($1), $3, $2)`;
    return {
      text:
        `SELECT CASE WHEN pg_catalog.has_schema_privilege(n.oid, 'USAGE') THEN ${has} ELSE false END ` +
        `FROM pg_catalog.pg_namespace AS n WHERE n.nspname = $${column === undefined ? 3 : 4}`,
      values: [fullName(right), privilege, ...(column === undefined ? [] : [column]), right.schema],
      rowsMax: 1,
    };
  },
  isHeld: ([row]) => (row === undefined || row[0] == null ? undefined : row[0] === 'true'),
  creates: (schema) => ({
    text:
      // Two calls: of several privileges in one the function asks for any.
      `SELECT pg_catalog.has_schema_privilege(oid, 'CREATE') ` +
      `AND pg_catalog.has_schema_privilege(oid, 'USAGE') ` +
      'FROM pg_catalog.pg_namespace WHERE nspname = $1',
    values: [schema],
    rowsMax: 1,
  }),
  isCreating: ([row]) => row?.[0] === 'true',
  account: quote,
  login: (user) => `CREATE ROLE ${quote(user)} LOGIN PASSWORD '…'`,
  readAll: ({ reader, schema = 'public' }) => [
    `GRANT USAGE ON SCHEMA ${quote(schema)} TO ${quote(reader)}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${quote(schema)} TO ${quote(reader)}`,
  ],
  enter: (schema, user) => `GRANT USAGE ON SCHEMA ${quote(schema)} TO ${quote(user)}`,
};
