import type { Level } from './log-file.ts';

/** Events that are not just progress. */
const levels: Readonly<Record<string, Level>> = {
  redialling: 'warn',
  unreadable: 'warn',
  set_aside: 'warn',
  disk_full: 'error',
  quarantined: 'error',
  doctor_failed: 'warn',
  distrusts: 'error',
  failed: 'error',
};

export function levelOf(event: string): Level {
  return levels[event] ?? 'info';
}
