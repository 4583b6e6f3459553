/** Redirects visitors of short links. */
import { tally } from '@drawbridge/messaging/broadcast/tally.ts';
import { isProgram } from '@drawbridge/messaging/broadcast/visitors.ts';
import { z } from 'zod';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { hostOf } from '../../../platform/http/host.ts';
import { route } from '../../../platform/http/route.ts';
import { newId } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { fail } from '../../errors.ts';
import { eventOf } from '../../messages/events.ts';
import { findMessages } from '../../messages/store.ts';
import { domain } from '../../tenants/schema.ts';
import type { BroadcastContext } from '../context.ts';
import { addChanges } from '../reports/count-store.ts';
import { findTarget, insertClick, type LinkTarget, noteClicked } from './store.ts';

const agentLengthMax = 300;

/**
 * Redirects only to addresses that were stored with a message, so nobody can make it lead
 * elsewhere.
 */
export function redirectRoute(context: BroadcastContext) {
  return route({
    method: 'get',
    path: '/l/{code}/',
    operationId: 'followLink',
    summary: 'Follow a short link',
    tag: 'Broadcast',
    auth: { public: 'The people who are written to have no account.' },
    request: { params: z.strictObject({ code: z.string().max(64) }) },
    responses: { 302: { description: 'A redirect to the address.' } },
    errors: ['short_link_not_found'],
    handler: async ({ params: { code }, environment, raw, log }) => {
      const wanted = code.toLowerCase();
      const host = hostOf(raw);
      const isOwn = isOwnHost(host, context.publicUrl(environment));
      const target = await context.db.system((tx) =>
        findTarget(tx, wanted, environment, host, isOwn),
      );
      if (target === undefined) {
        throw fail('short_link_not_found', 'This link leads nowhere.');
      }
      const { method = 'GET', headers } = raw;
      const visit = {
        isBot: isProgram({ method, headers }),
        agent: headers['user-agent']?.slice(0, agentLengthMax) ?? null,
      };
      const scope = { tenantId: target.tenant_id, environment: target.environment };
      // A click that cannot be counted must not keep the visitor waiting.
      await record(context, scope, wanted, target, visit).catch((err: unknown) => {
        log.warn({ err }, 'a click was not recorded');
      });
      return {
        status: 302,
        headers: {
          // Headers are ASCII: letters of other scripts are written as bytes.
          location: new URL(target.url).href,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        },
      };
    },
  });
}

/** Whether it is the service's own: how clients reach it, or a name that no tenant can have, such as an address. */
function isOwnHost(host: string, publicUrl: string): boolean {
  return host === new URL(publicUrl).hostname || !domain.safeParse(host).success;
}

interface Visitor {
  readonly isBot: boolean;
  readonly agent: string | null;
}

function record(
  { db, clock, random }: BroadcastContext,
  scope: TenantScope,
  code: string,
  target: LinkTarget,
  { isBot, agent }: Visitor,
): Promise<void> {
  const now = clock();
  const { broadcast_id, channel, message_id, url } = target;
  return db.tenant(scope.tenantId, async (tx) => {
    const id = newId('clk', () => now, random);
    const click = { ...target, id, code, is_bot: isBot, user_agent: agent, clicked_at: now };
    const isFirst = await insertClick(tx, scope, click);
    const isNew = isFirst && (await noteClicked(tx, scope, message_id, broadcast_id, now));
    const counts = isBot ? tally({ bot_clicks: 1 }) : tally({ clicks: 1, clicked: isNew ? 1 : 0 });
    await addChanges(tx, scope, [{ broadcast_id, channel, at: now, ...counts }]);
    if (isBot) return;
    const [message] = await findMessages(tx, scope, [message_id]);
    const contact_id = message?.contact_id ?? null;
    const data = { message_id, contact_id, channel, url, is_first: isFirst };
    const event = eventOf(scope, 'broadcast.click', broadcast_id, data, now, random);
    await addEvents(tx, scope.tenantId, [event]);
  });
}
