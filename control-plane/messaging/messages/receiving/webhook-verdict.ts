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
  const isProof = ({ verdict }: (typeof verdicts)[number]) => verdict.kind !== 'refused';
  // Signed ones first: what an app takes unsigned is no proof for another.
  const accepting = [
    ...verdicts.filter(isProof),
    ...verdicts.filter((each) => !isProof(each) && each.opened.row.allow_unsigned),
  ];
  const [taking] = accepting;
  if (taking === undefined) return refusal(verdicts[0]?.verdict, request.method);
  const { opened, verdict } = taking;
  if (verdict.kind === 'answer') return verdict;
  if (request.method === 'GET' && verdict.kind === 'refused') return refusal(verdict, 'GET');
  const reading = opened.channel.events(request);
  if (reading.kind === 'malformed') return reading;
  if (reading.events.length > eventsMax) {
    return { kind: 'malformed', reason: `more than ${eventsMax} events` };
  }
  const once = verdict.kind === 'ok' ? verdict.once : undefined;
  const acceptingApps = accepting.map((each) => each.opened);
  const { routed, unrouted } = routeOf(reading.events, acceptingApps, apps);
  if (routed.some((each) => !acceptingApps.includes(each.opened))) {
    const reason = 'it tells of a number or an account whose secret has not signed it';
    return { kind: 'refused', isToken: false, reason };
  }
  const { body } = request;
  return { kind: 'accepted', opened, events: routed, unrouted, body, singleUseProof: once };
}

/** Networks send a thousand at most; a transaction of many more would hold up others. */
const eventsMax = 2_000;

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
 * it names, and to no other. What names none is about the account, and goes to an app of the account
 * that it names, else to the first that accepts it.
 */
export function routeOf(
  events: readonly ChannelEvent[],
  acceptingApps: readonly OpenedApp[],
  apps: readonly OpenedApp[],
): Routing {
  const ofNumber = (opened: OpenedApp) => numberOf(opened).map((id) => [id, opened] as const);
  const numbers = new Map([...apps, ...acceptingApps.toReversed()].flatMap(ofNumber));
  const routed: AppEvent[] = [];
  const unrouted = new Map<string, ChannelEvent[]>();
  for (const event of events) {
    const { number } = event;
    const opened =
      number === undefined ? ofAccount(event, acceptingApps, apps) : numbers.get(number);
    if (opened !== undefined) routed.push({ opened, event });
    else unrouted.set(number!, [...(unrouted.get(number!) ?? []), event]);
  }
  return { routed, unrouted };
}

function ofAccount(
  event: ChannelEvent,
  acceptingApps: readonly OpenedApp[],
  apps: readonly OpenedApp[],
): OpenedApp | undefined {
  const account = 'account' in event ? event.account : undefined;
  const isIts = (opened: OpenedApp) => account !== undefined && accountOf(opened) === account;
  return acceptingApps.find(isIts) ?? apps.find(isIts) ?? acceptingApps[0];
}

function accountOf({ app }: OpenedApp): string | undefined {
  return (app.settings as { readonly waba_id?: string }).waba_id;
}

function numberOf({ app }: OpenedApp): string[] {
  const { phone_number_id: id } = app.settings as { readonly phone_number_id?: string };
  return id === undefined ? [] : [id];
}
