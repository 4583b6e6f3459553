/** Where short links come in. */
import { tally } from '@drawbridge/messaging/broadcast/tally.ts';
import { isProgram } from '@drawbridge/messaging/broadcast/visitors.ts';
import { z } from 'zod';
import { route } from '../../platform/http/route.ts';
import { newId } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import { eventOf } from '../messages/events.ts';
import { findMessages } from '../messages/store.ts';
import { addChanges } from './count-store.ts';
import type { BroadcastEdge } from './edge.ts';
import { findTarget, insertClick, noteClicked, type Target } from './link-store.ts';

const agentLengthMax = 300;

/** Leads only to addresses that were stored with a message: it cannot be made to lead elsewhere. */
export function redirectRoute(edge: BroadcastEdge) {
  return route({
    method: 'get',
    path: '/l/{code}/',
    operationId: 'followLink',
    summary: 'Follow a short link',
    tag: 'Broadcast',
    auth: { public: 'The people who are written to have no account.' },
    request: { params: z.strictObject({ code: z.string().max(64) }) },
    responses: { 302: { description: 'On to the address.' } },
    errors: ['short_link_not_found'],
    handler: async ({ params: { code }, environment, raw, log }) => {
      const wanted = code.toLowerCase();
      const target = await edge.db.system((tx) => findTarget(tx, wanted, environment));
      if (target === undefined) {
        throw fail('short_link_not_found', 'This link leads nowhere.');
      }
      const { method = 'GET', headers } = raw;
      const visit = {
        isBot: isProgram({ method, headers }),
        agent: headers['user-agent']?.slice(0, agentLengthMax) ?? null,
      };
      const place = { tenantId: target.tenant_id, environment };
      // Who clicked wants to get on: counting is our own affair.
      await record(edge, place, wanted, target, visit).catch((err: unknown) => {
        log.warn({ err }, 'a click was not written down');
      });
      return {
        status: 302,
        headers: {
          location: target.url,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        },
      };
    },
  });
}

interface Visitor {
  readonly isBot: boolean;
  readonly agent: string | null;
}

function record(
  { db, clock, random }: BroadcastEdge,
  place: Place,
  code: string,
  target: Target,
  { isBot, agent }: Visitor,
): Promise<void> {
  const now = clock();
  const { broadcast_id, channel, message_id, url } = target;
  return db.tenant(place.tenantId, async (tx) => {
    const id = newId('clk', () => now, random);
    const click = { ...target, id, code, is_bot: isBot, user_agent: agent, clicked_at: now };
    const isFirst = await insertClick(tx, place, click);
    const isNew = isFirst && (await noteClicked(tx, place, message_id, broadcast_id, now));
    const counts = isBot ? tally({ bot_clicks: 1 }) : tally({ clicks: 1, clicked: isNew ? 1 : 0 });
    await addChanges(tx, place, [{ broadcast_id, channel, at: now, ...counts }]);
    if (isBot) return;
    const [message] = await findMessages(tx, place, [message_id]);
    const contact_id = message?.contact_id ?? null;
    const data = { message_id, contact_id, channel, url, is_first: isFirst };
    const event = eventOf(place, 'broadcast.click', broadcast_id, data, now, random);
    await addEvents(tx, place.tenantId, [event]);
  });
}
