import type { Rung } from '../../simulation/people.ts';
import { envelopeOf, type Json, signed } from './envelope.ts';
import { failure } from './errors.ts';
import { account } from './sandbox.ts';
import { linkOf, tapOf } from './wording.ts';
import type { BusinessNumber, HeldMessage, HeldTemplate, World } from './world.ts';

const ladder: readonly Rung[] = ['sent', 'delivered', 'read'];
const unreachable = 131026;

/** Lets a message take its course: its statuses, or `failed` with this code, and the person's deed. */
export function followMessage(
  world: World,
  number: BusinessNumber,
  message: HeldMessage,
  failedCode?: number,
): void {
  const { farthest, statusOrder, isRepeating } = world.rules;
  const { reports, deed } = world.courseOf(message.to, failedCode !== undefined);
  const last = ladder.indexOf(farthest);
  // A message that fails is reported failed and nothing else.
  const isLost = reports.some(({ rung }) => rung === 'undelivered');
  const told = reports.filter(({ rung }) =>
    isLost ? rung === 'undelivered' : ladder.indexOf(rung) <= last,
  );
  const ordered = statusOrder === 'shuffled' ? told.toReversed() : told;
  const sentAt = world.now;
  for (const { rung, happensAfterMs, toldAfterMs } of ordered) {
    const code = rung === 'undelivered' ? (failedCode ?? unreachable) : undefined;
    const status = statusOf(message, rung, sentAt + happensAfterMs, code);
    for (const each of isRepeating ? [status, status] : [status]) {
      world.webhooks.queuePart(number.statuses, each, toldAfterMs);
    }
  }
  if (deed === undefined || last < ladder.length - 1) return;
  if (deed.kind === 'click') world.click(linkOf(world, message), deed.afterMs);
  else answer(world, message, deed.kind, deed.afterMs);
}

function answer(world: World, message: HeldMessage, kind: 'reply' | 'stop', afterMs: number): void {
  const isNumber = /^\d+$/.test(message.to);
  const writer = isNumber ? { waId: message.to } : { userId: message.to };
  const context = { from: account.displayPhoneNumber, id: message.id };
  const tap = kind === 'stop' ? undefined : tapOf(world, message);
  const text = { type: 'text', text: { body: kind === 'stop' ? 'STOP' : 'YES' } };
  sendInbound(world, writer, { ...(tap ?? text), context }, message.phoneNumberId, afterMs);
}

function statusOf(message: HeldMessage, rung: Rung, at: number, code?: number): Json {
  const isNumber = /^\d+$/.test(message.to);
  return {
    id: message.id,
    status: rung === 'undelivered' ? 'failed' : rung,
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

/** Who writes: by number, by business-scoped id, or by both. */
export interface Writer {
  readonly waId?: string;
  readonly userId?: string;
  readonly name?: string;
  readonly username?: string;
}

/** A person writes; `part` is the type and its member as the network writes them. */
export function sendInbound(
  world: World,
  writer: Writer,
  part: Json,
  phoneNumberId: string = account.phoneNumberId,
  afterMs = 0,
): void {
  const number = world.numbers.get(phoneNumberId);
  if (number === undefined) throw new Error(`no number ${phoneNumberId}`);
  const { waId, userId } = writer;
  world.tell(() => {
    world.lastInbound.set(`${phoneNumberId} ${waId ?? userId ?? ''}`, world.now);
    world.log.reported('inbound');
    const message = {
      ...(waId === undefined ? {} : { from: waId }),
      ...(userId === undefined ? {} : { from_user_id: userId }),
      id: world.nextId('wamid.'),
      timestamp: String(world.seconds),
      ...part,
    };
    const value = { ...envelopeOf(number), contacts: [contactOf(writer)], messages: [message] };
    return change(world, number.wabaId, 'messages', value);
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

/** What review, or a person at the network, makes of a template. */
export function sendTemplateStatus(
  world: World,
  template: HeldTemplate,
  event: string,
  afterMs = 0,
): void {
  world.tell(() => {
    template.status = event;
    template.rejectedReason = event === 'REJECTED' ? 'PROMOTIONAL' : 'NONE';
    return change(world, template.wabaId, 'message_template_status_update', {
      event,
      ...named(template),
      message_template_category: template.category,
      reason: template.rejectedReason,
      ...(event === 'PAUSED' ? { other_info: { title: 'FIRST_PAUSE' } } : {}),
    });
  }, afterMs);
}

/** The network finds that a template is of another category, which costs another price. */
export function sendCategory(
  world: World,
  template: HeldTemplate,
  category: string,
  afterMs = 0,
): void {
  world.tell(() => {
    const previous = template.category;
    template.category = category;
    return change(world, template.wabaId, 'template_category_update', {
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
  world: World,
  field: string,
  value: Json,
  wabaId: string = account.wabaId,
): void {
  world.webhooks.queue(change(world, wabaId, field, value));
}

function change(world: World, wabaId: string, field: string, value: Json) {
  return signed(world.webhookUrlOf(wabaId), wabaId, world.seconds, field, value);
}

/** The network tries the address: it wants its challenge back. */
export function handshakeAt(address: string, verifyToken: string, challenge: string) {
  const url = new URL(address);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.verify_token', verifyToken);
  url.searchParams.set('hub.challenge', challenge);
  return { method: 'GET', url: url.href, headers: {}, body: '' } as const;
}
