import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { exchangeTo } from '../contract.suite.ts';
import type { AuthorityContext, OutboundDocument, WireRequest } from '../contract.ts';
import { type SampleChanges, sampleDocument } from './document.sample.ts';
import { type MyInvoisControl, startMyInvoisSimulator } from './simulator.ts';

/** For tests: a simulator and a context that uses it, with one clock; every request is recorded. */
export interface TestHarness {
  readonly context: AuthorityContext;
  readonly control: MyInvoisControl;
  /** What was sent since the last `forget`, as `METHOD path`. */
  readonly sent: string[];
  readonly requests: WireRequest[];
  readonly url: string;
  clock(): Date;
  advance(ms: number): void;
  /** A good document issued now, with changes. */
  document(number: string, changes?: Partial<SampleChanges>): OutboundDocument;
  withCredentials(credentials: Record<string, string>): AuthorityContext;
  stop(): Promise<void>;
}

export async function startTestHarness(): Promise<TestHarness> {
  const time = standingClock('2026-11-21T08:00:00Z');
  const simulator = await startMyInvoisSimulator({ clock: time.clock, random: seeded(7) });
  const exchange = exchangeTo(simulator.url);
  const sent: string[] = [];
  const requests: WireRequest[] = [];
  const withCredentials = (credentials: Record<string, string>): AuthorityContext => ({
    endpoint: { baseUrl: simulator.url, credentials },
    clock: time.clock,
    cache: new Map(),
    exchange: (request) => {
      sent.push(`${request.method} ${request.path.split('?')[0]}`);
      requests.push(request);
      return exchange(request);
    },
  });
  return {
    ...time,
    context: withCredentials({ client_id: 'sandbox-client', client_secret: 'sandbox-secret' }),
    control: simulator.control,
    url: simulator.url,
    sent,
    requests,
    document: (number, changes = {}) =>
      sampleDocument(number, {
        issuedAt: `${time.clock().toISOString().slice(0, 19)}Z`,
        ...changes,
      }),
    withCredentials,
    stop: () => simulator.stop(),
  };
}
