import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { newUuid, type RandomBytes } from '../../platform/ids.ts';
import { appId } from '../apps/schema.ts';
import { readNumber } from '../contacts/actions.ts';
import { fail } from '../errors.ts';
import { showMessage } from '../messages/routes.ts';
import { messageId, messageView } from '../messages/schema.ts';
import { chooseApp, type QueueContext } from '../messages/sending/queue.ts';
import { callProvider, type ProviderContext, refused } from './provider.ts';
import { revokeMessage } from './revoke.ts';

export type RcsContext = QueueContext & ProviderContext & { readonly random: RandomBytes };

const path = '/rcs/v1/capabilities/';
const tag = 'RCS';
const phonesMax = 10_000;
const phone = z.string().max(32).describe('In international form with a leading +.');

const capability = z
  .strictObject({
    phone: z.string(),
    reachable: z.boolean(),
    features: z.array(z.string()).describe("The network's words, such as RICHCARD_CAROUSEL."),
  })
  .meta({ id: 'RcsCapability' });

const reachRequest = z
  .strictObject({ phones: z.array(phone).min(1).max(phonesMax), app_id: appId.optional() })
  .meta({ id: 'RcsReachRequest' });

const reachList = z
  .strictObject({
    results: z.array(z.strictObject({ phone: z.string(), reachable: z.boolean() })),
    reachable: z.number().int(),
  })
  .meta({ id: 'RcsReach' });

/** Only RCS can ask whom it reaches, and cancel messages that were sent. */
export function rcsRoutes(context: RcsContext): AnyRoute[] {
  return [capabilityRoute(context), reachRoute(context), revokeRoute(context)];
}

function capabilityRoute(context: RcsContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getRcsCapability',
    summary: 'Ask whether RCS reaches a number, and what it shows there',
    tag,
    auth: { scope: 'messages:read' },
    limit: 'read',
    request: { query: z.strictObject({ phone, app_id: appId.optional() }) },
    responses: { 200: { description: 'What the network says.', schema: capability } },
    errors: ['app_not_found', 'app_stopped', 'provider_refused'],
    handler: async ({ query, principal }) => {
      const number = readNumber(query.phone);
      const scope = scopeOf(principal);
      const { opened, reach } = await reachOf(context, scope, query.app_id);
      const id = newUuid(context.clock, context.random);
      const response = await callProvider(context, scope, opened, (callContext) =>
        reach.request(number, id, opened.app, callContext),
      );
      const outcome = reach.read(response, context.clock());
      if (outcome.kind === 'unreached') {
        return { status: 200, body: { phone: number, reachable: false, features: [] } };
      }
      if (outcome.kind !== 'reached') throw refused(outcome);
      const { features } = outcome;
      return { status: 200, body: { phone: number, reachable: true, features } };
    },
  });
}

function reachRoute(context: RcsContext) {
  return route({
    method: 'post',
    path,
    operationId: 'checkRcsReach',
    summary: 'Ask which of many numbers RCS reaches',
    description: `At most ${phonesMax} at once; to be asked before a broadcast. Nothing is sent.`,
    tag,
    auth: { scope: 'messages:read' },
    unaudited: 'it changes nothing',
    limit: 'write',
    bodyBytesMax: 512 * 1_024,
    request: { body: reachRequest },
    responses: { 200: { description: 'In the order that was asked.', schema: reachList } },
    errors: ['app_not_found', 'app_stopped', 'provider_refused'],
    handler: async ({ body, principal }) => {
      const numbers = body.phones.map((each, at) => readNumber(each, `phones.${at}`));
      const scope = scopeOf(principal);
      const { opened, reach } = await reachOf(context, scope, body.app_id);
      const response = await callProvider(context, scope, opened, (callContext) =>
        reach.requestMany([...new Set(numbers)], opened.app, callContext),
      );
      const outcome = reach.readMany(response, context.clock());
      if (outcome.kind !== 'reached') throw refused(outcome);
      const reached = new Set(outcome.phones);
      const results = numbers.map((each) => ({ phone: each, reachable: reached.has(each) }));
      const reachable = results.filter((each) => each.reachable).length;
      return { status: 200, body: { results, reachable } };
    },
  });
}

async function reachOf(context: RcsContext, scope: TenantScope, app: string | undefined) {
  const opened = await context.db.tenant(scope.tenantId, (tx) =>
    chooseApp(tx, context, scope, { channel: 'rcs', appId: app }),
  );
  const { reach } = opened.channel;
  if (reach === undefined)
    throw fail('provider_refused', 'The provider cannot say whom it reaches.');
  return { opened, reach };
}

function revokeRoute(context: RcsContext) {
  return route({
    method: 'post',
    path: '/rcs/v1/messages/{id}/revoke/',
    operationId: 'revokeRcsMessage',
    summary: 'Take back a message that has not arrived',
    description:
      'One that waits to be sent is not sent. Of one that was sent the network is asked; where it ' +
      'was faster, a report may still say that it arrived, and that holds.',
    tag,
    auth: { scope: 'messages:write' },
    unaudited: 'a message says itself what became of it',
    limit: 'write',
    request: { params: z.strictObject({ id: messageId }) },
    responses: { 200: { description: 'The message, canceled.', schema: messageView } },
    errors: ['message_not_found', 'too_late', 'app_not_found', 'provider_refused'],
    handler: async ({ params: { id }, principal }) => {
      const row = await revokeMessage(context, scopeOf(principal), id);
      return { status: 200, body: showMessage(row) };
    },
  });
}
