import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { authoritySuite } from '../contract.suite.ts';
import { myinvois } from './adapter.ts';
import { sampleDocument } from './document.sample.ts';
import { startMyInvoisSimulator } from './simulator.ts';

authoritySuite('myinvois', myinvois, async () => {
  const time = standingClock('2026-11-21T08:00:00Z');
  const simulator = await startMyInvoisSimulator({ clock: time.clock, random: seeded(1) });
  simulator.control.set({ listingLagMs: 60_000 });
  return {
    ...time,
    endpoint: {
      baseUrl: simulator.url,
      credentials: { client_id: 'sandbox-client', client_secret: 'sandbox-secret' },
    },
    wrongCredentials: { client_id: 'nobody-known', client_secret: 'not-the-secret' },
    document: (name, outcome) =>
      sampleDocument(outcome === 'refused' ? `${name}-CF901` : name, {
        issuedAt: `${time.clock().toISOString().slice(0, 19)}Z`,
      }),
    mishap: (kind, retryAfterSeconds) =>
      simulator.control.fault({
        call: 'submit',
        kind,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      }),
    held: (document) =>
      simulator.control.documents(document.number).filter((row) => row.status !== 'Invalid').length,
    stop: () => simulator.stop(),
  };
});
