/**
 * Tells systemd how the agent fares. Node cannot open the socket for it (a Unix datagram socket), so
 * `systemd-notify` is run, which is there wherever systemd is.
 */
import { spawn } from 'node:child_process';
import type { Health } from '../health.ts';
import type { Report } from '../log/events.ts';
import type { Runtime } from '../runtime.ts';

export interface ServiceNotifier {
  /** The agent stops, and needs its time for that. */
  stopping(): void;
}

/** Said so often within the time that systemd waits, so that a late one does no harm. */
const signsWithinLimit = 3;

/**
 * Says that the agent is ready, and from then on that it is well, as long as it is. An agent that is not
 * well says nothing more, and is started anew. Without systemd it does nothing.
 */
export function notifyService(
  { env }: Pick<Runtime, 'env'>,
  health: Pick<Health, 'stalled'>,
  report: Report,
): ServiceNotifier {
  if (!env.NOTIFY_SOCKET) return { stopping: () => {} };
  const notify = (state: string) => sendToService(state, env, report);
  notify('READY=1');
  const limitMs = watchdogLimitMs(env);
  const feed = () => {
    const stalled = health.stalled();
    if (stalled.length === 0) notify('WATCHDOG=1');
    else report('stalled', `${stalled.join(', ')}; the service manager starts the agent anew`);
  };
  const timer = limitMs && setInterval(feed, limitMs / signsWithinLimit).unref();
  return {
    stopping() {
      clearInterval(timer);
      notify('STOPPING=1');
    },
  };
}

/** The time within which systemd wants to hear of this process; undefined when it does not wait. */
function watchdogLimitMs(env: Runtime['env']): number | undefined {
  const { WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid } = env;
  if (pid !== undefined && Number(pid) !== process.pid) return undefined;
  return microseconds === undefined ? undefined : Number(microseconds) / 1_000;
}

function sendToService(state: string, env: Runtime['env'], report: Report): void {
  const child = spawn('systemd-notify', [state], { env: { ...env }, stdio: 'ignore' });
  child.unref();
  child.on('error', (error) => report('service_not_told', error.message));
}
