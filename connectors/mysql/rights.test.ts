import { expect, test } from 'vitest';
import { covers } from './rights.ts';

const right = { privilege: 'INSERT', schema: 'erp_1', table: 'einv_status' } as const;

test.each([
  ['GRANT ALL PRIVILEGES ON *.* TO `u`@`%` WITH GRANT OPTION', true],
  ['GRANT SELECT, INSERT, UPDATE ON `erp_1`.* TO `u`@`%`', true],
  ['GRANT INSERT ON `erp\\_1`.* TO `u`@`%`', true],
  ['GRANT INSERT ON `erp%`.* TO `u`@`%`', true],
  ['GRANT INSERT ON `erp_1`.`einv_status` TO `u`@`%`', true],
  ['GRANT `writers` TO `u`@`%`', true],
  ['GRANT USAGE ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD', false],
  ['GRANT SELECT, UPDATE ON `erp_1`.* TO `u`@`%`', false],
  ['GRANT INSERT ON `other`.* TO `u`@`%`', false],
  ['GRANT INSERT ON `erp\\_2`.* TO `u`@`%`', false],
  ['GRANT INSERT ON `erp.1`.* TO `u`@`%`', false],
  ['GRANT INSERT ON `erp_1`.`invoice` TO `u`@`%`', false],
  ['GRANT INSERT (`status`) ON `erp_1`.`einv_status` TO `u`@`%`', false],
  ['GRANT EXECUTE ON PROCEDURE `erp_1`.`einv_status` TO `u`@`%`', false],
])('%s lets a row be inserted: %s', (line, isHeld) => {
  expect(covers(line, right)).toBe(isHeld);
});

test.each([
  ['GRANT SELECT, UPDATE (`a`, `b`) ON `erp_1`.`invoice` TO `u`@`%`', 'b', true],
  ['GRANT SELECT, UPDATE (`a`, `b`) ON `erp_1`.`invoice` TO `u`@`%`', 'c', false],
  ['GRANT SELECT (`c`), UPDATE (`a`) ON `erp_1`.`invoice` TO `u`@`%`', 'c', false],
  ['GRANT UPDATE ON `erp_1`.`invoice` TO `u`@`%`', 'c', true],
])('%s lets the column %s be updated: %s', (line, column, isHeld) => {
  const update = { privilege: 'UPDATE', schema: 'erp_1', table: 'invoice', column } as const;
  expect(covers(line, update)).toBe(isHeld);
});

test.each([
  ['a pattern of many parts', `GRANT SELECT ON \`${'%a'.repeat(30)}%\`.* TO \`u\`@\`%\``],
  ['spaces without end', `GRANT ${' '.repeat(100_000)}! ON \`erp\`.* TO \`u\`@\`%\``],
  ['brackets without end', `GRANT ${'A('.repeat(100_000)} ON \`erp\`.* TO \`u\`@\`%\``],
  ['objects without end', `GRANT TO ${' ON '.repeat(100_000)}`],
])('a server that says %s holds nobody up', (_, line) => {
  const right = { privilege: 'SELECT', schema: `${'a'.repeat(63)}b`, table: 'inv' } as const;
  const begunAt = process.cpuUsage().user;
  covers(line, right);
  expect(process.cpuUsage().user - begunAt).toBeLessThan(1_000_000);
});
