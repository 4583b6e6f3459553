import { createHash } from 'node:crypto';
import { type Call, type Endpoint, jsonObject, type Reply } from '../../../simulation/server.ts';
import { fileReply } from '../../simulation/files.ts';
import { sendWebhookOnce } from '../../simulation/webhook-attempt.ts';
import { refusal } from './errors.ts';
import type { BusinessNumber, Network } from './network.ts';
import { account } from './sandbox-account.ts';
import { handshakeAt, queueValue } from './webhooks.ts';

const upgradeMs = 60_000;
const upgradedPerSecond = 1_000;

/** A number's properties and limits, and the webhook address of a business account. */
export function accountEndpoints(network: Network): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path: '/:version/:waba/subscribed_apps',
      handle: (call) => signedIn(call, () => subscribe(network, call)),
    },
    {
      method: 'get',
      path: '/:version/:number',
      handle: (call) => signedIn(call, () => show(network, call)),
    },
    {
      method: 'get',
      path: '/whatsapp_business/attachments/:file',
      handle: (call) => signedIn(call, () => attachment(network, call)),
    },
  ];
}

/** Does the work where the call has the account's token. */
export function signedIn<T>(call: Call, work: () => T): T | Reply {
  const isKnown = call.headers.authorization === `Bearer ${account.accessToken}`;
  return isKnown ? work() : refusal(190, 'Error validating access token');
}

/** The new address is tested first: it must know the token, and return the challenge. */
async function subscribe(network: Network, call: Call): Promise<Reply> {
  const wabaId = call.params.waba ?? '';
  if (![...network.numbers.values()].some((each) => each.wabaId === wabaId)) {
    return refusal(100, 'no such account');
  }
  const { override_callback_uri: address, verify_token: token } = jsonObject(call) ?? {};
  if (address === undefined) return { status: 200, body: { success: true } };
  if (typeof address !== 'string' || !URL.canParse(address)) return refusal(100, 'Invalid URL');
  const challenge = String(Math.floor(network.random() * 2 ** 31));
  const answer = await sendWebhookOnce(handshakeAt(address, String(token), challenge));
  if (answer.status !== 200 || answer.body !== challenge) {
    return refusal(100, 'Callback verification failed');
  }
  network.sendWebhooksTo(address, wabaId);
  return { status: 200, body: { success: true } };
}

function show(network: Network, call: Call): Reply {
  const number = network.numbers.get(call.params.number ?? '');
  if (number === undefined) return showFile(network, call);
  const level = number.quota.count >= upgradedPerSecond ? 'HIGH' : 'STANDARD';
  const body = {
    id: number.phoneNumberId,
    display_phone_number: number.displayPhoneNumber,
    verified_name: 'Sandbox',
    quality_rating: 'GREEN',
    messaging_limit_tier: 'TIER_UNLIMITED',
    throughput: { level },
  };
  return { status: 200, body };
}

/**
 * The network raises a number's limit: for a minute it accepts nothing, then the limit is higher.
 */
export function upgrade(network: Network, number: BusinessNumber): void {
  number.upgradedAt = network.now + upgradeMs;
  number.quota.count = upgradedPerSecond;
  const value = {
    display_phone_number: number.displayPhoneNumber,
    event: 'THROUGHPUT_UPGRADE',
    current_limit: 'TIER_UNLIMITED',
  };
  queueValue(network, 'phone_number_quality_update', value, number.wabaId);
}

/** A file is an object like a number, and is requested the same way. */
function showFile(network: Network, { params }: Call): Reply {
  const file = network.files.get(params.number);
  if (file === undefined) return refusal(100, 'the object does not exist');
  const { id, mediaType: mime_type, bytes } = file;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const url = `${network.url}/whatsapp_business/attachments/${id}`;
  const body = {
    messaging_product: 'whatsapp',
    url,
    mime_type,
    sha256,
    file_size: bytes.length,
    id,
  };
  return { status: 200, body };
}

function attachment(network: Network, { params }: Call): Reply {
  const file = network.files.get(params.file);
  return file === undefined ? { status: 404 } : fileReply(file);
}
