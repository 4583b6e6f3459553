/** Asks in advance whom RCS reaches, and withdraws messages that have not been delivered. */
import type { App, CallContext, Reach, Revocation } from '../contract.ts';
import { given, jsonOf, textOf } from '../untrusted-input.ts';
import { errorOutcome } from './errors.ts';
import type { Settings } from './settings.ts';

/** Google's limit for one batch. */
const phonesMax = 10_000;

export const reach: Reach<Settings> = {
  phonesMax,

  requestMany: (phones, { endpoint, settings }, context) => ({
    method: 'POST',
    url: `${endpoint}/v1/users:batchGet`,
    headers: headersOf(context),
    body: JSON.stringify({ users: phones, agentId: settings.agent_id }),
  }),

  readMany(response, now) {
    if (response.status !== 200) return errorOutcome(response, now);
    const phones = jsonOf(response.body)?.reachableUsers ?? [];
    return Array.isArray(phones)
      ? { kind: 'reached', phones: phones.flatMap((each) => textOf(each) ?? []) }
      : { kind: 'unknown', reason: 'the answer lists no users' };
  },

  request: (phone, id, app, context) => ({
    method: 'GET',
    url: `${phoneUrl(app, phone)}/capabilities?${queryOf(app, { requestId: id })}`,
    headers: headersOf(context),
  }),

  read(response, now) {
    if (response.status === 200) {
      const features = jsonOf(response.body)?.features;
      const words = Array.isArray(features) ? features.flatMap((each) => textOf(each) ?? []) : [];
      return { kind: 'reached', features: words };
    }
    const outcome = errorOutcome(response, now);
    const isPersons = outcome.kind === 'refused' && outcome.action === 'next-channel';
    return isPersons ? { kind: 'unreached' } : outcome;
  },
};

export const revocation: Revocation<Settings> = {
  request: ({ providerId, phone }, app, context) => ({
    method: 'DELETE',
    url: `${phoneUrl(app, phone)}/agentMessages/${encodeURIComponent(providerId)}?${queryOf(app)}`,
    headers: headersOf(context),
  }),

  read(response, now) {
    if (response.status === 200) return { kind: 'revoked' };
    return response.status === 404 ? { kind: 'gone' } : errorOutcome(response, now);
  },
};

function phoneUrl({ endpoint }: App<Settings>, phone: string): string {
  return `${endpoint}/v1/phones/${encodeURIComponent(phone)}`;
}

function queryOf({ settings }: App<Settings>, more: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({ ...more, agentId: settings.agent_id });
}

function headersOf({ token }: CallContext): Readonly<Record<string, string>> {
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  return given({ authorization, 'content-type': 'application/json' }) as Record<string, string>;
}
