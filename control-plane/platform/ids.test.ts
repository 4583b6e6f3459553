import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIdAt, idPattern, instantOf, newId, newIds, newUuid } from './ids.ts';

test('an id is its prefix and 26 characters that the pattern accepts', () => {
  const id = newId(
    'inv',
    () => new Date(0),
    () => new Uint8Array(10).fill(255),
  );
  expect(id).toBe('inv_0000000000zzzzzzzzzzzzzzzz');
  expect(id).toMatch(idPattern('inv'));
  expect('inv_0000000000zzzzzzzzzzzzzzzl').not.toMatch(idPattern('inv'));
  expect(id.replace('inv', 'cnx')).not.toMatch(idPattern('inv'));
});

test('ids made together are all different and of one instant', () => {
  const at = () => new Date(1_000_000);
  const ids = newIds('con', at, randomBytes, 1_000);
  expect(new Set(ids).size).toBe(1_000);
  const [time] = newId('con', at, randomBytes).match(/^con_.{10}/)!;
  expect(ids.every((id) => idPattern('con').test(id) && id.startsWith(time))).toBe(true);
});

test.each([0, 1, 1_700_000_000_123, 2 ** 48 - 1])('an id tells when it was made: %d', (ms) => {
  const at = new Date(ms);
  expect(instantOf(newId('evt', () => at, randomBytes))).toEqual(at);
});

test('ids and uuids made later sort later, as text', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 47 }),
      fc.integer({ min: 1, max: 2 ** 40 }),
      (at, by) => {
        for (const make of [newUuid, newId.bind(undefined, 'x')]) {
          const early = make(() => new Date(at), randomBytes);
          const late = make(() => new Date(at + by), randomBytes);
          expect(early < late).toBe(true);
        }
      },
    ),
  );
});

test('a uuid is version 7 and carries its time', () => {
  const uuid = newUuid(() => new Date('2026-01-01T00:00:00Z'), randomBytes);
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 0, 1));
});

test('the ids of an instant begin at its first, and none of the instant before reaches it', () => {
  const instant = new Date(1_795_250_123_456);
  const first = firstIdAt('msg', instant);
  expect(first).toMatch(idPattern('msg'));
  expect(first <= newId('msg', () => instant, randomBytes)).toBe(true);
  const before = new Date(instant.getTime() - 1);
  const last = newId(
    'msg',
    () => before,
    (size) => new Uint8Array(size).fill(255),
  );
  expect(last < first).toBe(true);
});

test('no id is before the first of an instant before 1970', () => {
  expect(firstIdAt('evt', new Date('1900-01-01T00:00:00Z'))).toBe(`evt_${'0'.repeat(26)}`);
});
