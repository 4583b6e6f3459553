import { createHmac } from 'node:crypto';
import { hasBasicAuthorization } from '../../simulation/basic-authorization.ts';
import {
  type Call,
  type Endpoint,
  jsonObject,
  type Reply,
  type RunningSimulator,
} from '../../simulation/server.ts';
import type { ChannelSimulator } from '../simulation/contract.ts';
import { controlEndpoints, type MagicTable } from '../simulation/control-endpoints.ts';
import { peopleTable } from '../simulation/recipient-behaviour.ts';
import { plivo } from '../simulation/retry-policy.ts';
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
  auth_id: 'MASANDBOX00000000001',
  auth_token: 'sandbox-auth-token',
  from: '60123456789',
} as const;

const { auth_id: accountId, auth_token: token } = sandboxSettings;

/** Refusals by the last four digits of the recipient: status and sentence. */
const refusals: Readonly<Record<string, readonly [number, string]>> = {
  9400: [400, 'dst parameter is not a valid phone number'],
  9402: [402, 'insufficient credits'],
  9429: [429, 'rate limit exceeded'],
};

/** Failures by delivery report: the last four digits of the recipient are 8 and the code. */
const failures: Readonly<Record<string, string>> = {
  '010': 'invalid message',
  '020': 'network error',
  '030': 'taken for spam',
  '040': 'invalid source number',
  '050': 'invalid destination number',
  '070': 'destination permanently unavailable',
  '080': 'destination temporarily unavailable',
  '090': 'no route available',
  '100': 'prohibited by carrier',
  '200': 'source number blocked by STOP from destination number',
  '420': 'message expired',
  '900': 'insufficient credit',
  '910': 'account disabled',
};

const magic: MagicTable = [
  ...Object.entries(refusals).map(
    ([digits, [status, what]]) => [`…${digits}`, `refused with HTTP ${status}: ${what}`] as const,
  ),
  ...Object.entries(failures).map(
    ([code, what]) => [`…8${code}`, `undelivered with ${code}: ${what}`] as const,
  ),
  ...peopleTable,
];

const dialect: SmsDialect = {
  from: sandboxSettings.from,
  retry: plivo,
  messagesPerSecond: 50,
  inbound: (network, url, from, text, to) =>
    post(network, url, {
      From: from,
      MessageUUID: network.uuid(),
      Text: text,
      To: to,
      Type: 'sms',
    }),
};

/**
 * A loopback Plivo for SMS. Recipients ending in 9400, 9402, 9429 are refused with that status; a
 * message to a recipient ending in 8 and a three-digit error code (8200: stopped) fails with that
 * code.
 */
export async function startPlivoSimulator(
  options: SimulatorOptions,
): Promise<RunningSimulator & { readonly control: SmsControl }> {
  const network = new SmsNetwork(options, dialect);
  const settings = () => sandboxSettings;
  const control = { kind: 'plivo-sms', magic, settings, commands: smsCommands(network) };
  const all = [...endpoints(network), ...controlEndpoints(network, control)];
  const running = await network.serve(all, options.port);
  return { ...running, control: network.control() };
}

/** Plivo as a separate process. */
export const simulator: ChannelSimulator = {
  kind: 'plivo-sms',
  magic,
  start: ({ webhookUrl, ...options }) =>
    startPlivoSimulator({ ...options, inboundUrl: webhookUrl }),
  account: smsAccount(''),
};

function endpoints(network: SmsNetwork): readonly Endpoint[] {
  const path = '/v1/Account/:id/Message/';
  const applications: Application[] = [];
  const on = (method: 'get' | 'post', path: string, work: (call: Call) => Reply): Endpoint => ({
    method,
    path,
    handle: (call) => guarded(call, () => work(call)),
  });
  return [
    on('get', path, (call) => list(network, call)),
    on('get', '/v1/Account/:id/Application/', ({ query }) => {
      const name = query.get('app_name');
      const objects = applications.filter((each) => name === null || each.app_name === name);
      return { status: 200, body: { api_id: network.uuid(), ...pageOf(objects, query) } };
    }),
    on('post', '/v1/Account/:id/Application/', (call) => {
      const { app_name, message_url } = jsonObject(call) ?? {};
      if (typeof app_name !== 'string' || !/^[\w-]{1,60}$/.test(app_name)) {
        return refusal(400, 'app_name is not valid');
      }
      if (applications.some((each) => each.app_name === app_name)) {
        return refusal(400, 'app_name already exists');
      }
      const app_id = String(10_000_000_000_000_000n + BigInt(applications.length));
      applications.push({ app_id, app_name, message_url: String(message_url) });
      return { status: 201, body: { api_id: network.uuid(), message: 'created', app_id } };
    }),
    on('post', '/v1/Account/:id/Application/:app/', (call) => {
      const known = applications.find((each) => each.app_id === call.params.app);
      if (known === undefined) return refusal(404, 'not found');
      known.message_url = String(jsonObject(call)?.message_url ?? known.message_url);
      return { status: 202, body: { api_id: network.uuid(), message: 'changed' } };
    }),
    on('post', '/v1/Account/:id/Number/:number/', (call) => {
      const number = call.params.number ?? '';
      const asked = String(jsonObject(call)?.app_id);
      const known = applications.find((each) => each.app_id === asked);
      if (network.routeOf(number) === undefined) return refusal(404, 'not found');
      if (known === undefined) return refusal(400, 'app_id is not valid');
      network.route(number, known.message_url);
      return { status: 202, body: { api_id: network.uuid(), message: 'changed' } };
    }),
    {
      method: 'post',
      path,
      handle: (call) => network.sending(() => guarded(call, () => send(network, call))),
    },
    {
      method: 'get',
      path: `${path}:message/`,
      handle: (call) => guarded(call, () => look(network, call)),
    },
  ];
}

/** What an address of Plivo belongs to; numbers refer to it. */
interface Application {
  readonly app_id: string;
  readonly app_name: string;
  message_url: string;
}

const pageMax = 20;

function pageOf(all: readonly object[], query: URLSearchParams) {
  const limit = Math.min(Number(query.get('limit') ?? pageMax) || pageMax, pageMax);
  const offset = Number(query.get('offset') ?? 0) || 0;
  const meta = { limit, offset, total_count: all.length, next: null, previous: null };
  return { meta, objects: all.slice(offset, offset + limit) };
}

/** The newest first, all or those in a state. */
function list(network: SmsNetwork, { query }: Call): Reply {
  const state = query.get('message_state');
  const all = network.messages.toReversed().map((each) => shown(network, each));
  const found = all.filter((each) => state === null || each.message_state === state);
  return { status: 200, body: { api_id: network.uuid(), ...pageOf(found, query) } };
}

function guarded(call: Call, work: () => Reply): Reply {
  const isKnown =
    hasBasicAuthorization(call.headers, accountId, token) && call.params.id === accountId;
  return isKnown ? work() : refusal(401, 'Could not verify your access level for that URL.');
}

function send(network: SmsNetwork, call: Call): Reply {
  const body = jsonObject(call);
  const to = body?.dst;
  const text = body?.text;
  if (typeof to !== 'string' || !/^[1-9]\d{6,14}$/.test(to)) {
    return refusal(400, 'dst parameter is not a valid phone number');
  }
  if (typeof text !== 'string' || text === '' || typeof body?.src !== 'string') {
    return refusal(400, 'mandatory parameter missing');
  }
  const outcome = Object.hasOwn(refusals, to.slice(-4)) ? refusals[to.slice(-4)] : undefined;
  if (outcome !== undefined) return refusal(...outcome);
  if (network.quota.take(network.now) > 0) return refusal(429, 'rate limit exceeded');
  const url = typeof body.url === 'string' ? body.url : undefined;
  const message: HeldSms = { id: network.uuid(), to, from: body.src, text, fields: {} };
  network.follow(message, codeOf(to) !== undefined, (step) =>
    url === undefined ? undefined : report(network, message, url, step),
  );
  const answer = { api_id: network.uuid(), message: 'message(s) queued' };
  const reply = { status: 202, body: { ...answer, message_uuid: [message.id] } };
  return network.accept(message, { id: message.id, to, ...referenceIn(url) }, reply);
}

function look(network: SmsNetwork, call: Call): Reply {
  const message = network.messages.find((each) => each.id === call.params.message);
  if (message === undefined) return refusal(404, 'not found');
  return { status: 200, body: { api_id: network.uuid(), ...shown(network, message) } };
}

function shown(network: SmsNetwork, message: HeldSms) {
  const { id, to, from } = message;
  const state = network.rungOf(message) ?? 'queued';
  const error_code = state === 'undelivered' ? String(Number(codeOf(to) ?? '070')) : '000';
  const numbers = { to_number: to, from_number: from, message_direction: 'outbound' };
  return {
    message_uuid: id,
    message_state: state,
    message_type: 'sms',
    error_code,
    ...numbers,
    resource_uri: `/v1/Account/${accountId}/Message/${id}/`,
  };
}

function codeOf(to: string): string | undefined {
  const code = /8(\d{3})$/.exec(to)?.[1];
  return code !== undefined && Object.hasOwn(failures, code) ? code : undefined;
}

function report(
  network: SmsNetwork,
  { id, to, from }: HeldSms,
  url: string,
  Status: string,
): OutgoingWebhook {
  return post(network, url, {
    MessageUUID: id,
    ParentMessageUUID: id,
    To: to,
    From: from,
    Type: 'sms',
    Status,
    ErrorCode: Status === 'undelivered' ? String(Number(codeOf(to) ?? '070')) : '000',
    PartInfo: '1 of 1',
  });
}

function post(
  network: SmsNetwork,
  address: string,
  form: Readonly<Record<string, string>>,
): OutgoingWebhook {
  const nonce = network.hex(20);
  const url = new URL(address);
  const bySort = (rows: Iterable<[string, string]>) =>
    [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const query = bySort(url.searchParams).map(([name, value]) => `${name}=${value}`);
  const fields = bySort(Object.entries(form)).map(([name, value]) => name + value);
  const dot = query.length === 0 ? '' : '.';
  const signed = `${url.origin}${url.pathname}?${query.join('&')}${dot}${fields.join('')}.${nonce}`;
  return {
    method: 'POST',
    url: address,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-plivo-signature-v3': createHmac('sha256', token).update(signed).digest('base64'),
      'x-plivo-signature-v3-nonce': nonce,
    },
    body: new URLSearchParams(form).toString(),
  };
}

function refusal(status: number, error: string): Reply {
  return { status, body: { api_id: '00000000-0000-0000-0000-000000000000', error } };
}
