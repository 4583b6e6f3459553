/** What the broadcast engine does when messages change or arrive. */
import { type Tally, tally, tallyOfChanges } from '@drawbridge/messaging/broadcast/tally.ts';
import type { Clock } from '../../platform/ids.ts';
import type { MessageHooks, StatusChange } from '../messages/hooks.ts';
import { noteReplies } from './links/store.ts';
import { addChanges, type CountChange } from './reports/count-store.ts';

/** A later message of the person is not an answer to the broadcast. */
const replyWindowMs = 72 * 3_600_000;
const hourMs = 3_600_000;

export function broadcastHooks({ clock }: { readonly clock: Clock }): MessageHooks {
  return {
    statusChanged: (tx, scope, changes) => addChanges(tx, scope, changesOf(changes)),
    received: async (tx, scope, messages) => {
      const replies = messages.flatMap(({ contact_id, channel }) =>
        contact_id === null ? [] : [{ contact_id, channel }],
      );
      if (replies.length === 0) return;
      const now = clock();
      const since = new Date(now.getTime() - replyWindowMs);
      const answered = await noteReplies(tx, scope, replies, since, now);
      const each = tally({ replied: 1 });
      const changes = answered.map(({ broadcast_id, channel }) => {
        return { broadcast_id, channel, at: now, ...each };
      });
      await addChanges(tx, scope, changes);
    },
  };
}

/** One change for each broadcast and hour, however many messages changed. */
function changesOf(changes: readonly StatusChange[]): CountChange[] {
  const own = changes.flatMap((change) =>
    change.broadcastId === null ? [] : [{ ...change, broadcastId: change.broadcastId }],
  );
  const groups = Map.groupBy(own, ({ broadcastId, at }) => {
    return `${broadcastId} ${Math.floor(at.getTime() / hourMs)}`;
  });
  return [...groups.values()].flatMap((group): CountChange[] => {
    const { broadcastId: broadcast_id, channel, at } = group[0]!;
    const counts: Tally = tallyOfChanges(group);
    const isNothing = Object.values(counts).every((count) => count === 0);
    return isNothing ? [] : [{ broadcast_id, channel, at, ...counts }];
  });
}
