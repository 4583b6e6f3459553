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
import { schedule } from '../simulation/retry-policy.ts';
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
  auth_value: 'Bearer sandbox-gateway-token',
  from: 'HDRNAM',
  webhook_secret: 'sandbox-webhook-secret',
} as const;

const magic: MagicTable = [
  ['…9400', 'refused with HTTP 400: no such number'],
  ['…9429', 'refused with HTTP 429'],
  ['…8001', 'UNDELIV: not delivered'],
  ['…8002', 'EXPIRED: not delivered in time'],
  ...peopleTable,
];

const dialect: SmsDialect = {
  from: sandboxSettings.from,
  retry: schedule(1_000, 10_000, 60_000, 600_000),
  messagesPerSecond: 100,
  inbound: (network, url, from, text, to) => post(url, { id: network.hex(16), from, to, text }),
};

/**
 * A simple loopback SMS gateway. A recipient ending in 9400 is refused, one ending in 8001 fails,
 * one ending in 8002 expires.
 */
export async function startGatewaySimulator(
  options: SimulatorOptions,
): Promise<RunningSimulator & { readonly control: SmsControl }> {
  const network = new SmsNetwork(options, dialect);
  const handle = (call: Call) => network.sending(() => send(network, call));
  const settings = () => sandboxSettings;
  const control = { kind: 'generic-http-sms', magic, settings, commands: smsCommands(network) };
  const endpoints = [
    { method: 'post', path: '/messages', handle } as const,
    ...controlEndpoints(network, control),
  ];
  const running = await network.serve(endpoints, options.port);
  return { ...running, control: network.control() };
}

/** The gateway as a separate process. */
export const simulator: ChannelSimulator = {
  kind: 'generic-http-sms',
  magic,
  start: ({ webhookUrl, ...options }) =>
    startGatewaySimulator({ ...options, inboundUrl: webhookUrl }),
  account: smsAccount(''),
};

const lasts: Readonly<Record<string, string>> = { 8001: 'UNDELIV', 8002: 'EXPIRED' };

function send(network: SmsNetwork, call: Call): Reply {
  if (call.headers.authorization !== sandboxSettings.auth_value) {
    return { status: 401, body: { code: 'unauthorized', detail: 'the token is wrong' } };
  }
  const isJson = call.headers['content-type'] === 'application/json';
  const given = (isJson ? jsonObject(call) : formOf(call.body)) ?? {};
  const rows = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
  const fields: Readonly<Record<string, string>> = Object.fromEntries(rows);
  const to = (fields.to ?? '').replace('+', '');
  const text = fields.text ?? '';
  if (!/^\d{7,15}$/.test(to) || to.endsWith('9400') || text === '') {
    return { status: 400, body: { code: 'invalid_recipient', detail: 'no such number' } };
  }
  if (to.endsWith('9429') || network.quota.take(network.now) > 0) {
    return { status: 429, headers: { 'retry-after': '1' }, body: { code: 'too_many' } };
  }
  const message: HeldSms = { id: network.hex(16), to, from: String(fields.from), text, fields };
  const { id } = message;
  const last = Object.hasOwn(lasts, to.slice(-4)) ? lasts[to.slice(-4)] : undefined;
  const words = { sent: 'sent', delivered: 'DELIVRD', undelivered: last ?? 'UNDELIV' };
  const { reference = '', report_url: url } = fields;
  network.follow(message, last !== undefined, (step) =>
    url === undefined ? undefined : post(url, { id, status: words[step], reference }),
  );
  return network.accept(message, { id, to, reference }, { status: 202, body: { id } });
}

function post(url: string, fields: Readonly<Record<string, string>>): OutgoingWebhook {
  const body = JSON.stringify(fields);
  const key = sandboxSettings.webhook_secret;
  const digest = createHmac('sha256', key).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': `sha256=${digest}` };
  return { method: 'POST', url, headers, body };
}
