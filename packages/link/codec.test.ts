import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFromAgent, decodeFromControlPlane, decodeHello, encode } from './codec.ts';
import { limits } from './limits.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('a frame that is refused', () => {
  test.each([
    { what: 'not JSON', bytes: bytesOf('{"kind":'), close: 'malformed' },
    { what: 'not UTF-8', bytes: Uint8Array.of(0x22, 0xc3, 0x28, 0x22), close: 'malformed' },
    { what: 'a byte order mark', bytes: bytesOf('\ufeff{"kind":"ping"}'), close: 'malformed' },
    { what: 'no kind', bytes: bytesOf('{}'), close: 'malformed' },
    { what: 'an array', bytes: bytesOf('[]'), close: 'malformed' },
    { what: 'null', bytes: bytesOf('null'), close: 'malformed' },
    { what: 'nested without end', bytes: bytesOf('['.repeat(900_000)), close: 'malformed' },
    { what: 'an unknown kind', bytes: bytesOf('{"kind":"shout"}'), close: 'unknown_kind' },
    { what: 'the other side’s kind', bytes: bytesOf('{"kind":"welcome"}'), close: 'unexpected' },
    { what: 'a handshake kind', bytes: bytesOf('{"kind":"hello"}'), close: 'unexpected' },
    { what: 'a field missing', bytes: bytesOf('{"kind":"ack"}'), close: 'malformed' },
    { what: 'a fraction', bytes: bytesOf('{"kind":"ack","upTo":1.5}'), close: 'malformed' },
    { what: 'zero', bytes: bytesOf('{"kind":"ack","upTo":0}'), close: 'malformed' },
    {
      what: 'too long',
      bytes: bytesOf(`"${'x'.repeat(limits.frameBytesMax)}"`),
      close: 'oversized',
    },
  ])('$what is $close', ({ bytes, close }) => {
    expect(decodeFromAgent(bytes)).toEqual({ kind: 'refused', close });
  });

  test.each([2_147_483_648, 4_294_967_296, Number.MAX_SAFE_INTEGER, 0, -1, 1.5])(
    'a call of %d ms, which no timer holds, is malformed',
    (deadlineMs) => {
      const call = { kind: 'call', id: '1', method: 'connectors.list', params: {}, deadlineMs };
      const decoded = decodeFromControlPlane(bytesOf(JSON.stringify(call)));
      expect(decoded).toEqual({ kind: 'refused', close: 'malformed' });
    },
  );

  test('a frame that is too long is not encoded', () => {
    const body = 'x'.repeat(limits.frameBytesMax);
    expect(encode({ kind: 'event', seq: 1, id: 'a', topic: 't', body })).toBeUndefined();
  });
});

test('a field that a newer peer added is ignored', () => {
  const decoded = decodeFromAgent(bytesOf('{"kind":"ack","upTo":3,"mood":"good"}'));
  expect(decoded).toEqual({ kind: 'frame', frame: { kind: 'ack', upTo: 3 } });
});

test('any frame reads back as it was written', () => {
  const id = fc.string({ minLength: 1, maxLength: 64 });
  const seq = fc.integer({ min: 1 });
  const frame = fc.oneof(
    fc.record({ kind: fc.constant('ack' as const), upTo: seq }),
    fc.record({
      kind: fc.constant('result' as const),
      id,
      part: fc.nat(),
      last: fc.boolean(),
      text: fc.string({ unit: 'binary', maxLength: 2_000 }),
    }),
    fc.record({
      kind: fc.constant('event' as const),
      seq,
      id,
      topic: id,
      body: fc.jsonValue({ noUnicodeString: false }),
    }),
  );
  fc.assert(
    fc.property(frame, (sent) => {
      const json = JSON.parse(JSON.stringify(sent)); // JSON has no minus zero
      expect(decodeFromAgent(encode(sent)!)).toEqual({ kind: 'frame', frame: json });
    }),
  );
});

test('a decoder never throws', () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map(bytesOf),
    fc.string().map((kind) => bytesOf(JSON.stringify({ kind }))),
  );
  fc.assert(
    fc.property(hostile, (bytes) => {
      for (const decode of [decodeFromAgent, decodeFromControlPlane, decodeHello]) {
        expect(['frame', 'refused']).toContain(decode(bytes).kind);
      }
    }),
  );
});
