import type { Json } from '../../simulation/json.ts';
import type { DeliveryStep } from '../../simulation/recipient-behaviour.ts';
import { linkOf, tapOf } from './displayed-content.ts';
import { envelopeOf, signed } from './envelope.ts';
import { failure } from './errors.ts';
import type { BusinessNumber, HeldMessage, HeldTemplate, Network } from './network.ts';
import { account } from './sandbox-account.ts';

const ladder: readonly DeliveryStep[] = ['sent', 'delivered', 'read'];
const unreachable = 131026;

/** Plays the statuses of a message, or `failed` with this code, and the person's action. */
export function followMessage(
  network: Network,
  number: BusinessNumber,
  message: HeldMessage,
  failedCode?: number,
): void {
  const { farthest, statusOrder, isRepeating } = network.rules;
  const { reports, action } = network.planDelivery(message.to, failedCode !== undefined);
  const last = ladder.indexOf(farthest);
  // A failed message has the status `failed` and no other.
  const isLost = reports.some(({ step }) => step === 'undelivered');
  const wanted = reports.filter(({ step }) =>
    isLost ? step === 'undelivered' : ladder.indexOf(step) <= last,
  );
  const ordered = statusOrder === 'shuffled' ? wanted.toReversed() : wanted;
  const sentAt = network.now;
  for (const { step, happensAfterMs, reportedAfterMs } of ordered) {
    const code = step === 'undelivered' ? (failedCode ?? unreachable) : undefined;
    const status = statusOf(message, step, sentAt + happensAfterMs, code);
    for (const each of isRepeating ? [status, status] : [status]) {
      network.webhooks.queuePart(number.statuses, each, reportedAfterMs);
    }
  }
  if (action === undefined || last < ladder.length - 1) return;
  if (action.kind === 'click') network.click(linkOf(network, message), action.afterMs);
  else answer(network, message, action.kind, action.afterMs);
}

function answer(
  network: Network,
  message: HeldMessage,
  kind: 'reply' | 'stop',
  afterMs: number,
): void {
  const isNumber = /^\d+$/.test(message.to);
  const writer = isNumber ? { waId: message.to } : { userId: message.to };
  const context = { from: account.displayPhoneNumber, id: message.id };
  const tap = kind === 'stop' ? undefined : tapOf(network, message);
  const text = { type: 'text', text: { body: kind === 'stop' ? 'STOP' : 'YES' } };
  sendInbound(network, writer, { ...(tap ?? text), context }, message.phoneNumberId, afterMs);
}

function statusOf(message: HeldMessage, step: DeliveryStep, at: number, code?: number): Json {
  const isNumber = /^\d+$/.test(message.to);
  return {
    id: message.id,
    status: step === 'undelivered' ? 'failed' : step,
    timestamp: String(Math.floor(at / 1_000)),
    ...(isNumber ? { recipient_id: message.to } : { recipient_user_id: message.to }),
    ...(code === undefined
      ? { pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' } }
      : { errors: failure(code) }),
    ...(message.callbackData === undefined
      ? {}
      : { biz_opaque_callback_data: message.callbackData }),
  };
}

/** The writer: by number, by business-scoped id, or by both. */
export interface Writer {
  readonly waId?: string;
  readonly userId?: string;
  readonly name?: string;
  readonly username?: string;
}

/** A person writes; `part` is the type and its member in the network's form. */
export function sendInbound(
  network: Network,
  writer: Writer,
  part: Json,
  phoneNumberId: string = account.phoneNumberId,
  afterMs = 0,
): void {
  const number = network.numbers.get(phoneNumberId);
  if (number === undefined) throw new Error(`no number ${phoneNumberId}`);
  const { waId, userId } = writer;
  network.tell(() => {
    network.openWindow(phoneNumberId, waId ?? userId ?? '');
    network.log.reported('inbound');
    const message = {
      ...(waId === undefined ? {} : { from: waId }),
      ...(userId === undefined ? {} : { from_user_id: userId }),
      id: network.nextId('wamid.'),
      timestamp: String(network.seconds),
      ...part,
    };
    const value = { ...envelopeOf(number), contacts: [contactOf(writer)], messages: [message] };
    return change(network, number.wabaId, 'messages', value);
  }, afterMs);
}

function contactOf({ waId, userId, name, username }: Writer): Json {
  return {
    profile: {
      ...(name === undefined ? {} : { name }),
      ...(username === undefined ? {} : { username }),
    },
    ...(waId === undefined ? {} : { wa_id: waId }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
}

/** The decision of review, or of a person at the network, about a template. */
export function sendTemplateStatus(
  network: Network,
  template: HeldTemplate,
  event: string,
  afterMs = 0,
): void {
  network.tell(() => {
    template.status = event;
    template.rejectedReason = event === 'REJECTED' ? 'PROMOTIONAL' : 'NONE';
    return change(network, template.wabaId, 'message_template_status_update', {
      event,
      ...named(template),
      message_template_category: template.category,
      reason: template.rejectedReason,
      ...(event === 'PAUSED' ? { other_info: { title: 'FIRST_PAUSE' } } : {}),
    });
  }, afterMs);
}

/** The network puts a template into another category, which has another price. */
export function sendCategory(
  network: Network,
  template: HeldTemplate,
  category: string,
  afterMs = 0,
): void {
  network.tell(() => {
    const previous = template.category;
    template.category = category;
    return change(network, template.wabaId, 'template_category_update', {
      ...named(template),
      previous_category: previous,
      new_category: category,
    });
  }, afterMs);
}

function named({ id, name, language }: HeldTemplate): Json {
  return {
    message_template_id: Number(id),
    message_template_name: name,
    message_template_language: language,
  };
}

/** Queues a change of any field. */
export function queueValue(
  network: Network,
  field: string,
  value: Json,
  wabaId: string = account.wabaId,
): void {
  network.webhooks.queue(change(network, wabaId, field, value));
}

function change(network: Network, wabaId: string, field: string, value: Json) {
  return signed(network.webhookUrlOf(wabaId), wabaId, network.seconds, field, value);
}

/** The network tests the address: it wants its challenge back. */
export function handshakeAt(address: string, verifyToken: string, challenge: string) {
  const url = new URL(address);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.verify_token', verifyToken);
  url.searchParams.set('hub.challenge', challenge);
  return { method: 'GET', url: url.href, headers: {}, body: '' } as const;
}
