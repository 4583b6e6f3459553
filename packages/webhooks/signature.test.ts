import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { secretOf, sign, type ToVerify, verify, verifyStandard } from './signature.ts';

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const older = secretOf(Buffer.alloc(32, 7));
const now = new Date('2026-11-20T10:00:00.123Z');
const payload =
  '{"event":"invoice.cleared","id":"inv_1","uin":"Ü-1","timestamp":"2026-11-19T00:00:00Z"}';
const signed = sign({ eventId: 'evt_1', payload, signedAt: now, secrets: [secret] });

const received = (over: Partial<ToVerify> = {}): ToVerify => ({
  body: signed.body,
  headers: signed.headers,
  secrets: [secret],
  now,
  ...over,
});

test('the body ends with a signature over "<ts>." and the bytes without that member', () => {
  const bytes = Buffer.from(signed.body);
  const suffix = bytes.subarray(-87).toString();
  const rest = Buffer.concat([bytes.subarray(0, -87), Buffer.from('}')]);
  const { ts } = JSON.parse(signed.body) as { ts: string };
  const hex = createHmac('sha256', secret).update(`${ts}.`).update(rest).digest('hex');
  expect(suffix).toBe(`,"signature":"sha256=${hex}"}`);
  expect(ts).toBe('2026-11-20T10:00:00.123Z');
  expect(Object.keys(JSON.parse(signed.body) as object).slice(-2)).toEqual(['ts', 'signature']);
  expect(signed.headers['x-signature']).toBe(`sha256=${hex}`);
  expect(signed.headers['x-signature-timestamp']).toBe(ts);
});

test('the golden vector of Standard Webhooks', () => {
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1763600000',
    'webhook-signature': 'v1,qLkREFdx4EMlC5ryX4xnEM2pLLkYY9WwqtDst8BoW7k=',
  };
  const body =
    '{"type":"message.delivered","timestamp":"2026-11-20T00:00:00Z","data":{"id":"msg_1"}}';
  const at = new Date(1_763_600_000_000);
  expect(verifyStandard({ body, headers, secrets: [secret], now: at }).kind).toBe('verified');
  const altered = body.replace('msg_1', 'msg_2');
  expect(verifyStandard({ body: altered, headers, secrets: [secret], now: at })).toEqual({
    kind: 'refused',
    reason: 'mismatch',
  });
});

test('the Standard Webhooks package accepts what we sign, by each live secret', () => {
  const at = new Date();
  const both = sign({ eventId: 'evt_2', payload, signedAt: at, secrets: [secret, older] });
  for (const key of [secret, older]) {
    expect(new Webhook(key).verify(both.body, { ...both.headers })).toMatchObject({ id: 'inv_1' });
  }
  const stranger = new Webhook(secretOf(Buffer.alloc(32, 9)));
  expect(() => stranger.verify(both.body, { ...both.headers })).toThrow();
});

test.each<[string, ToVerify, string]>([
  ['as sent', received(), 'verified'],
  ['as bytes', received({ body: Buffer.from(signed.body) }), 'verified'],
  ['by the body alone', received({ headers: {} }), 'verified'],
  ['at the edge of the window', received({ now: new Date(now.getTime() + 300_000) }), 'verified'],
  ['one of several secrets', received({ secrets: [older, secret] }), 'verified'],
  ['too old', received({ now: new Date(now.getTime() + 300_001) }), 'stale'],
  ['from the future', received({ now: new Date(now.getTime() - 300_001) }), 'stale'],
  ['another secret', received({ secrets: [older] }), 'mismatch'],
  ['no secret', received({ secrets: [] }), 'mismatch'],
  ['changed', received({ body: signed.body.replace('inv_1', 'inv_2') }), 'mismatch'],
  ['respaced', received({ body: signed.body.replace('","id"', '", "id"') }), 'mismatch'],
  ['no signature', received({ body: payload }), 'malformed'],
  ['no JSON', received({ body: `x${signed.body}` }), 'malformed'],
  ['a list', received({ body: signed.body.replace(/^\{.*?,"ts"/, '[1],"ts"') }), 'malformed'],
])('the check of a receiver: %s', (_, request, expected) => {
  const verdict = verify(request);
  expect(verdict.kind === 'refused' ? verdict.reason : verdict.kind).toBe(expected);
});

test('with two live secrets the body has the newer digest and the header has both', () => {
  const both = sign({ eventId: 'evt_1', payload, signedAt: now, secrets: [secret, older] });
  const got = (headers: ToVerify['headers'], secrets: string[]) =>
    verify({ body: both.body, ...(headers ? { headers } : {}), secrets, now }).kind;
  expect(got(undefined, [secret])).toBe('verified');
  expect(got(both.headers, [older])).toBe('verified');
  expect(got(undefined, [older])).toBe('refused');
});

test('any signed payload verifies, and no change of it does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (id, at) => {
      const { body } = sign({
        eventId: 'evt_1',
        payload: JSON.stringify({ event: 'x', id, signature: id }),
        signedAt: now,
        secrets: [secret],
      });
      const bytes = Buffer.from(body);
      const request = { secrets: [secret], now };
      expect(verify({ ...request, body: bytes }).kind).toBe('verified');
      bytes[at % bytes.length]! ^= 1;
      expect(verify({ ...request, body: bytes }).kind).toBe('refused');
    }),
  );
});
