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
  /** Those about numbers that no app has, by the number. */
  readonly unrouted: ReadonlyMap<string, readonly ChannelEvent[]>;
  readonly body: Uint8Array;
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
  const { routed, unrouted } = routeOf(reading.events, opened, apps);
  const { body } = request;
  return { kind: 'accepted', opened, events: routed, unrouted, body, singleUseProof: once };
}

function refusal(verdict: Verification | undefined, method: string): RejectedWebhook {
  if (verdict?.kind !== 'refused') {
    // A tenant that does not exist gets the same answer as a wrong signature.
    return { kind: 'refused', isToken: method === 'GET', reason: 'no app has this secret' };
  }
  return { kind: 'refused', isToken: verdict.status === 403, reason: verdict.reason };
}

interface Routing {
  readonly routed: readonly AppEvent[];
  readonly unrouted: ReadonlyMap<string, readonly ChannelEvent[]>;
}

/**
 * On the chat app one address serves several numbers: an event belongs to the app of the number that
 * it names, and to no other. What names none is about the account, and goes to the app whose secret
 * signed it.
 */
export function routeOf(
  events: readonly ChannelEvent[],
  proven: OpenedApp,
  apps: readonly OpenedApp[],
): Routing {
  const numbers = new Map(apps.flatMap((opened) => numberOf(opened).map((id) => [id, opened])));
  const routed: AppEvent[] = [];
  const unrouted = new Map<string, ChannelEvent[]>();
  for (const event of events) {
    const { number } = event;
    const opened = number === undefined ? proven : numbers.get(number);
    if (opened !== undefined) routed.push({ opened, event });
    else unrouted.set(number!, [...(unrouted.get(number!) ?? []), event]);
  }
  return { routed, unrouted };
}

function numberOf({ app }: OpenedApp): string[] {
  const { phone_number_id: id } = app.settings as { readonly phone_number_id?: string };
  return id === undefined ? [] : [id];
}
