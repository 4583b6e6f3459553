/**
 * POSTs that make one thing once for each key: `makeOnce` claims the key in the transaction that
 * makes the thing, and a repeat is answered with the thing as it is now. What a route shows only
 * once, such as a secret, is not in the answer to a repeat.
 */
import { z } from 'zod';
import type { Environment } from '../auth/principal.ts';
import type { Tx } from '../db/tx.ts';
import { commonFail } from '../http/errors.ts';
import { claimKeys, forgetKeys } from './claim.ts';
import { fingerprint } from './fingerprint.ts';
import { readIdempotencyKey } from './key.ts';

/** The request header of routes that make something. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .describe('A repeat with the same key and body makes nothing new and answers the same.'),
});

/** A request that may be repeated. */
export interface Once {
  /** Method and path, with the ids of this request. */
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

/** How a thing is made, and how it is read when it was made before. */
export interface Making<Row> {
  /** The id by which a repeat finds the thing. */
  readonly id: string;
  make(): Promise<Row>;
  find(id: string): Promise<Row | undefined>;
}

/** What was made, now or by an earlier request with the key. */
export interface Made<Row> {
  readonly row: Row;
  /** An earlier request with the key made it. */
  readonly isReplay: boolean;
}

/**
 * Makes the thing, or reads the one that an earlier request with the key made. Throws
 * `idempotency_payload_mismatch` when the key was used with another body.
 */
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
    // A key is kept as long as what it made. The thing is gone, so the key is free.
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
