import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeKey } from '../auth/api-key.ts';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }));
  return lines.join('');
}

const key = makeKey('sk', 'live', randomBytes).text;
const secrets: Record<string, (log: ReturnType<typeof createLog>) => void> = {
  'an Authorization header': (log) =>
    log.info({ headers: { Authorization: `Bearer ${key}` } }, 'x'),
  'a password member, deep down': (log) => log.info({ a: [{ b: { password: key } }] }, 'x'),
  'a key in a message': (log) => log.info(`refused ${key}`),
  'a key in an error': (log) => log.error({ err: new Error(`refused ${key}`) }, 'x'),
  'a key in the cause of an error': (log) => log.error(new Error('x', { cause: new Error(key) })),
  'a key in a child logger': (log) => log.child({ note: key }).info('x'),
  'a password in a connection string': (log) => log.info(`postgres://me:${key}@db/x`),
  'a signing secret': (log) => log.info({ note: `whsec_${key.slice(-40)}` }),
  'a token': (log) => log.info(`eyJhbGciOiJFZERTQSJ9.${key}.${key}`),
};

test.each(Object.entries(secrets))('%s never reaches the log', (_, write) => {
  const text = logged(write);
  expect(text).toContain('[masked]');
  expect(text).not.toContain(key.slice(-20));
});

test('what is no secret stays readable, one JSON object a line', () => {
  const text = logged((log) => log.info({ invoiceId: 'inv_1', at: new Date(0), n: 2 }, 'accepted'));
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    invoiceId: 'inv_1',
    at: '1970-01-01T00:00:00.000Z',
    n: 2,
    msg: 'accepted',
  });
  expect(text.trim().split('\n')).toHaveLength(1);
});
