/** Whether a webhook is authentic, for which app, and which events it carries. */
import type { Channel as ChannelWord } from '@drawbridge/messaging/message.ts';
import type { ChannelEvent, Verification, WebhookRequest } from '../../../channels/contract.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';

/** A webhook as it arrived. */
export interface Webhook {
  readonly channel: ChannelWord;
  /** The app in its address; on the chat app an address serves all numbers of a tenant. */
  readonly appId?: string;
  readonly request: WebhookRequest;
}

type Kind = ChannelEvent['kind'];
/** One event with the app it is for. */
export interface AppEvent<K extends Kind = Kind> {
  readonly opened: OpenedApp;
  readonly event: Extract<ChannelEvent, { kind: K }>;
}

/** Its signature is valid, and it has events. */
export interface AcceptedWebhook {
  readonly kind: 'accepted';
  /** The app whose secret it was signed with. */
  readonly opened: OpenedApp;
  readonly events: readonly AppEvent[];
  /** This proof may be used by one request only. */
  readonly singleUseProof: string | undefined;
}

export type RejectedWebhook =
  /** The provider tests the address: it wants this body as the answer. */
  | { readonly kind: 'answer'; readonly body: string }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly isToken: boolean; readonly reason: string }
  | { readonly kind: 'no_app'; readonly appId: string };

/** Assigns it to the first app whose secret signed it. */
export function verdictOf(
  webhook: Webhook,
  known: readonly OpenedApp[],
  now: Date,
): AcceptedWebhook | RejectedWebhook {
  const { request, appId } = webhook;
  const apps = known.filter(({ row }) => {
    return row.channel === webhook.channel && (appId === undefined || row.id === appId);
  });
  if (appId !== undefined && apps.length === 0) return { kind: 'no_app', appId };
  const verdicts = apps.map((opened) => {
    return { opened, verdict: opened.channel.verify(request, opened.app, now) };
  });
  const proven = verdicts.find(({ verdict }) => verdict.kind !== 'refused');
  const lenient = verdicts.find(({ opened }) => opened.row.allow_unsigned);
  const taking = proven ?? lenient;
  if (taking === undefined) return refusal(verdicts[0]?.verdict, request.method);
  const { opened, verdict } = taking;
  if (verdict.kind === 'answer') return verdict;
  if (request.method === 'GET' && verdict.kind === 'refused') return refusal(verdict, 'GET');
  const reading = opened.channel.events(request);
  if (reading.kind === 'malformed') return reading;
  const once = verdict.kind === 'ok' ? verdict.once : undefined;
  return {
    kind: 'accepted',
    opened,
    events: itemsOf(reading.events, opened, apps),
    singleUseProof: once,
  };
}

function refusal(verdict: Verification | undefined, method: string): RejectedWebhook {
  if (verdict?.kind !== 'refused') {
    // A tenant that does not exist gets the same answer as a wrong signature.
    return { kind: 'refused', isToken: method === 'GET', reason: 'no app has this secret' };
  }
  return { kind: 'refused', isToken: verdict.status === 403, reason: verdict.reason };
}

/**
 * On the chat app one address serves several numbers: a message names the number it was sent to.
 */
function itemsOf(
  events: readonly ChannelEvent[],
  proven: OpenedApp,
  apps: readonly OpenedApp[],
): AppEvent[] {
  const numbers = new Map(apps.flatMap((opened) => numberOf(opened).map((id) => [id, opened])));
  return events.map((event) => {
    const to = event.kind === 'inbound' ? event.to : undefined;
    return { opened: (to === undefined ? undefined : numbers.get(to)) ?? proven, event };
  });
}

function numberOf({ app }: OpenedApp): string[] {
  const { phone_number_id: id } = app.settings as { readonly phone_number_id?: string };
  return id === undefined ? [] : [id];
}
