import { quietUntil } from '@drawbridge/messaging/broadcast/quiet-hours.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { BroadcastContext } from '../context.ts';
import type { BroadcastRow } from '../store.ts';
import { postponeZone } from './message-store.ts';

/** How many messages one statement moves. */
const pieceSize = 5_000;

/**
 * A broadcast that takes hours reaches the quiet hours of some recipients: messages that were not
 * sent to them by then wait until the quiet hours end.
 */
export class QuietHoursPostponer {
  readonly #context: BroadcastContext;
  readonly #scope: TenantScope;
  readonly #broadcast: BroadcastRow;

  constructor(context: BroadcastContext, scope: TenantScope, broadcast: BroadcastRow) {
    this.#context = context;
    this.#scope = scope;
    this.#broadcast = broadcast;
  }

  /** Postpones due messages in zones where quiet hours have begun. */
  async postpone(): Promise<void> {
    const { quiet_from, quiet_to, zones } = this.#broadcast;
    if (quiet_from === null || quiet_to === null) return;
    const quiet = { from: quiet_from, to: quiet_to };
    for (const zone of zones) {
      const until = quietUntil(this.#context.clock(), zone, quiet);
      if (until !== undefined) await this.#postponeZone(zone, until);
    }
  }

  async #postponeZone(zone: string, until: Date): Promise<void> {
    const { db } = this.#context;
    const { tenantId } = this.#scope;
    const piece = { zone, until, limit: pieceSize };
    const move = () =>
      db.tenant(tenantId, (tx) => postponeZone(tx, this.#scope, this.#broadcast.id, piece));
    while ((await move()) === pieceSize);
  }
}
