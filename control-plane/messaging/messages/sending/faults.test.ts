import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultName,
  type FaultServers,
  faults,
  startFaultServers,
} from '../../../../test/kit/fault-servers.ts';
import { twilioSms } from '../../../channels/twilio-sms/adapter.ts';
import { openProviderCalls } from '../../provider-calls.ts';
import type { ChannelEndpoint } from '../../sandbox-providers.ts';
import type { MessageRow } from '../message-row.ts';
import { createSender, type SenderContext } from './sender.ts';

/**
 * The outcome of a single message or a broadcast's; both use this sender. `retry`: it is queued
 * again. `unknown`: it is not sent again unless the app allows repeats.
 */
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

test.concurrent.each(faults)('a message to a provider that $name', async ({ name }) => {
  const endpoint = servers.urlOf(name);
  const clock = () => new Date();
  const limits = { connectMs: 1_000, totalMs: 2_000, bodyBytesMax: 1_000_000 };
  const calls = openProviderCalls({ of: () => ({ url: endpoint }) as ChannelEndpoint }, clock, {
    limits,
  });
  const settings = { account_sid: 'AC1', auth_token: 't', from: '+15550001111' };
  const app = { id: 'app_1', endpoint, settings, callbackUrl: 'https://ours.example/' };
  // Only the exchange matters: this database says that the app is active, and stores nothing.
  const context = {
    db: { tenant: async () => ({ row: { state: 'active' }, withheld: new Map() }) },
    appOpener: {
      open: () => ({ row: { id: 'app_1', state: 'active' }, channel: twilioSms, app }),
      prepare: async () => {},
    },
    calls,
    clock,
    random: randomBytes,
    hooks: [],
  } as unknown as SenderContext;
  const row = {
    id: 'msg_1',
    address: '+60312345678',
    content: { kind: 'text', text: 'hello' },
    reply_to: null,
    ttl_seconds: null,
    registration: null,
    attempts: 1,
    created_at: clock(),
  } as unknown as MessageRow;
  const scope = { tenantId: 'tenant', environment: 'sandbox' } as const;
  const [sent] = await createSender(context).send(scope, 'app_1', 'claim', [row]);
  expect(sent?.outcome.kind).toBe(outcomes[name]);
  await calls.close();
});
