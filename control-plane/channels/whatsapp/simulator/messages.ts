import { type Call, type Endpoint, jsonObject, type Reply } from '../../../simulation/server.ts';
import type { Json } from '../../simulation/json.ts';
import { objects } from './displayed-content.ts';
import { outcomeOf, refusal } from './errors.ts';
import type { BusinessNumber, HeldMessage, Network } from './network.ts';
import { account } from './sandbox-account.ts';
import { followMessage } from './webhooks.ts';

/** `POST /{version}/{phone-number-id}/messages` */
export function messageEndpoints(network: Network): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path: '/:version/:number/messages',
      handle: (call) => network.sending(() => send(network, call)),
    },
  ];
}

function send(network: Network, call: Call): Reply {
  if (call.headers.authorization !== `Bearer ${account.accessToken}`) {
    return refusal(190, 'Error validating access token');
  }
  const number = network.numbers.get(call.params.number ?? '');
  if (number === undefined) {
    return refusal(100, 'Unsupported post request: the object does not exist');
  }
  const body = jsonObject(call);
  if (body?.messaging_product !== 'whatsapp') return refusal(100, 'messaging_product is required');
  const to = recipientOf(body);
  if (to === undefined) return refusal(131008, 'Parameter to or recipient is required');
  const outcome = outcomeOf(to);
  if (outcome?.kind === 'refused') return refusal(outcome.code, 'chosen by the recipient');
  const fault = faultOf(network, number, body, to) ?? limitOf(network, number, to);
  if (fault !== undefined) return fault;
  const message = heldOf(network, number, body, to);
  const isClosed = body.type !== 'template' && !network.hasOpenWindow(number.phoneNumberId, to);
  followMessage(network, number, message, outcome?.code ?? (isClosed ? 131047 : undefined));
  const { id, callbackData } = message;
  const entry = { id, to, ...(callbackData === undefined ? {} : { reference: callbackData }) };
  return network.accept(message, entry, { status: 200, body: answerTo(message) });
}

function limitOf(network: Network, number: BusinessNumber, to: string): Reply | undefined {
  if (number.upgradedAt !== undefined && network.now < number.upgradedAt) {
    return refusal(131057, 'The number is being upgraded');
  }
  if (number.quota.take(network.now) > 0) {
    return refusal(130429, 'Cloud API message throughput has been reached');
  }
  const isTooMany = network.pairs.take(`${number.phoneNumberId} ${to}`, network.now) > 0;
  return isTooMany ? refusal(131056, 'Too many messages to the same person') : undefined;
}

function heldOf(network: Network, number: BusinessNumber, body: Json, to: string): HeldMessage {
  const data = body.biz_opaque_callback_data;
  return {
    id: network.nextId('wamid.'),
    to,
    type: String(body.type ?? 'text'),
    phoneNumberId: number.phoneNumberId,
    body,
    ...(typeof data === 'string' ? { callbackData: data } : {}),
  };
}

function answerTo({ id, to, type }: HeldMessage): Json {
  const isNumber = /^\d+$/.test(to);
  return {
    messaging_product: 'whatsapp',
    contacts: [isNumber ? { input: to, wa_id: to } : { input: to, user_id: to }],
    messages: [{ id, ...(type === 'template' ? { message_status: 'accepted' } : {}) }],
  };
}

/** Digits of a number (a `+` and separators are allowed), or a business-scoped id. */
function recipientOf(body: Json): string | undefined {
  if (typeof body.to === 'string') {
    const digits = body.to.replace(/[\s()+-]/g, '');
    return /^\d{7,15}$/.test(digits) ? digits : undefined;
  }
  const id = body.recipient;
  return typeof id === 'string' && /^[A-Z]{2}\.[A-Za-z0-9]{5,128}$/.test(id) ? id : undefined;
}

const textMax = 4_096;

function faultOf(
  network: Network,
  number: BusinessNumber,
  body: Json,
  to: string,
): Reply | undefined {
  const type = String(body.type ?? 'text');
  const part = body[type];
  if (typeof part !== 'object' || part === null) {
    return refusal(131008, `Parameter ${type} is required`);
  }
  const fields = part as Json;
  switch (type) {
    case 'template':
      return templateFault(network, number, fields, to);
    case 'text': {
      const text = String(fields.body ?? '');
      return text === '' || text.length > textMax ? refusal(100, 'Param text.body') : undefined;
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
    case 'sticker': {
      const isOne = (fields.id === undefined) !== (fields.link === undefined);
      return isOne ? undefined : refusal(100, `Param ${type}: one of id and link`);
    }
    case 'location':
      return typeof fields.latitude === 'number' && typeof fields.longitude === 'number'
        ? undefined
        : refusal(131009, 'Param location');
    case 'contacts':
      return Array.isArray(part) && part.length > 0 ? undefined : refusal(131009, 'Param contacts');
    case 'reaction':
      return typeof fields.message_id === 'string' ? undefined : refusal(131009, 'Param reaction');
    case 'interactive':
      return interactiveFault(fields);
    default:
      return refusal(131051, `Message type ${type}`);
  }
}

function interactiveFault(fields: Json): Reply | undefined {
  const action = (fields.action ?? {}) as Json;
  const buttons = Array.isArray(action.buttons) ? action.buttons.length : 0;
  const isWhole =
    (fields.type === 'button' && buttons >= 1 && buttons <= 3) ||
    (fields.type === 'list' &&
      typeof action.button === 'string' &&
      Array.isArray(action.sections)) ||
    (fields.type === 'cta_url' && action.name === 'cta_url');
  return isWhole ? undefined : refusal(131009, 'Param interactive');
}

function templateFault(
  network: Network,
  number: BusinessNumber,
  use: Json,
  to: string,
): Reply | undefined {
  const language = (use.language as Json | undefined)?.code;
  if (typeof language !== 'string') return refusal(131008, 'Parameter template.language.code');
  const template = network.templateOf(number.wabaId, String(use.name), language);
  const missing = `template name (${String(use.name)}) does not exist in ${language}`;
  if (template === undefined) return refusal(132001, missing);
  if (template.status === 'PAUSED') return refusal(132015, 'Template is paused');
  if (template.status === 'DISABLED') return refusal(132016, 'Template is disabled');
  if (template.status !== 'APPROVED') return refusal(132001, missing);
  if (template.category === 'AUTHENTICATION' && !/^\d+$/.test(to)) {
    return refusal(131062, 'Authentication templates need a phone number');
  }
  const used = objects(use.components);
  const parameters = (type: string) =>
    objects(used.find((each) => String(each.type).toLowerCase() === type)?.parameters).length;
  const part = (type: string) => template.components.find((each) => each.type === type);
  const header = part('HEADER');
  const isFile = ['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'].includes(String(header?.format));
  const counts = [
    ['body', parameters('body'), placesIn(part('BODY')?.text)],
    ['header', parameters('header'), isFile ? 1 : placesIn(header?.text)],
  ] as const;
  for (const [where, found, wanted] of counts) {
    if (found === wanted) continue;
    const detail = `${where}: number of localizable_params (${found}) does not match ${wanted}`;
    return refusal(132000, detail);
  }
  const open = objects(part('BUTTONS')?.buttons).findIndex((each) => placesIn(each.url) > 0);
  const isFilled = used.some(
    (each) => /^button$/i.test(String(each.type)) && Number(each.index) === open,
  );
  if (open === -1 || isFilled) return undefined;
  return refusal(131008, `Button at index ${open} of type Url requires a parameter`);
}

/** How many different variables a text has. */
function placesIn(text: unknown): number {
  return new Set(String(text ?? '').match(/\{\{[^{}]+\}\}/g) ?? []).size;
}
