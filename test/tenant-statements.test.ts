/**
 * Reads the SQL in the control plane's TypeScript, and refuses a statement on a tenant's table that
 * does not name the tenant. Row-level security hides the rows of others anyway; this makes each
 * statement use the keys, which begin with the tenant, and correct without that protection.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Statements whose conditions are composed elsewhere, by file and table. */
const exceptions: Readonly<Record<string, string>> = {
  'control-plane/messaging/team-inbox/messages/call-store.ts inbox_call':
    'its conditions are a list that begins with the tenant',
  'control-plane/messaging/team-inbox/conversations/store.ts conversation':
    'its conditions are a list that begins with the tenant; a saved row is found by unnest',
};

const schema = readFileSync(join(root, 'control-plane/migrations/schema.sql'), 'utf8');
const tenantTables = new Set(
  [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n {2}tenant_id uuid not null/gm)].map(
    ([, name]) => name!,
  ),
);

interface Offence {
  readonly table: string;
  readonly statement: string;
}

/** References to tenants' tables in statements of a file that do not name the tenant. */
function offencesOf(source: string): Offence[] {
  const constants = new Map(
    [...source.matchAll(/const (\w+) =\s*(`[^`]*`|'[^'\n]*')/g)].map(
      ([, name, text]) => [name!, text!.slice(1, -1)] as const,
    ),
  );
  return literalsOf(source).flatMap((literal) => {
    const sql = literal.replace(/\$\{(\w+)\}/g, (all, name) => constants.get(name) ?? all);
    return [...sql.matchAll(/\b(from|join|update|into|using)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/g)]
      .filter(([, , table]) => tenantTables.has(table!))
      .filter((match) => !namesTenant(sql, match))
      .map(([, , table]) => ({ table: table!, statement: sql.replace(/\s+/g, ' ').slice(0, 160) }));
  });
}

/**
 * The string literals of a program. A template's expressions are left out of it and read
 * separately.
 */
function literalsOf(source: string): string[] {
  let code = source.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const found: string[] = [];
  // From the innermost outwards; plain names stay, because they may be constants.
  const template = /`((?:[^`\\$]|\\.|\$(?!\{)|\$\{\w+\})*)`/g;
  const expression = /\$\{(?!\w+\})[^{}`]*\}/g;
  for (let before = ''; before !== code; ) {
    before = code;
    code = code.replace(expression, '$1').replace(template, (_, text: string) => {
      found.push(text);
      return "''";
    });
  }
  return [...found, ...[...code.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(([, text]) => text!)];
}

const compared = String.raw`tenant_id\b\s*(=|in\b|,[^()]*\)\s*(=|in\b))`;

function namesTenant(sql: string, match: RegExpExecArray): boolean {
  const [, verb, table, word] = match;
  if (verb === 'into') {
    const [, target = 'tenant_id'] = /on conflict\s*\(([^)]*)/.exec(sql) ?? [];
    return sql.includes('tenant_id') && target.startsWith('tenant_id');
  }
  const scope = scopeAt(sql, match.index);
  const name = word === undefined || keywords.has(word) ? table! : word;
  return [
    String.raw`(?<![\w.])${name}\.${compared}`,
    String.raw`= ${name}\.tenant_id\b`,
    String.raw`(?<![\w.])${compared}`,
    String.raw`using \(tenant_id\b`,
  ].some((pattern) => new RegExp(pattern).test(scope));
}

const keywords = new Set(
  'set where on using join left inner cross group order limit for values select'.split(' '),
);

/** The statement at a position: up to the brackets around it, without nested statements. */
function scopeAt(sql: string, at: number): string {
  let begin = at;
  for (let depth = 0; begin > 0; begin -= 1) {
    const letter = sql[begin - 1];
    if (letter === ')') depth += 1;
    else if (letter === '(' && depth === 0) break;
    else if (letter === '(') depth -= 1;
  }
  let text = '';
  for (let end = begin; end < sql.length && sql[end] !== ')'; end += 1) {
    text += sql[end];
    if (sql[end] !== '(') continue;
    const close = closingOf(sql, end);
    const inner = sql.slice(end + 1, close);
    text += /^\s*(select|with|insert|update|delete)\b/.test(inner) ? ')' : `${inner})`;
    end = close;
  }
  return text;
}

function closingOf(sql: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1;
    else if (sql[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return sql.length;
}

test('each statement on a table of tenants names the tenant', () => {
  expect(tenantTables.size).toBeGreaterThan(60);
  const folder = join(root, 'control-plane');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .filter((path) => !/\.(test|kit|suite|fixture)\.ts$/.test(path));
  const found = files.flatMap((path) =>
    offencesOf(readFileSync(join(folder, path), 'utf8'))
      .map((offence) => ({ where: `control-plane/${path} ${offence.table}`, ...offence }))
      .filter(({ where }) => !(where in exceptions)),
  );
  expect(found).toEqual([]);
});

test.each([
  ["'select id from message where id = $1'", ['message']],
  ["'select id from message where tenant_id = $1 and id = $2'", []],
  ["'update message set id = $1 where id = any (array(select id from due))'", ['message']],
  [
    '`with due as (select id from message where tenant_id = $1) update message set x = 1`',
    ['message'],
  ],
  [
    "'select 1 from message m join broadcast b on b.id = m.broadcast_id where m.tenant_id = $1'",
    ['broadcast'],
  ],
  [
    "'insert into message (tenant_id, id) values ($1, $2) on conflict (id) do nothing'",
    ['message'],
  ],
])('%s', (source, tables) => {
  expect(offencesOf(source).map(({ table }) => table)).toEqual(tables);
});
