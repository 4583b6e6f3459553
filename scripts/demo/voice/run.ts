import {
  type Call,
  type CallEvent,
  type CallFlow,
  Client,
} from '@drawbridge/sdk/clients/messaging.ts';
import type { Environment } from '../environment.ts';
import { until } from '../until.ts';

const callThrough = ['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk'] as const;
type Provider = (typeof callThrough)[number];

interface PlayedCall {
  readonly provider: Provider;
  readonly status: string;
  readonly events: readonly CallEvent[];
  readonly seconds: number;
  readonly billed: number;
  readonly cost: string;
  /** The call itself, then the parties that its flow dialled. */
  readonly legs: Call['legs'];
  readonly recordings: Call['recordings'];
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
    readonly currency: string | null;
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

const flow: CallFlow = {
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
  const { sandboxUrl: baseUrl, messagingKey: key } = control;
  const client = new Client({ baseUrl, key, fetch });
  await fund(environment);
  say(`${topUp} USD in the wallet, Malaysia at 0.06 a minute by the second, its capital at 0.03`);
  for (const [prefix, per_minute, increment] of rates) {
    await client.createRateCard({ body: { prefix, currency: 'USD', per_minute, increment } });
  }
  const { id: template } = await client.createVoiceTemplate({ body: { name: 'Sales line', flow } });
  const documents = await documentsOf(client, template);
  say('one call flow, compiled to TwiML, Plivo XML and NCCO');
  const calls: PlayedCall[] = [];
  for (const provider of callThrough) {
    calls.push(await play(client, provider, template));
    say(`${provider}: ${calls.at(-1)!.status}, ${calls.at(-1)!.cost} USD`);
  }
  const wallet = await client.getWallet();
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

async function documentsOf(client: Client, id: string): Promise<VoiceReport['documents']> {
  const documents = [];
  for (const provider of callThrough.filter((each) => each !== 'asterisk')) {
    const { compiled } = await client.getVoiceTemplate({ id, query: { provider } });
    documents.push({ provider, document: compiled!.documents.hello! });
  }
  return documents;
}

async function play(client: Client, provider: Provider, template_id: string): Promise<PlayedCall> {
  const config = { provider, name: 'demo', from_number: '+60399990000' };
  const { id: provider_config } = await client.createVoiceProvider({ body: config });
  const variables = { name: 'Aisha' };
  let call = await client.createCall({ body: { to, provider_config, template_id, variables } });
  const { id } = call;
  await until(async () => {
    call = await client.getCall({ id });
    const isStored = call.recordings.some(({ state }) => state === 'stored');
    return call.ended_at !== null && isStored;
  }, 30_000);
  const { results: events } = await client.listCallEvents({ query: { call_id: id } });
  return {
    provider,
    status: call.status,
    recordings: call.recordings,
    events: events.toReversed(),
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
