import type { Health } from '../health.ts';
import type { Report } from '../log/events.ts';
import type { Settings } from '../settings.ts';
import { canWriteIn, freeBytesAt, isOutOfSpace } from '../store/disk-space.ts';
import type { Store } from '../store/store.ts';

export interface RoomContext {
  readonly home: string;
  readonly settings: Pick<Settings, 'freeBytesMin' | 'queueBytesMax' | 'queueHoursMax'>;
  readonly store: Pick<Store, 'depths'>;
  readonly health: Pick<Health, 'report' | 'set'>;
  readonly clock: () => Date;
  readonly report: Report;
}

/** Whether there is room to read on. */
export interface RoomForMore {
  /** Looks, given the error of a write where one failed; reports when it has changed. */
  look(error?: unknown): boolean;
  isFull(): boolean;
}

/**
 * No source is read while the disk or the queue is full: it is a database, and can wait. Nothing is ever
 * dropped.
 */
export function createRoomForMore(context: RoomContext): RoomForMore {
  const { health, report } = context;
  const isFull = () => {
    const { disk, queue } = health.report();
    return disk.state === 'full' || queue.state === 'full';
  };
  const tell = (part: 'disk' | 'queue', cause: string | undefined) => {
    if (!health.set(part, cause === undefined ? 'room' : 'full', cause ?? '')) return;
    if (cause === undefined) report(`${part}_has_room`, 'the sources are read again');
    else report(`${part}_full`, `no source is read until there is room: ${cause}`);
  };
  return {
    isFull,
    look(error) {
      tell('disk', diskFull(context, error));
      tell('queue', queueFull(context));
      return !isFull();
    },
  };
}

function diskFull({ home, settings, health }: RoomContext, error: unknown): string | undefined {
  const freeBytes = freeBytesAt(home);
  const wasFull = health.report().disk.state === 'full';
  const isFull =
    freeBytes < settings.freeBytesMin ||
    isOutOfSpace(error ?? {}) ||
    (wasFull && !canWriteIn(home));
  if (!isFull) return undefined;
  return `${freeBytes} bytes are free, ${settings.freeBytesMin} are kept free`;
}

function queueFull({ settings, store, clock }: RoomContext): string | undefined {
  const { unsentBytes, oldestUnsentAt } = store.depths();
  if (unsentBytes >= settings.queueBytesMax) {
    return `${unsentBytes} bytes wait for the control plane, ${settings.queueBytesMax} may`;
  }
  const ageMs = oldestUnsentAt === null ? 0 : clock().getTime() - Date.parse(oldestUnsentAt);
  if (ageMs < settings.queueHoursMax * 3_600_000) return undefined;
  return `the oldest event waits since ${oldestUnsentAt}, ${settings.queueHoursMax} hours may pass`;
}
