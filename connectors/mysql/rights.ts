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
  const { privileges, object } = partsOf(line);
  // A role. Not every server tells what it holds; what is not known is not said to be lacking.
  if (privileges === undefined || object === undefined) return true;
  const table = 'table' in right ? right.table : undefined;
  if (!isObject(object, right.schema, table)) return false;
  return listed(privileges).some((one) => {
    const open = one.indexOf('(');
    const name = (open < 0 ? one : one.slice(0, open)).trim();
    if (open < 0) return name.startsWith('ALL') || name === right.privilege;
    const column = 'column' in right ? right.column : undefined;
    return name === right.privilege && column !== undefined && one.includes(quote(column), open);
  });
}

/** What is granted, and of what. By hand, as a server may say lines over which a pattern would sit for ever. */
function partsOf(line: string): { readonly privileges?: string; readonly object?: string } {
  const on = line.indexOf(' ON ');
  const to = line.indexOf(' TO ', on);
  if (!line.startsWith('GRANT ') || on < 0 || to < 0) return {};
  const privileges = line.slice('GRANT '.length, on);
  return { privileges, object: line.slice(on + ' ON '.length, to).replace(/^TABLE /, '') };
}

/** The items of a list, whose commas within parentheses are of one item. */
function listed(text: string): string[] {
  const items = [''];
  let isWithin = false;
  for (const sign of text) {
    if (sign === '(') isWithin = true;
    if (sign === ')') isWithin = false;
    if (sign === ',' && !isWithin) items.push('');
    else items[items.length - 1] += sign;
  }
  return items;
}

/** Whether `*.*`, a database (a pattern: `erp%`), or a table holds the table. */
function isObject(object: string, schema: string, table: string | undefined): boolean {
  if (object === '*.*') return true;
  const [, database = '', name = ''] = /^`((?:[^`]|``)*)`\.(.*)$/.exec(object) ?? [];
  if (name !== '*') return database === schema && table !== undefined && name === quote(table);
  return isLike(schema, database.replaceAll('``', '`'));
}

/** Whether a name is LIKE a pattern, of which % is any text and _ any sign, in at most as many steps as name times pattern. */
function isLike(name: string, pattern: string): boolean {
  const signs = pattern.match(/\\[%_]|./gs) ?? [];
  const isSign = (sign: string | undefined, of: string | undefined) =>
    sign === '_' || (sign !== '%' && sign?.slice(-1) === of);
  let [at, place] = [0, 0];
  // Where the last % stands, and up to where it goes.
  let any: { readonly at: number; to: number } | undefined;
  while (place < name.length) {
    if (isSign(signs[at], name[place])) {
      at += 1;
      place += 1;
    } else if (signs[at] === '%') {
      any = { at, to: place };
      at += 1;
    } else if (any !== undefined) {
      any.to += 1;
      at = any.at + 1;
      place = any.to;
    } else return false;
  }
  return signs.slice(at).every((sign) => sign === '%');
}
