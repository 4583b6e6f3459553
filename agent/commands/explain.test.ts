import { expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { errors } from '../errors.ts';

/** Does not exist: a rule is explained on a host that has no agent yet. */
const noHome = '/nonexistent/drawbridge';

const explain = (...args: string[]) => runCommand(noHome, ['explain', ...args]);

test('a rule is explained in plain words, with its fields', async () => {
  const { code, stdout, stderr } = await explain('PINT-AE-ibr-132-ae');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^PINT-AE-ibr-132-ae {2}fatal\n/);
  expect(stdout).toMatch(/^Why .*\n(.*\n)*Fix .*100123456700003(.*\n)*ERP .*\n(.*\n)*Fields /m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('--json has the parts by name', async () => {
  const { stdout } = await explain('PINT-MY-XSD-value', '--json');
  expect(JSON.parse(stdout)).toEqual({
    rule: 'PINT-MY-XSD-value',
    profile: 'PINT-MY',
    why: expect.any(String),
    fix: expect.any(String),
    erp: expect.any(String),
    fields: [],
  });
});

test('an error code of this program is explained too', async () => {
  const { code, stdout } = await explain('err_drawbridge_2001', '--json');
  expect(code).toBe(0);
  const { code: number, exit, next } = errors.not_enrolled;
  expect(JSON.parse(stdout)).toEqual({ code: number, name: 'not_enrolled', fix: next, exit });
});

test.each([
  ['ibr-132', 'PINT-AE-ibr-132-ae'],
  ['BIS-3.0-BR-CO-51', 'BIS-3.0-BR-CO-15'],
  ['ERR_DRAWBRIDGE_2091', 'ERR_DRAWBRIDGE_2001'],
])('for the unknown id %s, %s is suggested', async (id, meant) => {
  const { code, stdout, stderr } = await explain(id, '--json');
  expect(code).toBe(4);
  const { error } = JSON.parse(stdout);
  expect(error).toMatchObject({ code: 'ERR_DRAWBRIDGE_4004', cause: expect.stringContaining(id) });
  expect(error.suggestions).toContain(meant);
  expect(stderr).toContain(meant);
});

test('an unknown id gets no suggestion, and its control characters are not printed', async () => {
  const { code, stderr } = await explain('\u001b[31mquite another thing');
  expect(code).toBe(4);
  expect(stderr).not.toContain('Perhaps');
  expect(stderr).not.toContain('\u001b');
});
