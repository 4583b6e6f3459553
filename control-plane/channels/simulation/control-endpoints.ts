import type { Fault } from '../../simulation/faults.ts';
import { type Call, type Endpoint, jsonObject, type Reply } from '../../simulation/server.ts';
import { crowds, type Habits } from './recipient-behaviour.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

type Json = Readonly<Record<string, unknown>>;
/** Magic recipients, with how messages to them fail. */
export type MagicTable = readonly (readonly [recipients: string, what: string])[];

/** A call below `/_control` that only some simulators have; it returns what the answer contains. */
export interface Command {
  readonly name: string;
  /** An example of its body. */
  readonly example: Json;
  run(body: Json): unknown;
}

export interface ControlOptions {
  readonly kind: string;
  readonly magic: MagicTable;
  readonly commands: readonly Command[];
  /** Settings with which an app reaches this simulator. */
  settings(): Json;
}

const pageMax = 10_000_000;
const messagesShownMax = 1_000;

/** The control API of a simulated channel, for tests in another process and for operators. */
export function controlEndpoints(
  provider: SimulatedProvider<unknown>,
  { kind, magic, commands, settings }: ControlOptions,
): readonly Endpoint[] {
  const all = [...sharedCommands(provider), ...commands];
  const read = (name: string, give: (call: Call) => Reply): Endpoint => ({
    method: 'get',
    path: `/_control/${name}`,
    handle: give,
  });
  const shown = (body: unknown): Reply => ({ status: 200, body });
  return [
    read('', () =>
      shown({
        kind,
        read: ['magic', 'log?after=0&limit=100', 'counts', 'clock', 'messages', 'settings'],
        take: 'webhooks',
        post: Object.fromEntries(all.map(({ name, example }) => [name, example])),
      }),
    ),
    read('magic', () => shown(magic.map(([recipients, what]) => ({ recipients, what })))),
    read('log', ({ query }) => logOf(provider, query)),
    read('counts', () => shown(countsOf(provider))),
    read('clock', () => shown({ now: provider.clock.now().toISOString() })),
    read('messages', ({ query }) => {
      const limit = Math.min(countIn(query, 'limit', 100), messagesShownMax);
      return shown(limit === 0 ? [] : provider.messages.slice(-limit));
    }),
    read('settings', () => shown(settings())),
    read('webhooks', () => shown(provider.webhooks.take())),
    { method: 'delete', path: '/_control/faults', handle: () => clearFaults(provider) },
    ...all.map(commandEndpoint),
  ];
}

function clearFaults(provider: SimulatedProvider<unknown>): Reply {
  provider.faults.clear();
  return { status: 204 };
}

/** A command as an endpoint: 400 when it throws. */
export function commandEndpoint({ name, run }: Command): Endpoint {
  return {
    method: 'post',
    path: `/_control/${name}`,
    handle(call) {
      const body = jsonObject(call);
      if (body === undefined) return { status: 400, body: { error: 'a JSON object is needed' } };
      try {
        const body_ = run(body);
        return body_ === undefined ? { status: 204 } : { status: 200, body: body_ };
      } catch (error) {
        return { status: 400, body: { error: error instanceof Error ? error.message : 'wrong' } };
      }
    },
  };
}

function sharedCommands(provider: SimulatedProvider<unknown>): readonly Command[] {
  return [
    {
      name: 'clock',
      example: { advance_ms: 60_000 },
      run({ advance_ms }) {
        const ms = Number(advance_ms);
        if (!(ms >= 0)) throw new Error('advance_ms is a number of milliseconds');
        provider.advance(ms);
        return { now: provider.clock.now().toISOString() };
      },
    },
    {
      name: 'files',
      example: { media_type: 'image/png', base64: 'iVBORw0KGgo=' },
      run({ media_type, base64 }) {
        const { id } = provider.files.add(
          String(media_type),
          Buffer.from(String(base64), 'base64'),
        );
        return { id };
      },
    },
    {
      name: 'faults',
      example: { call: 'send', kind: 503, times: 3, retry_after_seconds: 5 },
      run: (body) => provider.faults.plan(faultOf(body)),
    },
    {
      name: 'switches',
      example: { habits: 'lively', answers_lost: 0.05 },
      run({ habits, answers_lost }) {
        if (habits !== undefined) provider.switches.habits = habitsOf(habits);
        if (answers_lost !== undefined) provider.switches.answersLost = Number(answers_lost);
        return provider.switches;
      },
    },
  ];
}

const silences = ['cut-before', 'cut-after', 'hold-after'] as const;

/** A fault described as JSON. Throws when it is not one. */
export function faultOf({ call = 'send', kind, times, retry_after_seconds }: Json): Fault {
  const silence = silences.find((each) => each === kind);
  if (silence === undefined && typeof kind !== 'number') {
    throw new Error(`kind: a status, ${silences.join(', ')}`);
  }
  return {
    call: String(call),
    kind: silence ?? Number(kind),
    ...(times === undefined ? {} : { times: Number(times) }),
    ...(retry_after_seconds === undefined
      ? {}
      : { retryAfterSeconds: Number(retry_after_seconds) }),
  };
}

/** A crowd by its name, or shares by their names. */
export function habitsOf(value: unknown): Habits {
  if (typeof value === 'string') {
    const crowd = Object.hasOwn(crowds, value) ? crowds[value] : undefined;
    if (crowd === undefined) throw new Error(`people are ${Object.keys(crowds).join(' or ')}`);
    return crowd;
  }
  return { ...crowds.prompt!, ...(value as Partial<Habits>) };
}

function logOf(provider: SimulatedProvider<unknown>, query: URLSearchParams): Reply {
  const lines = provider.log.lines(countIn(query, 'after', 0), countIn(query, 'limit', pageMax));
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, lines };
}

function countIn(query: URLSearchParams, name: string, otherwise: number): number {
  const count = Number(query.get(name) ?? otherwise);
  return Number.isInteger(count) && count >= 0 ? Math.min(count, pageMax) : otherwise;
}

/** Counts of what was accepted, refused and reported, to compare with what the sender believes. */
function countsOf(provider: SimulatedProvider<unknown>) {
  return {
    messages: provider.log.counts(),
    webhooks: provider.webhooks.counts(),
    clicks: provider.clicks.counts(),
  };
}
