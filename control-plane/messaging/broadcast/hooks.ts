/** What the engine does when messages move or come in. */
import { type Tally, tally, tallyOfMoves } from '@drawbridge/messaging/broadcast/tally.ts';
import type { Clock } from '../../platform/ids.ts';
import type { MessageHooks, Move } from '../messages/hooks.ts';
import { addChanges, type CountChange } from './count-store.ts';
import { noteReplies } from './link-store.ts';

/** An answer that comes later is about something else. */
const replyWindowMs = 72 * 3_600_000;
const hourMs = 3_600_000;

export function broadcastHooks({ clock }: { readonly clock: Clock }): MessageHooks {
  return {
    moved: (tx, place, moves) => addChanges(tx, place, changesOf(moves)),
    received: async (tx, place, messages) => {
      const replies = messages.flatMap(({ contact_id, channel }) =>
        contact_id === null ? [] : [{ contact_id, channel }],
      );
      if (replies.length === 0) return;
      const now = clock();
      const since = new Date(now.getTime() - replyWindowMs);
      const answered = await noteReplies(tx, place, replies, since, now);
      const each = tally({ replied: 1 });
      const changes = answered.map(({ broadcast_id, channel }) => {
        return { broadcast_id, channel, at: now, ...each };
      });
      await addChanges(tx, place, changes);
    },
  };
}

/** One change a broadcast and hour, however many messages moved. */
function changesOf(moves: readonly Move[]): CountChange[] {
  const own = moves.flatMap((move) =>
    move.broadcastId === null ? [] : [{ ...move, broadcastId: move.broadcastId }],
  );
  const groups = Map.groupBy(own, ({ broadcastId, at }) => {
    return `${broadcastId} ${Math.floor(at.getTime() / hourMs)}`;
  });
  return [...groups.values()].flatMap((group): CountChange[] => {
    const { broadcastId: broadcast_id, channel, at } = group[0]!;
    const counts: Tally = tallyOfMoves(group);
    const isNothing = Object.values(counts).every((count) => count === 0);
    return isNothing ? [] : [{ broadcast_id, channel, at, ...counts }];
  });
}
