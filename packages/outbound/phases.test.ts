import { expect, test } from 'vitest';
import { ConnectError, failureOf } from './phases.ts';

test('a connection error names its own phase; others get the phase reached', () => {
  const cause = Object.assign(new Error('secret'), { code: 'ECONNRESET' });
  const failure = { phase: 'tls', code: 'ECONNRESET' } as const;
  expect(failureOf(new ConnectError(failure, cause), 'connect')).toEqual(failure);
  expect(failureOf(cause, 'request')).toEqual({ phase: 'request', code: 'ECONNRESET' });
});
