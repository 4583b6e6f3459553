import type { Channel } from '../contract.ts';
import { refusalOf, refuse } from '../refusals.ts';
import { given, jsonOf, textOf } from '../untrusted-input.ts';
import { authorization } from './authorization.ts';
import { content, encodeContent } from './content.ts';
import { errorOutcome } from './errors.ts';
import { reach, revocation } from './reach.ts';
import { type Settings, settings } from './settings.ts';
import { events, verify } from './webhook.ts';

/**
 * The network keeps a message 30 days for a person who is offline; most are worthless long before.
 */
const ttlSecondsDefault = 24 * 60 * 60;
const bodyBytesMax = 250_000;

/** RCS through Google's RCS Business Messaging. */
export const googleRcs: Channel<Settings> = {
  id: 'google-rcs',
  title: 'RCS Business Messaging',
  channel: 'rcs',
  settings,
  endpoint: 'https://rcsbusinessmessaging.googleapis.com',
  content,
  access: 'anyone',
  // We choose the message id, and the network refuses a second message with the same id.
  guarantee: { kind: 'exactly-once', reportsCarryOurId: true },
  farthest: 'read',
  reportsWithinMs: 7 * 24 * 3_600_000, // webhooks are retried for this long
  webhookProof: 'signature',
  authorization,
  verify,
  events,
  consoleHelp:
    'In the Business Communications console: your agent, Integrations, Webhook, Configure, with ' +
    'the client token of the settings. It takes messages and reports.',
  reach,
  revocation,
  // The address in the webhook is enough: no credentials are needed.
  media: { file: (url) => ({ method: 'GET', url, headers: {} }) },

  limits: (app) => ({ app: { count: Number(app.settings.messages_per_second), perMs: 1_000 } }),

  encode(message, app, { token }) {
    const refusal = refusalOf(message, content);
    if (refusal !== undefined) return refusal;
    if (message.to.kind !== 'phone') {
      return refuse('recipient_unsupported', 'RCS goes to a phone number');
    }
    const contentMessage = encodeContent(message.content);
    if (contentMessage === undefined) return refuse('content_unsupported', message.content.kind);
    const ttl = Math.max(1, Math.floor(message.ttlSeconds ?? ttlSecondsDefault));
    const body = JSON.stringify({ contentMessage, ttl: `${ttl}s` });
    if (Buffer.byteLength(body) > bodyBytesMax) {
      return refuse('content_too_long', `at most ${bodyBytesMax} bytes in all`);
    }
    const query = new URLSearchParams({ messageId: message.id, agentId: app.settings.agent_id });
    const phone = encodeURIComponent(message.to.phone);
    const request = {
      method: 'POST',
      url: `${app.endpoint}/v1/phones/${phone}/agentMessages?${query}`,
      headers: given({
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        'content-type': 'application/json',
      }) as Readonly<Record<string, string>>,
      body,
    } as const;
    return { kind: 'request', request };
  },

  decode(response, now, message) {
    if (response.status === 409) return { kind: 'accepted', providerId: message.id };
    if (response.status !== 200) return errorOutcome(response, now);
    const name = textOf(jsonOf(response.body)?.name);
    const isMine = name?.split('/').at(-1) === message.id;
    return isMine
      ? { kind: 'accepted', providerId: message.id }
      : { kind: 'unknown', reason: 'the answer names another message' };
  },
};
