/** What a webhook comes to: whether it is proven, for which app, and what it tells. */
import type { Channel as ChannelWord } from '@drawbridge/messaging/message.ts';
import type { ChannelEvent, Verification, WebhookRequest } from '../../channels/contract.ts';
import type { OpenedApp } from '../apps/desk.ts';

/** A webhook as it came. */
export interface Webhook {
  readonly channel: ChannelWord;
  /** The app that its address names; on the chat app an address is of all numbers of a tenant. */
  readonly appId?: string;
  readonly request: WebhookRequest;
}

type Kind = ChannelEvent['kind'];
/** One event with the app it is for. */
export interface Item<K extends Kind = Kind> {
  readonly opened: OpenedApp;
  readonly event: Extract<ChannelEvent, { kind: K }>;
}

/** It is proven, and tells something. */
export interface Told {
  readonly kind: 'told';
  /** The app that it is proven for. */
  readonly opened: OpenedApp;
  readonly items: readonly Item[];
  /** May be used by one request only. */
  readonly once: string | undefined;
}

export type Untold =
  /** The provider tries the address: this must be answered. */
  | { readonly kind: 'answer'; readonly body: string }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly isToken: boolean; readonly reason: string }
  | { readonly kind: 'no_app'; readonly appId: string };

/** Takes it for the first of the apps that it is proven for. */
export function judge(webhook: Webhook, known: readonly OpenedApp[], now: Date): Told | Untold {
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
  return { kind: 'told', opened, items: itemsOf(reading.events, opened, apps), once };
}

function refusal(verdict: Verification | undefined, method: string): Untold {
  if (verdict?.kind !== 'refused') {
    // A tenant that is not there is answered as one whose signature does not fit.
    return { kind: 'refused', isToken: method === 'GET', reason: 'no app takes it' };
  }
  return { kind: 'refused', isToken: verdict.status === 403, reason: verdict.reason };
}

/** On the chat app one address serves several numbers: a message names the one it was sent to. */
function itemsOf(
  events: readonly ChannelEvent[],
  proven: OpenedApp,
  apps: readonly OpenedApp[],
): Item[] {
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
