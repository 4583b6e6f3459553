import { Api, expectStatus } from '../api.ts';
import type { Environment } from '../environment.ts';
import { until } from '../until.ts';

const callThrough = ['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk'] as const;
type Provider = (typeof callThrough)[number];

interface PlayedCall {
  readonly provider: Provider;
  readonly status: string;
  readonly events: readonly {
    readonly kind: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly seconds: number;
  readonly billed: number;
  readonly cost: string;
  /** The call itself, then the parties that its flow dialled. */
  readonly legs: readonly {
    readonly number: number;
    readonly to: string;
    readonly status: string;
    readonly duration_seconds: number | null;
    readonly rate: { readonly per_minute: string; readonly increment: string } | null;
    readonly cost: { readonly amount: string } | null;
  }[];
  readonly recordings: readonly { readonly bytes: number; readonly sha256: string }[];
}

export interface VoiceReport {
  readonly ok: boolean;
  /** What differs from the expectation; empty when ok. */
  readonly problems: readonly string[];
  readonly seconds: number;
  /** The first document with a question, in each provider's markup. */
  readonly documents: readonly { readonly provider: string; readonly document: string }[];
  readonly calls: readonly PlayedCall[];
  readonly wallet: {
    readonly balance: string;
    readonly reserved: string;
    readonly currency: string;
  };
}

const to = '+60123456789';
const topUp = '50';
/**
 * The longest prefix applies: the called party is outside the capital, the dialled one is in it.
 */
const rates = [
  ['+60', '0.06', '1/1'],
  ['+603', '0.03', '30/6'],
] as const;

/** A recording for a PBX, which has no text to speech. */
const recording = (name: string) => `https://sounds.example/${name}.wav`;

const flow = {
  version: 1,
  language: 'en-US',
  variables: { name: {} },
  start: 'hello',
  limits: { seconds: 600 },
  nodes: {
    hello: {
      type: 'say',
      text: 'Good morning {{name}}. This call may be recorded.',
      recording: recording('hello'),
      announces_recording: true,
      next: 'menu',
    },
    menu: {
      type: 'gather',
      prompt: [{ type: 'say', text: 'Press 1 for sales.', recording: recording('menu') }],
      max_digits: 1,
      branches: { 1: 'sales' },
      otherwise: 'bye',
    },
    sales: { type: 'dial', to: ['+60387654321'], ring_seconds: 20, next: 'note' },
    note: { type: 'record', max_seconds: 60, next: 'bye' },
    bye: { type: 'say', text: 'Thank you, good bye.', recording: recording('bye') },
  },
};

/** One call flow, compiled three ways and played by four providers. */
export async function runVoice(environment: Environment): Promise<VoiceReport> {
  const begun = performance.now();
  const say = (text: string): void => {
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1).padStart(5);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  say('starting PostgreSQL, the control plane and a simulator of each provider');
  const control = await environment.startControlPlane();
  const api = new Api(control.sandboxUrl, control.messagingKey);
  await fund(environment);
  say(`${topUp} USD in the wallet, Malaysia at 0.06 a minute by the second, its capital at 0.03`);
  for (const [prefix, per_minute, increment] of rates) {
    const rate = { prefix, currency: 'USD', per_minute, increment };
    expectStatus(await api.post('/voice/api/rate-cards/', rate), 201, 'adding a rate');
  }
  const made = await api.post('/voice/api/templates/', { name: 'Sales line', flow });
  const template = expectStatus(made, 201, 'creating the call flow').id as string;
  const documents = await documentsOf(api, template);
  say('one call flow, compiled to TwiML, Plivo XML and NCCO');
  const calls: PlayedCall[] = [];
  for (const provider of callThrough) {
    calls.push(await play(api, provider, template));
    say(`${provider}: ${calls.at(-1)!.status}, ${calls.at(-1)!.cost} USD`);
  }
  const answer = await api.get('/tenants/host-wallet/');
  const wallet = expectStatus(answer, 200, 'reading the wallet');
  const problems = problemsOf(calls, wallet.balance, wallet.reserved);
  const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1));
  return { ok: problems.length === 0, problems, seconds, documents, calls, wallet };
}

/** Tops the wallet up, as the host does after a payment. */
async function fund(environment: Environment): Promise<void> {
  const [tenant] = JSON.parse(await environment.host(['tenant', 'list', '--json']));
  await environment.host([
    'wallet',
    'top-up',
    '--tenant',
    tenant.id,
    '--environment',
    'sandbox',
    '--amount',
    topUp,
    '--currency',
    'USD',
    '--reference',
    'demo',
  ]);
}

async function documentsOf(api: Api, template: string): Promise<VoiceReport['documents']> {
  const documents = [];
  for (const provider of callThrough.filter((each) => each !== 'asterisk')) {
    const answer = await api.get(`/voice/api/templates/${template}/?provider=${provider}`);
    const { compiled } = expectStatus(answer, 200, 'compiling the call flow');
    documents.push({ provider, document: compiled.documents.hello as string });
  }
  return documents;
}

async function play(api: Api, provider: Provider, template: string): Promise<PlayedCall> {
  const config = { provider, name: 'demo', from_number: '+60399990000' };
  const made = await api.post('/voice/api/provider-configs/', config);
  const { id: provider_config } = expectStatus(made, 201, `configuring ${provider}`);
  const variables = { name: 'Aisha' };
  const placed = await api.post('/voice/api/calls/', {
    to,
    provider_config,
    template_id: template,
    variables,
  });
  const { id } = expectStatus(placed, 201, 'placing the call');
  let call = placed.body;
  await until(async () => {
    call = expectStatus(await api.get(`/voice/api/calls/${id}/`), 200, 'reading the call');
    const isStored = call.recordings.some(({ state }: { state: string }) => state === 'stored');
    return call.ended_at !== null && isStored;
  }, 30_000);
  const events = await api.get(`/voice/api/call-events/?call_id=${id}`);
  return {
    provider,
    status: call.status,
    recordings: call.recordings,
    events: expectStatus(events, 200, 'reading the events').results.toReversed(),
    seconds: call.duration_seconds ?? 0,
    billed: call.billed_seconds ?? 0,
    cost: call.cost?.amount ?? '-',
    legs: call.legs,
  };
}

function problemsOf(
  calls: readonly PlayedCall[],
  balance: string,
  reserved: string,
): readonly string[] {
  const wanted = ['ringing', 'answered', 'dtmf', 'transfer', 'recording', 'hangup'];
  const micros = (amount: string) => Math.round(Number(amount) * 1_000_000);
  const lacking = calls.flatMap(({ provider, status, events, legs, cost }) => [
    ...(status === 'completed' ? [] : [`${provider}: the call is ${status}`]),
    ...(legs.length === 2 ? [] : [`${provider}: ${legs.length} legs instead of two`]),
    ...(legs.reduce((sum, leg) => sum + micros(leg.cost?.amount ?? '0'), 0) === micros(cost)
      ? []
      : [`${provider}: its legs do not come to ${cost}`]),
    ...wanted
      .filter((kind) => !events.some((event) => event.kind === kind))
      .map((kind) => `${provider}: no ${kind} was reported`),
  ]);
  const spent = calls.reduce((sum, { cost }) => sum + micros(cost), 0);
  const isEven = micros(topUp) - spent === micros(balance) && micros(reserved) === 0;
  return isEven ? lacking : [...lacking, `the wallet holds ${balance}, ${reserved} promised`];
}
