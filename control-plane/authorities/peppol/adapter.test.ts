import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { authoritySuite } from '../contract.suite.ts';
import { peppol } from './adapter.ts';
import { sampleDocument } from './document.sample.ts';
import { startPeppolSimulator } from './simulator.ts';

const sends = { 'phoss-ap': 'submit', phase4: 'sendsbdh' } as const;

for (const dialect of ['phoss-ap', 'phase4'] as const) {
  authoritySuite(`peppol through ${dialect}`, peppol, async () => {
    const time = standingClock('2026-11-21T08:00:00Z');
    const simulator = await startPeppolSimulator({ clock: time.clock, random: seeded(2) });
    return {
      ...time,
      endpoint: { baseUrl: simulator.url, credentials: { dialect, token: 'sandbox-token' } },
      wrongCredentials: { dialect, token: 'not-the-token' },
      document: (name, outcome) =>
        sampleDocument(name, outcome === 'refused' ? '99999992' : undefined),
      mishap: (kind, retryAfterSeconds) =>
        simulator.control.fault({
          call: sends[dialect],
          kind,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }),
      held: (document) => simulator.control.deliveries(document.submissionKey).length,
      stop: () => simulator.stop(),
    };
  });
}
