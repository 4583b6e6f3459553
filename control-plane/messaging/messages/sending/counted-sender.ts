import type { Metrics } from '../../../platform/metrics/metrics.ts';
import type { Sender } from './sender-contract.ts';

/** A sender whose outcomes are counted. */
export function countedSender(sender: Sender, metrics: Pick<Metrics, 'messages'>): Sender {
  return {
    send: async (scope, appId, claimId, rows, turn) => {
      const sent = await sender.send(scope, appId, claimId, rows, turn);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { id, outcome } of sent) {
        const { channel, broadcast_id } = byId.get(id)!;
        const origin = broadcast_id === null ? 'single' : 'broadcast';
        const { environment } = scope;
        metrics.messages.inc({ environment, channel, origin, outcome: outcome.kind });
      }
      return sent;
    },
  };
}
