/** For tests of this folder: a tenant that may call, through each provider's simulator. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { type Answer, type ServiceKit, startService } from '../service.kit.ts';

export interface VoiceKit extends ServiceKit {
  /** The providers' addresses, for another node. */
  readonly endpointsFile: string;
}

/** A service whose sandbox finds providers at these addresses. */
export async function startVoice(sandbox: Readonly<Record<string, string>>): Promise<VoiceKit> {
  const folder = await mkdtemp(join(tmpdir(), 'voice-'));
  const endpointsFile = join(folder, 'endpoints.json');
  await writeFile(endpointsFile, JSON.stringify({ sandbox }));
  const kit = await startService({ VOICE_ENDPOINTS_FILE: endpointsFile });
  const stop = async (): Promise<void> => {
    await kit.stop();
    await rm(folder, { recursive: true });
  };
  return { ...kit, endpointsFile, stop };
}

export interface VoiceSetup {
  /** The id of the configuration of each provider. */
  readonly configs: Readonly<Record<string, string>>;
  readonly template: string;
  call(provider: string, to: string, more?: object): Promise<Answer>;
}

/**
 * Asks for sales, transfers, says goodbye; every text has a recording for targets that cannot
 * speak.
 */
export const flow = {
  version: 1,
  language: 'en-US',
  variables: { name: { default: 'friend' } },
  start: 'hello',
  limits: { seconds: 600 },
  nodes: {
    hello: say('Hello {{name}}', 'menu'),
    menu: {
      type: 'gather',
      prompt: [{ type: 'say', text: 'Press 1 for sales', recording: sound('menu') }],
      max_digits: 1,
      timeout_seconds: 5,
      retries: 0,
      branches: { 1: 'sales' },
      otherwise: 'bye',
    },
    sales: { type: 'dial', to: ['+60387654321'], next: 'bye' },
    bye: say('Goodbye'),
  },
};

export function say(text: string, next?: string) {
  const node = { type: 'say', text, recording: sound('said') };
  return next === undefined ? node : { ...node, next };
}

function sound(name: string): string {
  return `https://sounds.example/${name}.wav`;
}

export const fromNumber = '+60399990000';

export async function prepare(kit: ServiceKit): Promise<VoiceSetup> {
  await topUp(kit, '1000');
  const configs: Record<string, string> = {};
  for (const provider of ['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk']) {
    const body = { provider, name: `our ${provider}`, from_number: fromNumber };
    const made = await kit.ask('POST /voice/api/provider-configs/', { body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    configs[provider] = made.body.id;
  }
  const rate = { prefix: '+60', currency: 'USD', per_minute: '0.50', increment: '60/60' };
  expect((await kit.ask('POST /voice/api/rate-cards/', { body: rate })).status).toBe(201);
  const template = await templateOf(kit, flow);
  return {
    configs,
    template,
    call: (provider, to, more = {}) => {
      const body = { to, provider_config: configs[provider], template_id: template, ...more };
      return kit.ask('POST /voice/api/calls/', { body });
    },
  };
}

export async function templateOf(kit: ServiceKit, of: object): Promise<string> {
  const body = { name: 'Menu', flow: of };
  const made = await kit.ask('POST /voice/api/templates/', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

/** Fills the wallet of the sandbox, like the host's command. */
export async function topUp(kit: ServiceKit, amount: string): Promise<void> {
  await asOwner(
    kit,
    `insert into wallet (tenant_id, environment, currency, balance)
     values ('${kit.tenantId}', 'sandbox', 'USD', ${Number(amount)})
     on conflict (tenant_id, environment) do update set balance = excluded.balance`,
  );
}

/** Makes the postponed jobs of a queue due at once. */
export async function makeDue(kit: ServiceKit, queue: string): Promise<void> {
  await asOwner(kit, `update job set run_at = now() where queue = '${queue}'`);
}

/** Runs a statement in the tenant, without the service. */
export async function asOwner(kit: ServiceKit, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(kit.ownerUrl);
  await client.connect();
  await client.query(`select set_config('drawbridge.tenant', $1, false)`, [kit.tenantId]);
  return client.query(sql).finally(() => client.end());
}

/** The call once it has ended. */
export async function callEnd(kit: ServiceKit, id: string): Promise<Answer['body']> {
  return eventually(async () => {
    const { body } = await kit.ask(`GET /voice/api/calls/${id}/`);
    expect(body.ended_at, body.status).not.toBeNull();
    return body;
  });
}

/** A call that was recorded as a whole, with consent; its recording is stored. */
export async function recordedCall(
  kit: ServiceKit,
  stage: VoiceSetup,
  provider: string,
  to: string,
): Promise<{ readonly callId: string; readonly recordingId: string }> {
  const consent = { phone: to, method: 'verbal', evidence: 'said yes on the phone' };
  const logged = await kit.ask('POST /voice/api/recording-consents/', { body: consent });
  expect(logged.status, JSON.stringify(logged.body)).toBe(201);
  const made = await stage.call(provider, to, { record: true });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const callId = made.body.id;
  const recordingId = await eventually(async () => {
    const { body } = await kit.ask(`GET /voice/api/recordings/?call_id=${callId}&state=stored`);
    expect(body.results).toHaveLength(1);
    return body.results[0].id;
  });
  return { callId, recordingId };
}
