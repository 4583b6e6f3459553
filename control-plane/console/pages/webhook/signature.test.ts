import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkSignature } from './signature.ts';

const secret = 'whsec_4Tq0';
const at = '2026-11-24T01:00:00.000Z';
const unsigned = `{"event":"invoice.cleared","id":"inv_1","ts":"${at}"}`;
const digest = createHmac('sha256', secret).update(`${at}.${unsigned}`).digest('hex');
const body = `${unsigned.slice(0, -1)},"signature":"sha256=${digest}"}`;

test.each([
  ['as it came', body, secret, at, { kind: 'genuine', sentAt: at, isOld: false }],
  ['six minutes later', body, secret, '2026-11-24T01:06:00Z', { kind: 'genuine', isOld: true }],
  ['with another secret', body, 'whsec_other', at, { kind: 'other_secret' }],
  ['with a byte changed', body.replace('cleared', 'cleaned'), secret, at, { kind: 'other_secret' }],
  ['formatted anew', JSON.stringify(JSON.parse(body), null, 2), secret, at, { kind: 'unsigned' }],
  ['no JSON', '<b>hello</b>', secret, at, { kind: 'unsigned' }],
])('a body %s', async (_, text, key, now, verdict) => {
  expect(await checkSignature(text, key, new Date(now))).toMatchObject(verdict);
});
