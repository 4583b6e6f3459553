/**
 * A tenant's own API keys, as the routes of both services issue and show them. What a key may do is
 * the service's matter: its routes choose the scopes, and refuse those that the caller lacks.
 */
import { z } from 'zod';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import { invalid } from '../http/errors.ts';
import { zonedInstant } from '../http/time-input.ts';
import { makeOnce, type Once } from '../idempotency/once.ts';
import type { Clock, RandomBytes } from '../ids.ts';
import { addressRange, cidrOf, isWithin } from './address-ranges.ts';
import type { Family } from './api-key.ts';
import { draftKey, type KeyRequest, keepKey } from './issue.ts';
import type { Principal } from './principal.ts';
import { findKeyOf, type KeyRow, updateKey } from './store.ts';

/** The errors of the routes about keys. */
export const apiKeyErrorRows = {
  api_key_not_found: { status: 404, title: 'No such API key', retry: 'after_change' },
  api_key_revoked: { status: 409, title: 'The API key was revoked', retry: 'never' },
} as const;

/** Members of a request for a key, beside what the key may do. */
export const keyName = z.string().trim().min(1).max(200);
const keyRanges = z
  .array(addressRange)
  .max(50)
  .describe('Addresses or CIDR ranges it may be used from; none: from anywhere.');
export const keyRestrictions = {
  allowed_ips: keyRanges.default([]),
  expires_at: zonedInstant().optional(),
};

/** A change of a key: what it may do stays as it was issued. */
export const keyPatch = z
  .strictObject({
    name: keyName.optional(),
    allowed_ips: keyRanges.optional(),
    expires_at: zonedInstant().nullable().optional().describe('Null: it does not expire.'),
  })
  .meta({ id: 'ApiKeyPatch' });

/** Members of an issued key in an answer. */
export const keyText = z
  .string()
  .nullable()
  .describe('The key itself: shown this once and stored nowhere; null in a repeat.');
export const shownKey = z.string().describe('The beginning of the key, to recognise it by.');

const instant = z.iso.datetime();
export const keyTimes = {
  created_at: instant,
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  last_used_at: instant.nullable(),
};

/** The times of a key as an answer states them. */
export function timesOfKey(row: KeyRow) {
  return {
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

export interface TenantKeysContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Who issues a key, and by which request. */
export interface KeyIssue {
  readonly principal: Principal;
  readonly audit: RequestAudit;
  readonly once: Once | undefined;
}

/** The key that is asked for. */
export interface WantedKey {
  readonly family: Family;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allowed_ips: readonly string[];
  readonly expires_at?: string | undefined;
}

export interface IssuedKey extends Pick<KeyRow, 'id' | 'shown'> {
  /** Null in a repeat: only its hash is stored, so a repeat cannot show it. */
  readonly key: string | null;
  readonly request: KeyRequest;
  readonly isReplay: boolean;
}

/**
 * Issues a key of the caller's environment, once for each Idempotency-Key, and records it in the audit
 * log. Throws `invalid_request` for an end that has passed, and for a key that could be used from more
 * addresses or for longer than the key that issues it; else as `makeOnce` does.
 */
export async function issueTenantKey(
  { db, clock, random }: TenantKeysContext,
  { principal, audit, once }: KeyIssue,
  { family, name, scopes, allowed_ips, expires_at }: WantedKey,
): Promise<IssuedKey> {
  const { tenantId, environment } = principal;
  const expiresAt = expires_at === undefined ? undefined : endOf(expires_at, clock);
  const request = {
    family,
    environment,
    name,
    scopes,
    allowedIps: rangesOf(allowed_ips),
    ...(expiresAt ? { expiresAt } : {}),
  };
  const drafted = draftKey(request, random);
  const { row, isReplay } = await db.tenant(tenantId, async (tx) => {
    const issuer = await findKeyOf(tx, tenantId, { family, environment }, principal.id);
    if (issuer !== undefined) requireNarrower(issuer, request.allowedIps, expiresAt ?? null);
    const madeBy = principal.sessionId === undefined ? issuer?.made_by : principal.id;
    return makeOnce<Pick<KeyRow, 'id' | 'shown'>>(tx, principal, once, {
      id: drafted.id,
      make: async () => {
        const { id: subject, shown } = await keepKey(
          tx,
          tenantId,
          { ...request, madeBy: madeBy ?? null },
          drafted,
        );
        await audit.record(tx, tenantId, { subject, after: { ...request, shown } });
        return { id: subject, shown };
      },
      find: (id) => findKeyOf(tx, tenantId, { family, environment }, id),
    });
  });
  return { ...row, key: isReplay ? null : drafted.text, request, isReplay };
}

/**
 * Changes a key of the caller's environment; undefined when it is revoked, also just now. Throws
 * `invalid_request` where `issueTenantKey` would.
 */
export async function changeTenantKey(
  tx: Tx,
  clock: Clock,
  { tenantId, id: callerId }: Principal,
  key: KeyRow,
  { name, allowed_ips, expires_at }: z.output<typeof keyPatch>,
): Promise<KeyRow | undefined> {
  const ranges = allowed_ips && rangesOf(allowed_ips);
  const end = typeof expires_at === 'string' ? endOf(expires_at, clock) : expires_at;
  const caller = await findKeyOf(tx, tenantId, key, callerId);
  if (caller !== undefined) requireNarrower(caller, ranges, end);
  return updateKey(tx, tenantId, key.id, { name, allowed_ips: ranges, expires_at: end });
}

function endOf(expiresAt: string, clock: Clock): Date {
  const end = new Date(expiresAt);
  if (end <= clock()) throw invalid('expires_at', 'must be in the future');
  return end;
}

const rangesOf = (given: readonly string[]) => given.flatMap((range) => cidrOf(range) ?? []);

/** A key hands on no more addresses and no more time than it has; a person has no such limits. */
function requireNarrower(
  own: KeyRow,
  ranges: readonly string[] | undefined,
  expiresAt: Date | null | undefined,
): void {
  if (ranges !== undefined && !isWithin(ranges, own.allowed_ips)) {
    const within = own.allowed_ips.join(', ');
    throw invalid('allowed_ips', `must lie within those of your own key: ${within}`);
  }
  const end = own.expires_at;
  if (end !== null && expiresAt !== undefined && (expiresAt === null || expiresAt > end)) {
    throw invalid('expires_at', `must not be after ${end.toISOString()}, when your own key ends`);
  }
}
