/**
 * Signing secrets of an endpoint: sealed at rest and shown once. While one replaces another, both
 * sign.
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
const liveSecretsMax = 3;

/** Makes a secret, and its row for the database. */
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

/** The list with `added` in front; the older secrets sign for at most `graceSeconds` more. */
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

/** A secret in plain text, and when it ends; never logged or stored. */
export interface OpenSecret {
  readonly secret: string;
  readonly expiresAt: Date | null;
}

/** All secrets of an endpoint in plain text, newest first. */
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

/** The secrets to sign with at this time. */
export function secretsAt(opened: readonly OpenSecret[], now: Date): string[] {
  return opened
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ secret }) => secret);
}

function isLive({ expires_at }: SecretRow, now: Date): boolean {
  return expires_at === null || new Date(expires_at) > now;
}
