import { createHmac } from 'node:crypto';
import {
  type Call,
  formOf,
  jsonObject,
  type Reply,
  type RunningSimulator,
} from '../../simulation/server.ts';
import type { ChannelSimulator } from '../simulation/contract.ts';
import { controlEndpoints, type MagicTable } from '../simulation/control-endpoints.ts';
import { peopleTable } from '../simulation/recipient-behaviour.ts';
import { vonage } from '../simulation/retry-policy.ts';
import { smsAccount } from '../simulation/sms-account.ts';
import {
  type HeldSms,
  type SimulatorOptions,
  type SmsControl,
  type SmsDialect,
  SmsNetwork,
  smsCommands,
} from '../simulation/sms-network.ts';
import type { OutgoingWebhook } from '../simulation/webhook-attempt.ts';

/** Settings with which an app reaches this simulator. */
export const sandboxSettings = {
  api_key: '0a1b2c3d',
  signature_secret: 'sandbox-signature-secret',
  signature_method: 'sha256',
  from: '60123456789',
} as const;

/** The account's secret, which the vendor's own SDK sends in place of a signature. */
export const apiSecret = 'sandbox-api-secret';

type Fields = Readonly<Record<string, string>>;

const staleSeconds = 300;

/** `status` in the answer: the last four digits are 77 and the status. */
const refusals: Readonly<Record<string, string>> = {
  '01': 'Throttled',
  '02': 'Missing params',
  '03': 'Invalid params',
  '04': 'Bad Credentials',
  '05': 'Internal error',
  '06': 'Invalid message',
  '07': 'Number barred',
  '08': 'Partner account barred',
  '09': 'Partner quota exceeded',
  '14': 'Invalid Signature',
  '15': 'Illegal Sender Address - rejected',
  '29': 'Non-Whitelisted Destination',
  '33': 'Number de-activated',
};

/** `err-code` in the report: the last four digits are 88 and the code. */
const failures: Readonly<Record<string, string>> = {
  '01': 'unknown',
  '02': 'absent subscriber, temporary',
  '03': 'absent subscriber, permanent',
  '04': 'call barred by user',
  '05': 'portability error',
  '06': 'anti-spam rejection',
  '07': 'handset busy',
  '08': 'network error',
  '09': 'illegal number',
  '10': 'illegal message',
  '11': 'unroutable',
  '12': 'destination unreachable',
  '13': 'subscriber age restriction',
  '14': 'number blocked by carrier',
  '15': 'prepaid insufficient funds',
  '50': 'DLT: entity filter',
  '51': 'DLT: header filter',
  '52': 'DLT: content filter',
  '53': 'DLT: consent filter',
  '54': 'DLT: regulation error',
  '99': 'general error',
};

const magic: MagicTable = [
  ...Object.entries(refusals).map(
    ([code, what]) => [`…77${code}`, `HTTP 200 with status ${Number(code)}: ${what}`] as const,
  ),
  ...Object.entries(failures).map(
    ([code, what]) => [`…88${code}`, `failed with err-code ${Number(code)}: ${what}`] as const,
  ),
  ...peopleTable,
];

const dialect: SmsDialect = {
  from: sandboxSettings.from,
  retry: vonage,
  messagesPerSecond: 30,
  inbound: (network, url, msisdn, text, to) =>
    post(network, url, {
      msisdn,
      to,
      messageId: network.hex(16).toUpperCase(),
      text,
      type: /^[\x20-\x7e\n]*$/.test(text) ? 'text' : 'unicode',
      keyword: (text.split(' ')[0] ?? '').toUpperCase(),
      'message-timestamp': stamp(network.clock.now()),
    }),
};

/**
 * A loopback Vonage SMS API. A recipient ending in 77 and two digits is refused with that status
 * (7707: barred); one ending in 88 and two digits fails with that `err-code` (8852: DLT content).
 */
export async function startVonageSimulator(
  options: SimulatorOptions,
): Promise<RunningSimulator & { readonly control: SmsControl }> {
  const network = new SmsNetwork(options, dialect);
  const handle = (call: Call) => network.sending(() => send(network, call));
  const settings = () => sandboxSettings;
  const control = { kind: 'vonage-sms', magic, settings, commands: smsCommands(network) };
  const endpoints = [
    { method: 'post', path: '/sms/json', handle } as const,
    ...controlEndpoints(network, control),
  ];
  const running = await network.serve(endpoints, options.port);
  return { ...running, control: network.control() };
}

/** Vonage as a separate process. */
export const simulator: ChannelSimulator = {
  kind: 'vonage-sms',
  magic,
  start: ({ webhookUrl, ...options }) =>
    startVonageSimulator({ ...options, inboundUrl: webhookUrl }),
  account: smsAccount(''),
};

function send(network: SmsNetwork, call: Call): Reply {
  const reply = (status: string, text: string) => {
    network.log.refused(status);
    return answer(status, text);
  };
  const form = { ...fieldsOf(call), ...basicOf(call) };
  const { api_key: key, to = '', from = '', text = '' } = form;
  if (key !== sandboxSettings.api_key) return reply('4', 'Bad Credentials');
  const denied = denial(network, form);
  if (denied !== undefined) return reply(...denied);
  if (from === '' || text === '') return reply('2', 'Missing params');
  if (!/^[1-9]\d{6,14}$/.test(to)) return reply('3', 'Invalid to');
  const code = /77(\d\d)$/.exec(to)?.[1] ?? '';
  if (Object.hasOwn(refusals, code)) return reply(String(Number(code)), refusals[code]!);
  if (network.quota.take(network.now) > 0) return reply('1', 'Throttled');
  const id = network.hex(16).toUpperCase();
  const message: HeldSms = { id, to, from, text, fields: form };
  network.follow(message, failureOf(to) !== undefined, (step, at) =>
    form.callback === undefined ? undefined : report(network, message, form.callback, step, at),
  );
  const reference = form['client-ref'];
  const entry = { id, to, ...(reference === undefined ? {} : { reference }) };
  return network.accept(message, entry, taken(message));
}

/** A form, or JSON as the vendor's own SDK sends it. */
function fieldsOf(call: Call): Fields {
  if (!call.headers['content-type']?.includes('json')) return formOf(call.body);
  const rows = Object.entries(jsonObject(call) ?? {});
  return Object.fromEntries(rows.map(([name, value]) => [name, String(value)]));
}

/** The key and the secret, which may come as HTTP Basic. */
function basicOf({ headers }: Call): Fields {
  const [scheme, coded = ''] = (headers.authorization ?? '').split(' ');
  if (scheme !== 'Basic') return {};
  const [api_key = '', api_secret = ''] = Buffer.from(coded, 'base64').toString().split(':');
  return { api_key, api_secret };
}

/** Accepts a signature, as the account is set up, or the account's secret. */
function denial(network: SmsNetwork, form: Fields): [string, string] | undefined {
  if (form.api_secret !== undefined && form.sig === undefined) {
    return form.api_secret === apiSecret ? undefined : ['4', 'Bad Credentials'];
  }
  const age = network.wallSeconds - Number(form.timestamp);
  const isTrue = sign(form) === (form.sig ?? '').toLowerCase() && Math.abs(age) <= staleSeconds;
  return isTrue ? undefined : ['14', 'Invalid Signature'];
}

function taken({ id, to }: HeldSms): Reply {
  const message = {
    to,
    'message-id': id,
    status: '0',
    'remaining-balance': '15.53',
    'message-price': '0.0333',
    network: '50212',
  };
  return { status: 200, body: { 'message-count': '1', messages: [message] } };
}

/** The HTTP status is 200 whatever the result. */
function answer(status: string, text: string): Reply {
  const messages = [{ status, 'error-text': text }];
  return { status: 200, body: { 'message-count': '1', messages } };
}

function failureOf(to: string): string | undefined {
  const code = /88(\d\d)$/.exec(to)?.[1];
  return code !== undefined && Object.hasOwn(failures, code) ? code : undefined;
}

const words = { sent: 'buffered', delivered: 'delivered', undelivered: 'failed' } as const;

function report(
  network: SmsNetwork,
  { id, to, from, fields }: HeldSms,
  url: string,
  step: keyof typeof words,
  at: Date,
): OutgoingWebhook {
  const reference = fields['client-ref'];
  return post(network, url, {
    msisdn: to,
    to: from,
    'network-code': '50212',
    messageId: id,
    price: '0.03330000',
    status: words[step],
    'err-code': step === 'undelivered' ? String(Number(failureOf(to) ?? '12')) : '0',
    'api-key': sandboxSettings.api_key,
    ...(reference === undefined ? {} : { 'client-ref': reference }),
    'message-timestamp': stamp(at),
  });
}

function post(network: SmsNetwork, url: string, fields: Fields): OutgoingWebhook {
  const whole = { ...fields, timestamp: String(network.seconds), nonce: network.hex(32) };
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...whole, sig: sign(whole) }).toString(),
  };
}

function sign(fields: Fields): string {
  const rows = Object.entries(fields).filter(([name]) => name !== 'sig');
  const text = rows
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .reduce((all, [name, value]) => `${all}&${name}=${value.replace(/&|=/g, '_')}`, '');
  return createHmac('sha256', sandboxSettings.signature_secret).update(text).digest('hex');
}

function stamp(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
