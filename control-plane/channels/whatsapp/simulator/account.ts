import { createHash } from 'node:crypto';
import { type Call, type Endpoint, jsonObject, type Reply } from '../../../simulation/server.ts';
import { fileReply } from '../../simulation/files.ts';
import { tryOnce } from '../../simulation/wire.ts';
import { refusal } from './errors.ts';
import { account } from './sandbox.ts';
import { handshakeAt, queueValue } from './webhooks.ts';
import type { BusinessNumber, World } from './world.ts';

const upgradeMs = 60_000;
const upgradedPerSecond = 1_000;

/** What a number is and may do, and where the webhooks of a business account go. */
export function accountEndpoints(world: World): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path: '/:version/:waba/subscribed_apps',
      handle: (call) => guarded(call, () => subscribe(world, call)),
    },
    {
      method: 'get',
      path: '/:version/:number',
      handle: (call) => guarded(call, () => show(world, call)),
    },
    {
      method: 'get',
      path: '/whatsapp_business/attachments/:file',
      handle: (call) => guarded(call, () => attachment(world, call)),
    },
  ];
}

function guarded<T>(call: Call, work: () => T): T | Reply {
  const isKnown = call.headers.authorization === `Bearer ${account.accessToken}`;
  return isKnown ? work() : refusal(190, 'Error validating access token');
}

/** The address given is tried first: it must know the token, and give the challenge back. */
async function subscribe(world: World, call: Call): Promise<Reply> {
  const wabaId = call.params.waba ?? '';
  if (![...world.numbers.values()].some((each) => each.wabaId === wabaId)) {
    return refusal(100, 'no such account');
  }
  const { override_callback_uri: address, verify_token: token } = jsonObject(call) ?? {};
  if (address === undefined) return { status: 200, body: { success: true } };
  if (typeof address !== 'string' || !URL.canParse(address)) return refusal(100, 'Invalid URL');
  const challenge = String(Math.floor(world.random() * 2 ** 31));
  const answer = await tryOnce(handshakeAt(address, String(token), challenge));
  if (answer.status !== 200 || answer.body !== challenge) {
    return refusal(100, 'Callback verification failed');
  }
  world.sendWebhooksTo(address, wabaId);
  return { status: 200, body: { success: true } };
}

function show(world: World, call: Call): Reply {
  const number = world.numbers.get(call.params.number ?? '');
  if (number === undefined) return showFile(world, call);
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

/** The network lets a number send more: for a minute it takes nothing, then the limit is higher. */
export function upgrade(world: World, number: BusinessNumber): void {
  number.upgradedAt = world.now + upgradeMs;
  number.quota.count = upgradedPerSecond;
  const value = {
    display_phone_number: number.displayPhoneNumber,
    event: 'THROUGHPUT_UPGRADE',
    current_limit: 'TIER_UNLIMITED',
  };
  queueValue(world, 'phone_number_quality_update', value, number.wabaId);
}

/** A file is an object as a number is, and is asked for alike. */
function showFile(world: World, { params }: Call): Reply {
  const file = world.files.get(params.number);
  if (file === undefined) return refusal(100, 'the object does not exist');
  const { id, mediaType: mime_type, bytes } = file;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const url = `${world.url}/whatsapp_business/attachments/${id}`;
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

function attachment(world: World, { params }: Call): Reply {
  const file = world.files.get(params.file);
  return file === undefined ? { status: 404 } : fileReply(file);
}
