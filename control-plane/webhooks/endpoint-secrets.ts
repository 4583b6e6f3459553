/**
 * Signing secrets of an endpoint: sealed at rest, shown once, two of them live while one replaces
 * the other.
 */
import { secretOf } from '@drawbridge/webhooks/signature.ts';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { SecretRow } from './endpoint-store.ts';

/** Encryption at rest, bound to the endpoint's id: a sealed secret opens for no other endpoint. */
export type Seal = Pick<Secrets, 'seal' | 'open'>;

export interface MintOptions {
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const secretBytes = 32;
/** How many may sign at once; with one more the oldest ends early. */
export const liveSecretsMax = 3;

/** A new secret, and how it is kept. */
export function mintSecret(
  endpointId: string,
  { seal, clock, random }: MintOptions,
): { readonly secret: string; readonly row: SecretRow } {
  const secret = secretOf(random(secretBytes));
  const row: SecretRow = {
    id: newId('whs', clock, random),
    sealed: seal.seal(secret, endpointId),
    created_at: clock().toISOString(),
    expires_at: null,
  };
  return { secret, row };
}

/** The list with `added` in front; what signed until now goes on for `graceSeconds` at most. */
export function rotated(
  rows: readonly SecretRow[],
  added: SecretRow,
  graceSeconds: number,
  now: Date,
): SecretRow[] {
  const end = new Date(now.getTime() + graceSeconds * 1_000).toISOString();
  const older = rows.map((row) => ({
    ...row,
    expires_at: row.expires_at !== null && row.expires_at < end ? row.expires_at : end,
  }));
  return [added, ...older.filter((row) => isLive(row, now))].slice(0, liveSecretsMax);
}

/** A secret in the clear, and when it ends; never logged, never stored. */
export interface OpenSecret {
  readonly secret: string;
  readonly expiresAt: Date | null;
}

/** All secrets of an endpoint in the clear, newest first. */
export function openSecrets(
  rows: readonly SecretRow[],
  endpointId: string,
  seal: Seal,
): OpenSecret[] {
  return rows.map(({ sealed, expires_at }) => ({
    secret: seal.open(sealed, endpointId),
    expiresAt: expires_at === null ? null : new Date(expires_at),
  }));
}

/** Those to sign with at this time. */
export function secretsAt(opened: readonly OpenSecret[], now: Date): string[] {
  return opened
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ secret }) => secret);
}

function isLive({ expires_at }: SecretRow, now: Date): boolean {
  return expires_at === null || new Date(expires_at) > now;
}
