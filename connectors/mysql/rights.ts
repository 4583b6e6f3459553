import type { Rights, TableRight } from '../sql/rights.ts';
import { mysqlDialect } from './dialect.ts';

const { quote } = mysqlDialect;
const grantsOfUser = { text: 'SHOW GRANTS', values: [], rowsMax: 1_000 };

/** Rights of MySQL and MariaDB: read from SHOW GRANTS, which tells those of active roles too. */
export const mysqlRights: Rights = {
  who: 'SELECT CURRENT_USER(), DATABASE()',
  held: () => grantsOfUser,
  isHeld: (rows, right) => rows.some(([line]) => covers(line ?? '', right)),
  creates: () => grantsOfUser,
  isCreating: (rows, schema) =>
    rows.some(([line]) => covers(line ?? '', { privilege: 'CREATE', schema })),
  account(user) {
    const at = user.lastIndexOf('@');
    const [name, host] = at < 0 ? [user, '%'] : [user.slice(0, at), user.slice(at + 1)];
    return `${quote(name)}@${quote(host)}`;
  },
  readAll: ({ reader, database }) => [
    `GRANT SELECT ON ${quote(database)}.* TO ${mysqlRights.account(reader)}`,
  ],
  login: (user) => `CREATE USER ${mysqlRights.account(user)} IDENTIFIED BY '…'`,
};

/** Whether a line of SHOW GRANTS gives the right. */
export function covers(
  line: string,
  right: TableRight | { readonly privilege: 'CREATE'; readonly schema: string },
): boolean {
  const [, privileges, object] = /^GRANT (.+?) ON (?:TABLE )?(\S.*?) TO /.exec(line) ?? [];
  // A role. Not every server tells what it holds; what is not known is not said to be lacking.
  if (privileges === undefined || object === undefined) return true;
  const table = 'table' in right ? right.table : undefined;
  if (!isObject(object, right.schema, table)) return false;
  return (privileges.match(/[A-Z ]+(?:\([^)]*\))?/g) ?? []).some((one) => {
    const [, name = '', columns] = /^\s*([A-Z ]+?)\s*(?:\((.*)\))?\s*$/.exec(one) ?? [];
    if (columns === undefined) return /^ALL/.test(name) || name === right.privilege;
    const column = 'column' in right ? right.column : undefined;
    return name === right.privilege && column !== undefined && columns.includes(quote(column));
  });
}

/** Whether `*.*`, a database (a pattern: `erp%`), or a table holds the table. */
function isObject(object: string, schema: string, table: string | undefined): boolean {
  if (object === '*.*') return true;
  const [, database = '', name = ''] = /^`((?:[^`]|``)*)`\.(.*)$/.exec(object) ?? [];
  if (name !== '*') return database === schema && table !== undefined && name === quote(table);
  const pattern = database
    .replaceAll('``', '`')
    .replace(/\\([%_])|([%_])|([.*+?^${}()|[\]\\])/g, asPattern);
  return new RegExp(`^${pattern}$`).test(schema);
}

function asPattern(all: string, escaped?: string, wildcard?: string): string {
  if (escaped !== undefined) return escaped;
  if (wildcard !== undefined) return wildcard === '%' ? '.*' : '.';
  return `\\${all}`;
}
