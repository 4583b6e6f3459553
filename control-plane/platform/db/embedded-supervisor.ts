import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { Installation } from './embedded-installation.ts';
import {
  failureOf,
  hasEnded,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';

export interface Supervisor {
  /** Why the server does not run, once it could not be started again; undefined otherwise. */
  fault(): string | undefined;
  /** Stops the server for good. */
  stop(): Promise<void>;
}

/** Attempts, about ten seconds, after which the server counts as down; it is still tried again. */
const failuresMax = 10;
const failureDelayMs = { step: 200, max: 5_000 };
/** A server that has run for so long is no longer counted as one that dies at once. */
const steadyMs = 60_000;

/**
 * Starts an embedded server again whenever it ends by itself, on the same port, so that connection
 * strings stay valid. Recovery after a kill loses no committed data.
 */
export function superviseEmbedded(
  installation: Installation,
  first: Postmaster,
  log?: Log,
): Supervisor {
  const stopping = new AbortController();
  const { signal } = stopping;
  let postmaster = first;
  let failures = 0;
  let reviving: Promise<void> | undefined;

  function watch(): void {
    const steady = setTimeout(() => {
      failures = 0;
    }, steadyMs).unref();
    const revived = () => {
      clearTimeout(steady);
      if (!signal.aborted) reviving = revive();
    };
    if (hasEnded(postmaster.child)) revived();
    else postmaster.child.once('exit', revived);
  }

  async function revive(): Promise<void> {
    const { exitCode, signalCode } = postmaster.child;
    log?.error({ exitCode, signalCode }, 'the embedded PostgreSQL ended; it is started again');
    while (!signal.aborted) {
      const started = await startPostmaster(installation, first.port).catch((err: unknown) => {
        log?.warn({ err }, 'the embedded PostgreSQL could not be started');
        return undefined;
      });
      if (started !== undefined) {
        postmaster = started;
        log?.warn({ failures }, 'the embedded PostgreSQL runs again');
        return watch();
      }
      failures += 1;
      if (failures === failuresMax) log?.error(await failureOf(installation));
      const ms = Math.min(failureDelayMs.max, failures * failureDelayMs.step);
      await delay(ms, undefined, { signal }).catch(() => {});
    }
  }

  watch();
  return {
    fault: () =>
      hasEnded(postmaster.child) && failures >= failuresMax
        ? `the embedded PostgreSQL ended and could not be started again; see ${installation.log}`
        : undefined,
    stop: async () => {
      stopping.abort();
      await reviving;
      await stopPostmaster(postmaster);
    },
  };
}
