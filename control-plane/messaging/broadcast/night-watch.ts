import { quietUntil } from '@drawbridge/messaging/broadcast/quiet-hours.ts';
import type { Place } from '../contacts/store.ts';
import type { BroadcastEdge } from './edge.ts';
import { postpone } from './message-store.ts';
import type { BroadcastRow } from './store.ts';

/** Messages that one statement moves. */
const pieceSize = 5_000;

/**
 * A broadcast that takes hours runs into the quiet hours of some: what has not gone to them by then
 * waits for the morning.
 */
export class NightWatch {
  readonly #edge: BroadcastEdge;
  readonly #place: Place;
  readonly #broadcast: BroadcastRow;

  constructor(edge: BroadcastEdge, place: Place, broadcast: BroadcastRow) {
    this.#edge = edge;
    this.#place = place;
    this.#broadcast = broadcast;
  }

  /** Puts off what is due in zones where it is night by now. */
  async postpone(): Promise<void> {
    const { quiet_from, quiet_to, zones } = this.#broadcast;
    if (quiet_from === null || quiet_to === null) return;
    const quiet = { from: quiet_from, to: quiet_to };
    for (const zone of zones) {
      const until = quietUntil(this.#edge.clock(), zone, quiet);
      if (until !== undefined) await this.#postponeZone(zone, until);
    }
  }

  async #postponeZone(zone: string, until: Date): Promise<void> {
    const { db } = this.#edge;
    const { tenantId } = this.#place;
    const piece = { zone, until, limit: pieceSize };
    const move = () =>
      db.tenant(tenantId, (tx) => postpone(tx, this.#place, this.#broadcast.id, piece));
    while ((await move()) === pieceSize);
  }
}
