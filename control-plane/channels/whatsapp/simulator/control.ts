import type { Fault } from '../../../simulation/faults.ts';
import type { AppHistory } from '../../simulation/contract.ts';
import type { Command } from '../../simulation/control-endpoints.ts';
import type { Json } from '../../simulation/json.ts';
import type { OutgoingWebhook } from '../../simulation/webhook-attempt.ts';
import { upgrade } from './account.ts';
import type { HeldMessage, Network, NumberOptions, Switches } from './network.ts';
import { account } from './sandbox-account.ts';
import { knowTemplates } from './templates.ts';
import {
  handshakeAt,
  queueValue,
  sendInbound,
  sendTemplateStatus,
  type Writer,
} from './webhooks.ts';

/** The control of the simulator, for tests and operators. */
export interface WhatsappControl {
  set(switches: Partial<Switches>): void;
  advance(ms: number): void;
  /** Calls are `send` and `template`. */
  fault(fault: Fault): void;
  /** Messages accepted, oldest first; at least the latest 20,000. */
  messages(to?: string): readonly HeldMessage[];
  takeWebhooks(): readonly OutgoingWebhook[];
  /** Resolves when every webhook that is due has been sent or given up. */
  sent(): Promise<void>;
  /** Sends all webhooks there, or those of one business account. */
  sendWebhooksTo(url: string, wabaId?: string): void;
  /** Adds a number to the sandbox's business account or to another; one token is valid for all. */
  addNumber(number: NumberOptions): void;
  /** Accepts nothing for a minute, then 1,000 messages a second. */
  upgrade(phoneNumberId?: string): void;
  /** A person writes; `part` is in the network's form, e.g. `{ type: 'text', text: { body } }`. */
  write(writer: Writer, part: Json, phoneNumberId?: string): void;
  handshake(verifyToken: string, challenge: string): void;
  /** Review decides, or a template is paused, disabled … */
  review(name: string, language: string, event: string, wabaId?: string): void;
  /** A webhook with any other field. */
  notify(field: string, value: Json, wabaId?: string): void;
}

export function controlOf(network: Network): WhatsappControl {
  return {
    set: (switches) => network.set(switches),
    advance: (ms) => network.advance(ms),
    fault: (fault) => network.faults.plan(fault),
    messages: (to) => network.messages.filter((each) => to === undefined || each.to === to),
    takeWebhooks: () => network.webhooks.take(),
    sent: () => network.webhooks.sent(),
    sendWebhooksTo: (url, wabaId) => network.sendWebhooksTo(url, wabaId),
    addNumber: (number) => network.addNumber(number),
    upgrade(phoneNumberId = account.phoneNumberId) {
      const number = network.numbers.get(phoneNumberId);
      if (number === undefined) throw new Error(`no number ${phoneNumberId}`);
      upgrade(network, number);
    },
    write: (writer, part, phoneNumberId) => sendInbound(network, writer, part, phoneNumberId),
    handshake: (token, challenge) =>
      network.webhooks.queue(handshakeAt(network.webhookUrlOf(account.wabaId), token, challenge)),
    review(name, language, event, wabaId = account.wabaId) {
      const template = network.templateOf(wabaId, name, language);
      if (template === undefined) throw new Error(`no template ${name} in ${language}`);
      sendTemplateStatus(network, template, event);
    },
    notify: (field, value, wabaId) => queueValue(network, field, value, wabaId),
  };
}

/** The same over HTTP below `/_control`. */
export function commandsOf(network: Network, control: WhatsappControl): readonly Command[] {
  const textIn = (value: unknown) => (value === undefined ? undefined : String(value));
  return [
    {
      name: 'rules',
      example: { messagesPerSecond: 1_000, isBatching: true, review: 'PENDING', reviewMs: 5_000 },
      run: (body) => control.set(body as Partial<Switches>),
    },
    {
      name: 'numbers',
      example: {
        phoneNumberId: '106000000000002',
        wabaId: '…',
        messagesPerSecond: 80,
        webhookUrl: '…',
      },
      run: (body) => control.addNumber(body as unknown as NumberOptions),
    },
    {
      name: 'templates',
      example: {
        wabaId: account.wabaId,
        templates: [{ id: '9000001', status: 'approved', submission: { name: 'offer' } }],
      },
      run: ({ wabaId, templates }) =>
        knowTemplates(network, String(wabaId), templates as AppHistory['templates']),
    },
    {
      name: 'windows',
      example: {
        phoneNumberId: account.phoneNumberId,
        people: [{ address: '+919800000001', wroteAt: '2026-01-01T00:00:00Z' }],
      },
      run({ phoneNumberId, people }) {
        for (const { address, wroteAt } of people as AppHistory['people']) {
          const person = address.replace(/^\+/, '');
          network.openWindow(String(phoneNumberId), person, Date.parse(wroteAt));
        }
      },
    },
    {
      name: 'upgrade',
      example: { phone_number_id: account.phoneNumberId },
      run: ({ phone_number_id }) => control.upgrade(textIn(phone_number_id)),
    },
    {
      name: 'webhook',
      example: { url: 'http://127.0.0.1:8081/wa/v1/webhooks/…/', waba_id: account.wabaId },
      run: ({ url, waba_id }) => control.sendWebhooksTo(String(url), textIn(waba_id)),
    },
    {
      name: 'inbound',
      example: { from: '919800000001', user_id: 'IN.13…', name: 'Asha', text: 'hello' },
      run({ from, user_id, name, text, part, phone_number_id }) {
        const writer = {
          ...(from === undefined ? {} : { waId: String(from) }),
          ...(user_id === undefined ? {} : { userId: String(user_id) }),
          ...(name === undefined ? {} : { name: String(name) }),
        };
        const plain = { type: 'text', text: { body: String(text) } };
        control.write(writer, (part ?? plain) as Json, textIn(phone_number_id));
      },
    },
    {
      name: 'review',
      example: { name: 'order_update', language: 'en_US', event: 'PAUSED' },
      run: ({ name, language, event, waba_id }) =>
        control.review(String(name), String(language), String(event), textIn(waba_id)),
    },
    {
      name: 'notify',
      example: { field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION' } },
      run: ({ field, value, waba_id }) =>
        control.notify(String(field), value as Json, textIn(waba_id)),
    },
    {
      name: 'handshake',
      example: { verify_token: account.verifyToken, challenge: '1158201444' },
      run: ({ verify_token, challenge }) =>
        control.handshake(String(verify_token), String(challenge)),
    },
  ];
}
