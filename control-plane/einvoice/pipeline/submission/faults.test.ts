import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultName,
  type FaultServers,
  faults,
  startFaultServers,
} from '../../../../test/kit/fault-servers.ts';
import { sampleDocument } from '../../../authorities/peppol/document.sample.ts';
import { AuthorityGateway } from './authority-gateway.ts';

/** `retry`: the same bytes are sent again. `unknown`: the authority is asked first. */
const outcomes: Readonly<Record<FaultName, 'retry' | 'unknown'>> = {
  'refuses connections': 'retry',
  'has no address': 'retry',
  'shows a certificate it signed itself': 'retry',
  'shows an expired certificate': 'retry',
  'shows the certificate of another host': 'retry',
  'shows a certificate of an unknown authority': 'retry',
  'speaks no TLS': 'retry',
  'resets before the request': 'retry',
  'is silent before the request': 'retry',
  'resets in the request': 'unknown',
  'resets after the request': 'unknown',
  'closes after the request': 'unknown',
  'is silent after the request': 'unknown',
  'answers no HTTP': 'unknown',
  'answers with endless headers': 'unknown',
  'resets in the body': 'unknown',
  'is silent in the body': 'unknown',
  'answers without end': 'unknown',
  redirects: 'unknown',
};

let servers: FaultServers;
beforeAll(async () => {
  servers = await startFaultServers();
});
afterAll(() => servers.close());

test.concurrent.each(faults)('a submission to an authority that $name', async ({ name }) => {
  const peppol = {
    baseUrl: servers.urlOf(name),
    credentials: { dialect: 'phoss-ap', token: 'x' },
  };
  const limits = { connectMs: 1_000, totalMs: 2_000, bodyBytesMax: 1_000_000 };
  const gateway = new AuthorityGateway({ sandbox: { peppol }, live: {} }, () => new Date(), {
    limits,
  });
  const [outcome] = (await gateway.submit('peppol', 'sandbox', [sampleDocument('1')]))!;
  expect(outcome?.kind).toBe(outcomes[name]);
  await gateway.close();
});
