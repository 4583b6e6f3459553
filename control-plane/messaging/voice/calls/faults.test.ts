import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultName,
  type FaultServers,
  faults,
  startFaultServers,
} from '../../../../test/kit/fault-servers.ts';
import { twilioVoice } from '../../../channels/twilio-voice/adapter.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { ArrivalSlot } from '../../../platform/limits/arrival-limits.ts';
import { unmeasured } from '../../../platform/metrics/request-times.ts';
import { openWire } from '../../wire.ts';
import type { CallingContext } from '../context.ts';
import type { OpenProvider } from '../providers/account.ts';
import { type CallJob, createCallSender } from './call-sender.ts';
import type { CallRow } from './store.ts';

/** `waiting`: the call is placed again. `unknown`: it may be ringing, and is looked up first. */
const intents: Readonly<Record<FaultName, 'waiting' | 'unknown'>> = {
  'refuses connections': 'waiting',
  'has no address': 'waiting',
  'shows a certificate it signed itself': 'waiting',
  'shows an expired certificate': 'waiting',
  'shows the certificate of another host': 'waiting',
  'shows a certificate of an unknown authority': 'waiting',
  'speaks no TLS': 'waiting',
  'resets before the request': 'waiting',
  'is silent before the request': 'waiting',
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

test.concurrent.each(faults)('a call through a provider that $name', async ({ name }) => {
  const endpoint = servers.urlOf(name);
  const limits = { connectMs: 1_000, totalMs: 2_000 };
  const wire = openWire({ isTrusted: () => true, allowPrivate: true, limits });
  const scope = { tenantId: 'tenant', environment: 'sandbox' } as const;
  const call = {
    id: 'call_1',
    to_number: '+60312345678',
    from_number: '+60399990000',
    limit_seconds: 600,
    machine_detection: 'off',
    status: 'queued',
    provider_call_id: null,
    created_at: new Date(),
  } as unknown as CallRow;
  // Only the data written for the call matters: the fifth value is its intent.
  const written: unknown[] = [];
  const tx = {
    row: async () => call,
    rows: async () => [],
    run: async (_: string, values: readonly unknown[]) => written.push(values[4]),
  };
  const context = {
    wire,
    times: unmeasured,
    clock: () => new Date(),
    log: { warn: () => {} },
    db: { tenant: (_: string, work: (own: typeof tx) => Promise<unknown>) => work(tx) },
    jobs: { complete: async () => {}, reschedule: async () => {}, enqueue: async () => {} },
  } as unknown as CallingContext;
  const settings = { account_sid: 'AC1', auth_token: 't' };
  const account = { id: 'vpc_1', endpoint, settings, callbackUrl: 'https://ours.example/' };
  const open = { scope, provider: twilioVoice, account, flowKey: 'k' } as unknown as OpenProvider;
  const slot = { run: (work: () => Promise<unknown>) => work() } as unknown as ArrivalSlot;
  const job = { key: 'call_1', payload: {} } as Job<CallJob>;
  await createCallSender(context).send(open, slot, job, call);
  expect(written).toEqual([intents[name]]);
  await wire.close();
});
