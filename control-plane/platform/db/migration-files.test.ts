import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../../../test/kit/postgres.ts';

/** Earlier files were written before the first release. */
const heldFrom = '106';
const takesAway =
  /\bdrop\s+(function|procedure|table|view|type|column)\b|\brename\s+(to|column)\b|\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i;
/** What nothing uses since an earlier release may go: the line says since which. */
const unused = /-- unused since \d+\.\d+\.\d+/;

/** Lines that take away what a running node of the version before may use. */
function linesThatTakeAway(sql: string): string[] {
  return sql.split('\n').filter((line) => takesAway.test(line) && !unused.test(line));
}

test('a migration takes nothing away that nodes of the version before use', () => {
  const names = readdirSync(migrationsFolder).filter(
    (name) => /^\d/.test(name) && name >= heldFrom,
  );
  const found = names.map((name) => {
    return [name, linesThatTakeAway(readFileSync(join(migrationsFolder, name), 'utf8'))];
  });
  expect(found.filter(([, lines]) => lines!.length > 0)).toEqual([]);
});

test.each([
  ['drop function find_contacts(text);', true],
  ['alter table contact rename column a to b;', true],
  ['alter table contact alter column n type bigint;', true],
  ['drop function find_contacts(text); -- unused since 0.2.0', false],
  ['drop index received_once;', false],
  ['alter table contact add column b text;', false],
])('%s: %s', (line, isRefused) => {
  expect(linesThatTakeAway(line)).toEqual(isRefused ? [line] : []);
});
