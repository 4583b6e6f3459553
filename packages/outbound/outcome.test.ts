import { expect, test } from 'vitest';
import { type Certainty, certaintyByPhase, codeOf, type Phase } from './outcome.ts';

test.each<[Phase, Certainty]>([
  ['address', 'unsent'],
  ['resolve', 'unsent'],
  ['connect', 'unsent'],
  ['tls', 'unsent'],
  ['request', 'maybe-sent'],
  ['body', 'answered'],
])('what ends in the phase %s is %s', (phase, certainty) => {
  expect(certaintyByPhase[phase]).toBe(certainty);
});

test.each([
  [Object.assign(new Error('secret'), { code: 'EPIPE' }), 'EPIPE'],
  [Object.assign(new AggregateError([{ code: 'ECONNREFUSED' }]), {}), 'ECONNREFUSED'],
  [new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }), 'ENOTFOUND'],
  [new DOMException('timed out', 'TimeoutError'), 'TimeoutError'],
  ['text', 'unknown'],
  [undefined, 'unknown'],
])('the code of %s is %s, never its message', (error, code) => {
  expect(codeOf(error)).toBe(code);
});
