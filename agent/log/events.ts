import type { Level } from './log-file.ts';

/** Everything that a running agent reports, with how grave it is. */
const levels = {
  connected: 'info',
  redialling: 'warn',
  wound_back: 'warn',
  trusts: 'info',
  distrusts: 'error',
  key_changed: 'info',
  key_wound_back: 'warn',
  draining: 'info',
  unreadable: 'warn',
  set_aside: 'warn',
  cursor_reset: 'info',
  reconciled: 'info',
  quarantined: 'error',
  disk_full: 'error',
  disk_has_room: 'info',
  queue_full: 'error',
  queue_has_room: 'info',
  probes: 'info',
  probes_failed: 'warn',
  doctor_failed: 'warn',
  channel_failed: 'warn',
  service_not_told: 'warn',
  stalled: 'error',
} as const satisfies Record<string, Level>;

type AgentEvent = keyof typeof levels;

/** One line of progress for people, one event for machines. */
export type Report = (event: AgentEvent, detail: string) => void;

export function levelOf(event: AgentEvent): Level {
  return levels[event];
}
