import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedaction } from './redaction.ts';

const secret = fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' });
const word = fc.string({ maxLength: 30, unit: 'grapheme' });

/** Where a known secret can stand in what is logged. */
const places: readonly ((secret: string) => string)[] = [
  (value) => value,
  (value) => `connect failed: access denied for ${value}@db`,
  (value) => JSON.stringify({ settings: { host: 'db', key: value } }),
  (value) => JSON.stringify(JSON.stringify({ nested: value })),
  (value) => `Error: ${JSON.stringify(value)} is refused`,
  (value) => `GET /v1?${new URLSearchParams([['q', value]])} failed`,
  (value) => `GET /v1/${encodeURIComponent(value)} failed`,
  (value) => `x-key: ${Buffer.from(value).toString('base64')}`,
  (value) => `key ${Buffer.from(value).toString('hex')}`,
  (value) => `wss://agent:${encodeURIComponent(value)}@proxy.example.com:3128/link`,
];

/** Every form in which a reader could get it back. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const inJson = JSON.stringify(value).slice(1, -1);
  return [
    value,
    inJson,
    encodeURIComponent(value),
    bytes.toString('base64'),
    bytes.toString('hex'),
  ];
}

test('a known secret does not come out, wherever it stands and however it is written', () => {
  const parts = fc.array(fc.tuple(word, fc.nat(places.length - 1), fc.nat(3)), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), parts, (secrets, planted) => {
      const text = planted
        .map(([before, place, at]) => before + places[place]!(secrets[at % secrets.length]!))
        .join(' ');
      const redacted = createRedaction(secrets)(text);
      for (const form of secrets.flatMap(formsOf)) {
        if (!'***'.includes(form)) expect(redacted).not.toContain(form);
      }
    }),
    { numRuns: 300 },
  );
});

/** Letters and signs that passwords, tokens and headers are made of. */
const stranger = fc
  .string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...'abcXYZ0189-._~!$()+@:') })
  .filter((text) => /[a-z]{2}/i.test(text));

test.each([
  ['an address', (value: string) => `dial ws://me:${value}@host.example.com/x failed`],
  ['an address with a token only', (value: string) => `dial wss://${value}@host.example.com/x`],
  ['a header', (value: string) => `Authorization: Bearer ${value}`],
  ['another header', (value: string) => `x-api-key: ${value}`],
  ['a query', (value: string) => `GET /a?b=c&access_token=${encodeURIComponent(value)}&d=e`],
  ['a setting', (value: string) => `password=${value} host=db`],
  ['JSON', (value: string) => JSON.stringify({ user: 'me', client_secret: value })],
  ['a driver’s text', (value: string) => `FATAL: password: ${value}`],
])('of %s that nobody knows, the secret does not come out either', (_, place) => {
  const redact = createRedaction([]);
  fc.assert(
    fc.property(stranger, (value) => {
      expect(redact(place(value))).not.toContain(value);
    }),
    { numRuns: 200 },
  );
});

test('what is no secret stays', () => {
  const redact = createRedaction(['hunter2']);
  const line = 'redialling: connect ECONNREFUSED 127.0.0.1:443; dialling again in 812 ms';
  expect(redact(line)).toBe(line);
  expect(redact('the password of https://example.com/a?b=c is hunter2.')).toBe(
    'the password of https://example.com/a?b=c is ***.',
  );
});
