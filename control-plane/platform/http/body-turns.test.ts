import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { BytesUnderWay } from '../limits/bytes-under-way.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { BodyReservation } from './body-reservation.ts';
import { bodyTurns, dropRest } from './body-turns.ts';
import { readJson } from './json-body.ts';

const pieces = 8;
const pieceBytes = 10_000;

/** A body of white space that is all there already; notes each piece as it is taken. */
function bodyOf(taken: string[], name: string): IncomingMessage {
  async function* arriving() {
    for (let at = 0; at < pieces; at += 1) {
      taken.push(name);
      yield Buffer.alloc(pieceBytes, ' ');
    }
  }
  const headers = {
    'content-type': 'application/json',
    'content-length': String(pieces * pieceBytes),
  };
  return Object.assign(Readable.from(arriving(), { highWaterMark: 1 }), {
    headers,
  }) as unknown as IncomingMessage;
}

const bytesMax = pieces * pieceBytes;
const bodies = new BytesUnderWay({ tenantMax: 4 * bytesMax, allMax: 8 * bytesMax });

async function read(request: IncomingMessage, tenantId: string): Promise<void> {
  const reservation = new BodyReservation(bodies, tenantId, createMetrics().loadRefusals);
  const turn = () => bodyTurns.next(tenantId);
  await readJson(request, { bytesMax, valuesMax: 1 }, reservation, turn).catch(() => {});
}

test.each([
  ['read', read],
  ['dropped', dropRest],
])(
  'large bodies that are %s have a turn of the loop for each piece, however many there are',
  async (_, take) => {
    const taken: string[] = [];
    let mostInTurn = 0;
    let before = 0;
    let isOver = false;
    const look = () => {
      mostInTurn = Math.max(mostInTurn, taken.length - before);
      before = taken.length;
      if (!isOver) setImmediate(look);
    };
    const all = ['a', 'a', 'a', 'b'].map((name) => take(bodyOf(taken, name), name));
    // Each body has its first piece taken, and the next two are on their way, when the turns begin.
    await new Promise(setImmediate);
    before = taken.length;
    setImmediate(look);
    await Promise.all(all);
    isOver = true;
    expect(taken).toHaveLength(4 * pieces);
    expect(mostInTurn).toBeLessThanOrEqual(2);
    // The tenant with one body has not waited for the other's three.
    expect(taken.lastIndexOf('b')).toBeLessThan(3 * pieces);
  },
);
