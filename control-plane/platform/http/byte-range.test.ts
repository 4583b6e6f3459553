import { expect, test } from 'vitest';
import { type Wanted, wantedOf } from './byte-range.ts';

const file = { bytes: 1_000, etag: '"abc"' };
const part = (first: number, last: number): Wanted => ({ kind: 'part', first, last });
const whole: Wanted = { kind: 'whole' };
const beyond: Wanted = { kind: 'beyond' };

test.each<[string, Wanted]>([
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-', part(0, 999)],
  ['Bytes = 10 - 19', part(10, 19)],
  ['bytes=990-2000', part(990, 999)],
  ['bytes=-10', part(990, 999)],
  ['bytes=-5000', part(0, 999)],
  ['bytes=1000-', beyond],
  ['bytes=-0', beyond],
  ['bytes=20-10', whole],
  ['bytes=0-1,5-6', whole],
  ['bytes=-', whole],
  ['bytes=a-b', whole],
  ['lines=0-1', whole],
  ['bytes=99999999999999999999-', whole],
])('%s of a thousand bytes', (range, wanted) => {
  expect(wantedOf({ range }, file)).toEqual(wanted);
});

test('of an empty file no byte can be asked for', () => {
  expect(wantedOf({ range: 'bytes=0-' }, { ...file, bytes: 0 })).toEqual(beyond);
});

test.each<[object, Wanted]>([
  [{ 'if-none-match': '"abc"' }, { kind: 'unchanged' }],
  [{ 'if-none-match': 'W/"x", W/"abc"' }, { kind: 'unchanged' }],
  [{ 'if-none-match': '*' }, { kind: 'unchanged' }],
  [{ 'if-none-match': '"other"' }, whole],
  [{ range: 'bytes=0-1', 'if-range': '"abc"' }, part(0, 1)],
  [{ range: 'bytes=0-1', 'if-range': '"other"' }, whole],
  [{ range: 'bytes=0-1', 'if-range': 'W/"abc"' }, whole],
])('under %j', (headers, wanted) => {
  expect(wantedOf(headers, file)).toEqual(wanted);
});
