import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { exchangeTo } from '../contract.suite.ts';
import type { AuthorityContext, WireRequest } from '../contract.ts';
import { type PeppolControl, startPeppolSimulator } from './simulator.ts';

/** For tests: a simulator and contexts that use it, with one clock; every request is recorded. */
export interface TestHarness {
  readonly control: PeppolControl;
  readonly requests: WireRequest[];
  readonly url: string;
  clock(): Date;
  advance(ms: number): void;
  contextOf(dialect: 'phoss-ap' | 'phase4', more?: Record<string, string>): AuthorityContext;
  stop(): Promise<void>;
}

export async function startTestHarness(): Promise<TestHarness> {
  const time = standingClock('2026-11-21T08:00:00Z');
  const simulator = await startPeppolSimulator({ clock: time.clock, random: seeded(3) });
  const exchange = exchangeTo(simulator.url);
  const requests: WireRequest[] = [];
  return {
    ...time,
    control: simulator.control,
    url: simulator.url,
    requests,
    contextOf: (dialect, more = {}) => ({
      endpoint: {
        baseUrl: simulator.url,
        credentials: { dialect, token: 'sandbox-token', ...more },
      },
      clock: time.clock,
      cache: new Map(),
      exchange: (request) => {
        requests.push(request);
        return exchange(request);
      },
    }),
    stop: () => simulator.stop(),
  };
}
