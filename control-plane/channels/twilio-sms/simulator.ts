import { createHmac } from 'node:crypto';
import { hasBasicAuthorization } from '../../simulation/basic-authorization.ts';
import {
  type Call,
  type Endpoint,
  formOf,
  type Reply,
  type RunningSimulator,
} from '../../simulation/server.ts';
import type { ChannelSimulator } from '../simulation/contract.ts';
import { controlEndpoints, type MagicTable } from '../simulation/control-endpoints.ts';
import { fileReply, type HeldFile } from '../simulation/files.ts';
import { peopleTable } from '../simulation/recipient-behaviour.ts';
import { twilio } from '../simulation/retry-policy.ts';
import { smsAccount } from '../simulation/sms-account.ts';
import {
  type HeldSms,
  referenceIn,
  type SimulatorOptions,
  type SmsControl,
  type SmsDialect,
  SmsNetwork,
  smsCommands,
} from '../simulation/sms-network.ts';
import type { OutgoingWebhook } from '../simulation/webhook-attempt.ts';

/** Settings with which an app reaches this simulator. */
export const sandboxSettings = {
  account_sid: 'AC00000000000000000000000000000001',
  auth_token: 'sandbox-auth-token',
  from: '+60123456789',
} as const;

const { account_sid: sid, auth_token: token } = sandboxSettings;

/** Refusals by the last five digits of the recipient: status and message. */
const refusals: Readonly<Record<string, readonly [number, string]>> = {
  20429: [429, 'Too Many Requests'],
  21211: [400, "Invalid 'To' Phone Number"],
  21408: [400, 'Permission to send an SMS has not been enabled for the region'],
  21606: [400, "The 'From' phone number is not a valid, SMS-capable number"],
  21610: [400, 'Attempt to send to unsubscribed recipient'],
  21611: [429, "This 'From' number has exceeded the maximum number of queued messages"],
  21612: [400, "The 'To' phone number is not currently reachable via SMS"],
  21614: [400, "'To' number is not a valid mobile number"],
};
/** Failures by delivery report, by the same digits. */
const failures: Readonly<Record<string, string>> = {
  30001: 'queue overflow',
  30002: 'account suspended',
  30003: 'unreachable destination handset',
  30004: 'message blocked',
  30005: 'unknown destination handset',
  30006: 'landline or unreachable carrier',
  30007: 'carrier violation',
  30008: 'unknown error',
};

const magic: MagicTable = [
  ...Object.entries(refusals).map(([code, [, what]]) => [`…${code}`, `refused: ${what}`] as const),
  ...Object.entries(failures).map(([code, what]) => [`…${code}`, `undelivered: ${what}`] as const),
  ['who wrote STOP', 'refused with 21610 until START'],
  ...peopleTable,
];

const dialect: SmsDialect = {
  from: sandboxSettings.from,
  retry: twilio,
  messagesPerSecond: 100,
  inbound(network, url, from, text, to, file) {
    const id = `${file === undefined ? 'SM' : 'MM'}${network.hex(32)}`;
    return post(network, url, {
      AccountSid: sid,
      MessageSid: id,
      From: `+${from}`,
      To: to,
      Body: text,
      ...(file === undefined ? { NumMedia: '0' } : mediaOf(network, id, file)),
      ...optOut(text),
    });
  },
};

function mediaOf(network: SmsNetwork, message: string, { id, mediaType }: HeldFile) {
  const path = `/2010-04-01/Accounts/${sid}/Messages/${message}/Media/ME${id}`;
  return { NumMedia: '1', MediaContentType0: mediaType, MediaUrl0: network.url + path };
}

function optOut(text: string): Readonly<Record<string, string>> {
  const word = text.trim().toUpperCase();
  return word === 'STOP' || word === 'START' ? { OptOutType: word } : {};
}

/**
 * A loopback Twilio for SMS. A recipient whose last five digits are an error code (21211, 21610,
 * 30003 …) gets that error, at once or in the delivery report.
 */
export async function startTwilioSimulator(
  options: SimulatorOptions,
): Promise<RunningSimulator & { readonly control: SmsControl }> {
  const network = new SmsNetwork(options, dialect);
  const settings = () => sandboxSettings;
  const control = { kind: 'twilio-sms', magic, settings, commands: smsCommands(network) };
  const all = [...endpoints(network), ...controlEndpoints(network, control)];
  const running = await network.serve(all, options.port);
  return { ...running, control: network.control() };
}

/** Twilio as a separate process. */
export const simulator: ChannelSimulator = {
  kind: 'twilio-sms',
  magic,
  start: ({ webhookUrl, ...options }) =>
    startTwilioSimulator({ ...options, inboundUrl: webhookUrl }),
  account: smsAccount('+'),
};

function endpoints(network: SmsNetwork): readonly Endpoint[] {
  const base = '/2010-04-01/Accounts/:sid/Messages';
  const guarded = (call: Call, work: () => Reply): Reply => {
    const isKnown = hasBasicAuthorization(call.headers, sid, token) && call.params.sid === sid;
    return isKnown ? work() : refusal(401, 20003, 'Authenticate');
  };
  return [
    {
      method: 'post',
      path: `${base}.json`,
      handle: (call) => network.sending(() => guarded(call, () => send(network, call))),
    },
    {
      method: 'get',
      path: `${base}.json`,
      handle: (call) => guarded(call, () => list(network, call)),
    },
    {
      method: 'get',
      path: `${base}/:message/Media/ME:media`,
      handle: (call) => guarded(call, () => leadOn(network, call)),
    },
    { method: 'get', path: '/media/:media', handle: (call) => mediaReply(network, call) },
    {
      method: 'get',
      path: `${base}/:message.json`,
      handle: (call) => guarded(call, () => look(network, call)),
    },
    {
      method: 'get',
      path: '/2010-04-01/Accounts/:sid/IncomingPhoneNumbers.json',
      handle: (call) => guarded(call, () => listNumbers(network, call)),
    },
    {
      method: 'post',
      path: '/2010-04-01/Accounts/:sid/IncomingPhoneNumbers/:number.json',
      handle: (call) => guarded(call, () => changeNumber(network, call)),
    },
    {
      method: 'post',
      path: '/v1/Services/:service',
      handle: (call) =>
        hasBasicAuthorization(call.headers, sid, token)
          ? changeService(network, call)
          : refusal(401, 20003, 'Authenticate'),
    },
  ];
}

function listNumbers(network: SmsNetwork, { query }: Call): Reply {
  const number = query.get('PhoneNumber') ?? sandboxSettings.from;
  const url = network.routeOf(number);
  const incoming_phone_numbers = url === undefined ? [] : [shownNumber(number, url)];
  const page = { page: 0, page_size: 50, start: 0, next_page_uri: null };
  return { status: 200, body: { incoming_phone_numbers, ...page } };
}

function changeNumber(network: SmsNetwork, { params, body }: Call): Reply {
  const number = `+${(params.number ?? '').replace(/^PN0*/, '')}`;
  if (network.routeOf(number) === undefined) {
    return refusal(404, 20404, 'The requested resource was not found');
  }
  const { SmsUrl: url } = formOf(body);
  if (url !== undefined && !URL.canParse(url)) return refusal(400, 21402, 'Invalid Url');
  if (url !== undefined) network.route(number, url);
  return { status: 200, body: shownNumber(number, network.routeOf(number)!) };
}

function shownNumber(number: string, sms_url: string) {
  const id = `PN${number.replace(/^\+/, '').padStart(32, '0')}`;
  return { sid: id, account_sid: sid, phone_number: number, sms_url, sms_method: 'POST' };
}

/** Messages to all numbers that have no address of their own. */
function changeService(network: SmsNetwork, { params, body }: Call): Reply {
  const { InboundRequestUrl: inbound_request_url = network.inboundUrl } = formOf(body);
  network.inboundUrl = inbound_request_url;
  network.allowLinks(inbound_request_url);
  const service = { sid: params.service, account_sid: sid, inbound_request_url };
  return { status: 200, body: { ...service, inbound_method: 'POST' } };
}

/** Redirects to a store that needs no credentials. */
function leadOn(network: SmsNetwork, { params }: Call): Reply {
  if (network.files.get(params.media) === undefined) return refusal(404, 20404, 'Not found');
  return { status: 307, headers: { location: `${network.url}/media/${params.media}` } };
}

function mediaReply(network: SmsNetwork, { params, headers }: Call): Reply {
  const file = network.files.get(params.media);
  if (headers.authorization !== undefined) return { status: 400 };
  return file === undefined ? { status: 404 } : fileReply(file);
}

function send(network: SmsNetwork, call: Call): Reply {
  const form = formOf(call.body);
  const { To: to = '', Body: text = '', From: from = sandboxSettings.from } = form;
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return refusal(400, 21211, "Invalid 'To' Phone Number");
  if (form.From === undefined && form.MessagingServiceSid === undefined) {
    return refusal(400, 21603, "A 'From' phone number is required");
  }
  if (text === '') return refusal(400, 21602, 'Message body is required');
  if (text.length > 1_600) return refusal(400, 21617, 'The concatenated message body exceeds 1600');
  const code = to.slice(-5);
  const outcome = Object.hasOwn(refusals, code) ? refusals[code] : undefined;
  if (outcome !== undefined) return refusal(outcome[0], Number(code), outcome[1]);
  if (network.hasStopped(to.slice(1), from)) {
    return refusal(400, 21610, 'Attempt to send to unsubscribed recipient');
  }
  if (network.quota.take(network.now) > 0) return refusal(429, 20429, 'Too Many Requests');
  const id = `SM${network.hex(32)}`;
  const message = { id, to: to.slice(1), from, text, fields: form };
  const url = form.StatusCallback;
  network.follow(message, isFailing(message), (step) =>
    url === undefined ? undefined : report(network, message, url, step),
  );
  const entry = { id, to: message.to, ...referenceIn(url) };
  return network.accept(message, entry, { status: 201, body: shown(message, 'queued') });
}

function look(network: SmsNetwork, call: Call): Reply {
  const message = network.messages.find((each) => each.id === call.params.message);
  if (message === undefined) return refusal(404, 20404, 'The requested resource was not found');
  return { status: 200, body: shown(message, network.rungOf(message) ?? 'queued') };
}

const pageSizeMax = 1_000;

function list(network: SmsNetwork, { query }: Call): Reply {
  const to = query.get('To')?.replace(/^\+/, '');
  const size = Math.min(Number(query.get('PageSize') ?? 50) || 50, pageSizeMax);
  const found = network.messages.filter((each) => to === undefined || each.to === to);
  const messages = found
    .toReversed()
    .slice(0, size)
    .map((each) => shown(each, network.rungOf(each) ?? 'queued'));
  const page = { page: 0, page_size: size, start: 0, next_page_uri: null };
  return { status: 200, body: { messages, ...page } };
}

function isFailing({ to }: HeldSms): boolean {
  return Object.hasOwn(failures, to.slice(-5));
}

/** A person who got nothing, and whose digits name no code, has an unknown handset. */
function errorOf(message: HeldSms): string {
  return isFailing(message) ? message.to.slice(-5) : '30005';
}

function shown(message: HeldSms, status: string) {
  const error_code = status === 'undelivered' ? Number(errorOf(message)) : null;
  const { id, to, from: sender, text } = message;
  const num_segments = String(segmentCount(text));
  const parties = { to: `+${to}`, from: sender };
  return { sid: id, account_sid: sid, ...parties, body: text, num_segments, status, error_code };
}

/** Characters of the GSM alphabet; those of its extension take two places. */
const gsm =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ!"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
  'ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '^{}\\[~]|€\f';

/** 160 places, or 153 a segment; 70, or 67, when a character is not of the alphabet. */
function segmentCount(text: string): number {
  const characters = [...text];
  const isGsm = characters.every((each) => gsm.includes(each) || extension.includes(each));
  if (!isGsm) return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  const places = characters.reduce((sum, each) => sum + (extension.includes(each) ? 2 : 1), 0);
  return places <= 160 ? 1 : Math.ceil(places / 153);
}

function report(
  network: SmsNetwork,
  message: HeldSms,
  url: string,
  MessageStatus: string,
): OutgoingWebhook {
  const isLost = MessageStatus === 'undelivered';
  return post(network, url, {
    MessageSid: message.id,
    MessageStatus,
    To: `+${message.to}`,
    From: message.from,
    AccountSid: sid,
    ...(isLost ? { ErrorCode: errorOf(message) } : {}),
  });
}

/** Signed over the address as the customer sees it: the fragment is for Twilio only. */
function post(
  network: SmsNetwork,
  url: string,
  fields: Readonly<Record<string, string>>,
): OutgoingWebhook {
  const rows = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = url.replace(/#.*$/, '') + rows.map(([name, value]) => name + value).join('');
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(signed).digest('base64'),
      'i-twilio-idempotency-token': network.hex(32),
    },
    body: new URLSearchParams(fields).toString(),
  };
}

function refusal(status: number, code: number, message: string): Reply {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return { status, body: { code, message, more_info, status } };
}
