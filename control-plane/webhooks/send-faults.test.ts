import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultName,
  type FaultServers,
  faults,
  startFaultServers,
} from '../../test/kit/fault-servers.ts';
import { type Kit, startKit } from './delivery.kit.ts';
import { type Delivery, startDelivery } from './delivery.ts';

/** What is saved of the attempt; a delivery may be repeated, so all failures are treated alike. */
const outcomes: Readonly<Record<FaultName, { state: string; error?: string; status?: number }>> = {
  'refuses connections': { state: 'pending', error: 'connection_refused' },
  'has no address': { state: 'pending', error: 'name_not_found' },
  'shows a certificate it signed itself': { state: 'pending', error: 'tls_failed' },
  'shows an expired certificate': { state: 'pending', error: 'tls_failed' },
  'shows the certificate of another host': { state: 'pending', error: 'tls_failed' },
  'shows a certificate of an unknown authority': { state: 'pending', error: 'tls_failed' },
  'speaks no TLS': { state: 'pending', error: 'tls_failed' },
  'resets before the request': { state: 'pending', error: 'connection_lost' },
  'is silent before the request': { state: 'pending', error: 'timeout' },
  'resets in the request': { state: 'pending', error: 'connection_lost' },
  'resets after the request': { state: 'pending', error: 'connection_lost' },
  'closes after the request': { state: 'pending', error: 'connection_lost' },
  'is silent after the request': { state: 'pending', error: 'timeout' },
  'answers no HTTP': { state: 'pending', error: 'bad_response' },
  'answers with endless headers': { state: 'pending', error: 'bad_response' },
  // The status has come: the receiver has taken it.
  'resets in the body': { state: 'delivered', status: 200 },
  'is silent in the body': { state: 'delivered', status: 200 },
  'answers without end': { state: 'delivered', status: 200 },
  redirects: { state: 'pending', status: 307 },
};

let kit: Kit;
let delivery: Delivery;
let servers: FaultServers;

beforeAll(async () => {
  servers = await startFaultServers();
  kit = await startKit(() => new Date());
  const sendLimits = { connectMs: 1_000, totalMs: 2_000 };
  delivery = await startDelivery({ ...kit.options, sendLimits });
});
afterAll(async () => {
  await delivery.stop(5_000);
  await servers.close();
  await kit.stop();
});

test('an event for a receiver that fails', async () => {
  const ids = new Map<FaultName, string>();
  for (const { name } of faults) {
    ids.set(name, (await kit.endpoint(`${servers.urlOf(name)}/hook`)).id);
  }
  const [event] = await kit.events(['inv_1']);
  const found = await Promise.all(
    faults.map(async ({ name }) => {
      const { state, attempts } = await kit.delivery(ids.get(name)!, event!, outcomes[name].state);
      const [{ status, error } = expect.fail(name)] = attempts;
      return [name, { state, status, error }];
    }),
  );
  const expected = Object.entries(outcomes).map(([name, outcome]) => [
    name,
    { status: null, error: null, ...outcome },
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}, 60_000);
