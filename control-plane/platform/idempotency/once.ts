/**
 * POSTs that make one thing, once a key: `makeOnce` claims the key in the transaction that makes it,
 * and a repeat is answered with the thing as it now stands. What a route shows only once, such as a
 * secret, is not kept for repeats.
 */
import { z } from 'zod';
import type { Environment } from '../auth/principal.ts';
import type { Tx } from '../db/tx.ts';
import { commonFail } from '../http/errors.ts';
import { claimKeys, forgetKeys } from './claim.ts';
import { fingerprint } from './fingerprint.ts';
import { readIdempotencyKey } from './key.ts';

export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe('A repeat with the same key and body makes nothing new and answers the same.'),
});

/** A request that may be repeated. */
export interface Once {
  /** Method and path, with ids filled in. */
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** Undefined when the caller sent no key. Throws `invalid_request` when it is not one. */
export function onceOf(
  route: string,
  headers: z.output<typeof idempotencyHeaders>,
  body: unknown,
): Once | undefined {
  const key = readIdempotencyKey(headers['idempotency-key']);
  return key === undefined ? undefined : { route, key, fingerprint: fingerprint(body) };
}

export interface Making<Row> {
  /** What a repeat finds the thing by. */
  readonly id: string;
  make(): Promise<Row>;
  find(id: string): Promise<Row | undefined>;
}

export interface Made<Row> {
  readonly row: Row;
  /** An earlier request with the key made it. */
  readonly isReplay: boolean;
}

/** Throws `idempotency_payload_mismatch` when the key was used with another body. */
export async function makeOnce<Row>(
  tx: Tx,
  place: { readonly tenantId: string; readonly environment: Environment },
  once: Once | undefined,
  making: Making<Row>,
): Promise<Made<Row>> {
  const { tenantId, environment } = place;
  if (once === undefined) return { row: await making.make(), isReplay: false };
  for (;;) {
    const request = { ...once, environment, madeId: making.id };
    const [verdict] = await claimKeys(tx, tenantId, [request]);
    if (verdict?.kind === 'mismatch') throw idempotencyMismatch();
    if (verdict?.kind !== 'replay') return { row: await making.make(), isReplay: false };
    const row = await making.find(verdict.madeId);
    if (row !== undefined) return { row, isReplay: true };
    // A key is kept as long as what it made; that is gone, so the key is free.
    await forgetKeys(tx, tenantId, [verdict.madeId]);
  }
}

/** The 409 of a key that was used with another body. */
export function idempotencyMismatch() {
  const detail = 'This Idempotency-Key was used with another body; take a new one.';
  return commonFail('idempotency_payload_mismatch', detail);
}

/** The headers of an answer to a POST that made a thing. */
export function madeHeaders(
  location: string | undefined,
  { isReplay }: Pick<Made<unknown>, 'isReplay'>,
): Record<string, string> {
  return {
    ...(location === undefined ? {} : { location }),
    ...(isReplay ? { 'idempotency-replayed': 'true' } : {}),
  };
}
