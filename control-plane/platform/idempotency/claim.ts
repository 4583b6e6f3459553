/**
 * Idempotency keys: whether a request is the first with its key.
 *
 * ```ts
 * const key = readIdempotencyKey(headers['idempotency-key']); // key.ts
 * const verdicts = await claimKeys(tx, tenantId, requests); // in the transaction that makes things
 * // fresh: make the thing under madeId; replay: answer with madeId; mismatch: answer 409
 * ```
 *
 * The scope is (tenant, environment, route, key). The row is written in the transaction that makes
 * the thing, so a crash leaves both or neither. A request whose key is under way in another
 * transaction waits for its end and then sees its outcome.
 */
import type { Environment } from '../auth/principal.ts';
import { insertMany } from '../db/insert.ts';
import type { Tx } from '../db/tx.ts';

/** One request with a key, and the id of what it would make. */
export interface KeyedRequest {
  readonly environment: Environment;
  /** Names the operation, e.g. `POST /v1/invoices`. */
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly madeId: string;
}

/** What a request with a key is: the first, a repeat, or another payload. */
export type KeyVerdict =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'replay'; readonly madeId: string }
  | { readonly kind: 'mismatch' };

interface KeyRow {
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly made_id: string;
}

const columns = {
  tenant_id: 'uuid',
  environment: 'text',
  route: 'text',
  key: 'text',
  fingerprint: 'text',
  made_id: 'text',
} as const;

/**
 * Claims the keys of any number of requests of one tenant, in two statements at most. The verdicts
 * have the order of the requests. Of two with the same key in one call the first is fresh.
 */
export async function claimKeys(
  tx: Tx,
  tenantId: string,
  requests: readonly KeyedRequest[],
): Promise<KeyVerdict[]> {
  // Always in the same order, so that two transactions with the same keys cannot deadlock.
  const rows = requests.map((request) => toRow(tenantId, request)).sort(byKey);
  const inserted = await insertMany<KeyRow, { made_id: string }>(
    tx,
    'idempotency',
    columns,
    rows,
    'on conflict do nothing returning made_id',
  );
  const fresh = new Set(inserted.map(({ made_id }) => made_id));
  const others = requests.filter(({ madeId }) => !fresh.has(madeId));
  const recalled = await recallKeys(tx, tenantId, others);
  const verdicts = new Map(others.map((request, at) => [request, recalled[at]!]));
  return requests.map((request) => verdicts.get(request) ?? { kind: 'fresh' });
}

/** The same verdicts without claiming: for requests that would make nothing if they were fresh. */
export async function recallKeys(
  tx: Tx,
  tenantId: string,
  requests: readonly KeyedRequest[],
): Promise<KeyVerdict[]> {
  const rows = await findKeys(tx, tenantId, requests);
  const known = new Map(rows.map((row) => [scopeOf(row), row]));
  return requests.map((request) => {
    const first = known.get(scopeOf(request));
    if (first === undefined) return { kind: 'fresh' };
    if (first.fingerprint !== request.fingerprint) return { kind: 'mismatch' };
    return { kind: 'replay', madeId: first.made_id };
  });
}

async function findKeys(
  tx: Tx,
  tenantId: string,
  requests: readonly KeyedRequest[],
): Promise<KeyRow[]> {
  if (requests.length === 0) return [];
  return tx.rows<KeyRow>(
    `select i.* from idempotency i
     join (select distinct * from unnest($2::text[], $3::text[], $4::text[]))
       as r (environment, route, key) using (environment, route, key)
     where i.tenant_id = $1`,
    [
      tenantId,
      requests.map(({ environment }) => environment),
      requests.map(({ route }) => route),
      requests.map(({ key }) => key),
    ],
  );
}

/** Forgets the keys of things that are deleted. */
export async function forgetKeys(tx: Tx, tenantId: string, madeIds: string[]): Promise<number> {
  return tx.run('delete from idempotency where tenant_id = $1 and made_id = any($2)', [
    tenantId,
    madeIds,
  ]);
}

function toRow(tenantId: string, request: KeyedRequest): KeyRow {
  const { madeId, ...rest } = request;
  return { tenant_id: tenantId, ...rest, made_id: madeId };
}

function byKey(a: KeyRow, b: KeyRow): number {
  return scopeOf(a) < scopeOf(b) ? -1 : 1;
}

function scopeOf({
  environment,
  route,
  key,
}: Pick<KeyRow, 'environment' | 'route' | 'key'>): string {
  return `${environment} ${route} ${key}`;
}
