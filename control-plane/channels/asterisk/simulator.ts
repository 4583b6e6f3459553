import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { hasBasicAuthorization } from '../../simulation/basic-authorization.ts';
import { type Fault, Faults } from '../../simulation/faults.ts';
import {
  type Call,
  type Endpoint,
  type Reply,
  type RunningSimulator,
  serve,
  type Upgrade,
} from '../../simulation/server.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import type { VoiceSimulator } from '../simulation/contract.ts';
import { voiceControlEndpoints } from '../simulation/voice/control-endpoints.ts';
import {
  callBehaviourOf,
  invalidNumber,
  polite,
  type VoiceOptions,
  wav,
} from '../simulation/voice/network.ts';
import type { Behaviour } from '../simulation/voice/phone-call.ts';
import { type Channel, Pbx, shown } from './simulator/pbx.ts';

const user = 'drawbridge';
const password = 'sandbox-pbx-password';
const trunk = 'trunk';
const behavioursMax = 20;

/** The control of the simulated PBX, for tests and operators. */
export interface PbxControl {
  /** The only call is `place`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Every channel that was requested, oldest first. */
  placed(): readonly Channel[];
  /** How people behave when this number is called; by default they press 1 at every question. */
  expect(digits: string, behaviours: readonly Behaviour[]): void;
  /** Closes every websocket. */
  sever(): void;
  /** Whether new websockets are accepted. */
  admit(isOpen: boolean): void;
  /** How many websockets are open, and how often one took over another's application. */
  listeners(): number;
  replaced(): number;
  register(state: 'online' | 'offline'): void;
  /** Whether somebody answers at this number; if not, it rings until the caller gives up. */
  attend(digits: string, isAttended: boolean): void;
  /** The person at the channel hangs up. */
  leave(channelId: string): void;
  /** Ids of the channels that exist. */
  channels(): readonly string[];
  /** The bridges that exist, with the channels in each. */
  bridges(): ReadonlyMap<string, readonly string[]>;
  /** Names of the recordings under way. */
  recording(): readonly string[];
}

export interface PbxSimulator extends RunningSimulator {
  readonly control: PbxControl;
  /** Settings with which a configuration reaches this simulator. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A loopback Asterisk with its REST interface and event websocket. Numbers ending in 10001 are busy,
 * 10002 do not answer, 10004 fail, 10005 refuse, 10006 stay on the line, 10400 are no numbers.
 */
export async function startAsteriskSimulator(options: VoiceOptions): Promise<PbxSimulator> {
  const clock = new VirtualClock(options.clock);
  const faults = new Faults();
  const planned = new Map<string, readonly Behaviour[]>();
  const unattended = new Set<string>();
  const sockets = new WebSocketServer({ noServer: true });
  const placed: Channel[] = [];
  const state = { trunk: 'online', isOpen: true };
  const audience = audienceOf(sockets, clock);
  const pbx = new Pbx({
    clock: () => clock.now(),
    isUnattended: (digits) => unattended.has(digits),
    behavioursOf: (digits) => planned.get(digits) ?? Array(behavioursMax).fill(polite),
    emit: audience.tell,
  });
  const here = { url: '' };
  const settings = () => ({ url: here.url, username: user, password, trunk });
  const stageOf = (channel: Channel) => (pbx.channels.has(channel.id) ? channel.state : 'ended');
  const running = await serve(
    [
      ...channelEndpoints(pbx, faults, placed),
      ...bridgeEndpoints(pbx),
      ...factEndpoints(pbx, clock, clock.now(), state),
      ...voiceControlEndpoints({
        kind: 'asterisk',
        faults,
        clock,
        settings,
        calls: (after) =>
          placed.slice(after).map((each) => ({
            id: each.id,
            to: each.number,
            at: each.createdAt,
            stage: stageOf(each),
          })),
      }),
    ],
    options.port ?? 0,
    upgradeTo(sockets, state),
  );
  here.url = running.url;
  return {
    url: running.url,
    settings: settings(),
    control: {
      fault: (fault) => faults.plan(fault),
      advance: (ms) => clock.advance(ms),
      placed: () => placed,
      expect: (digits, behaviours) => void planned.set(digits, behaviours),
      sever: () => {
        for (const socket of sockets.clients) socket.terminate();
      },
      admit: (isOpen) => {
        state.isOpen = isOpen;
      },
      listeners: () => sockets.clients.size,
      replaced: audience.replaced,
      register: (now) => {
        state.trunk = now;
      },
      attend: (digits, isAttended) => {
        if (isAttended) unattended.delete(digits);
        else unattended.add(digits);
      },
      leave: (id) => {
        const channel = pbx.channels.get(id);
        if (channel !== undefined) pbx.end(channel);
      },
      channels: () => [...pbx.channels.keys()],
      bridges: () => pbx.bridges,
      recording: () => pbx.beingRecorded(),
    },
    stop: () => {
      pbx.stop();
      for (const socket of sockets.clients) socket.terminate();
      return running.stop();
    },
  };
}

export const simulator: VoiceSimulator = { kind: 'asterisk', start: startAsteriskSimulator };

/**
 * One listener for each application. A new one takes over; the old one is notified, and gets
 * nothing more.
 */
function audienceOf(sockets: WebSocketServer, clock: VirtualClock) {
  const listeners = new Map<string, WebSocket>();
  let replaced = 0;
  sockets.on('connection', (socket: WebSocket, { url = '' }: IncomingMessage) => {
    const application = new URL(url, 'http://pbx').searchParams.get('app')!;
    const before = listeners.get(application);
    listeners.set(application, socket);
    socket.once('close', () => {
      if (listeners.get(application) === socket) listeners.delete(application);
    });
    if (before === undefined) return;
    replaced += 1;
    const timestamp = clock.now().toISOString();
    before.send(JSON.stringify({ type: 'ApplicationReplaced', application, timestamp }));
  });
  return {
    replaced: () => replaced,
    tell: (event: object) => {
      for (const socket of listeners.values()) socket.send(JSON.stringify(event));
    },
  };
}

function upgradeTo(sockets: WebSocketServer, state: { readonly isOpen: boolean }): Upgrade {
  return (request, socket, head) => {
    if (!state.isOpen) {
      socket.end('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://pbx');
    const isKnown = hasBasicAuthorization(request.headers, user, password);
    if (pathname !== '/ari/events' || !searchParams.has('app') || !isKnown) {
      socket.end(`HTTP/1.1 ${isKnown ? 404 : 401} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client: WebSocket) => {
      sockets.emit('connection', client, request);
    });
  };
}

type Work = (call: Call) => Reply;

const guarded = (work: Work) => (call: Call) =>
  hasBasicAuthorization(call.headers, user, password)
    ? work(call)
    : { status: 401, body: { message: 'Unauthorized' } };

/** Runs the work with the channel named in the path; 404 when there is none. */
const onChannel = (pbx: Pbx, work: (channel: Channel, call: Call) => Reply) =>
  guarded((call) => {
    const channel = pbx.channels.get(call.params.id ?? '');
    return channel === undefined ? missing('Channel') : work(channel, call);
  });

function channelEndpoints(pbx: Pbx, faults: Faults, placed: Channel[]): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path: '/ari/channels',
      handle: (call) =>
        faults.around('place', () => guarded((each) => originate(pbx, each, placed))(call)),
    },
    {
      method: 'get',
      path: '/ari/channels',
      handle: guarded(() => ({ status: 200, body: [...pbx.channels.values()].map(shown) })),
    },
    {
      method: 'get',
      path: '/ari/channels/:id',
      handle: onChannel(pbx, (channel) => ({ status: 200, body: shown(channel) })),
    },
    {
      method: 'delete',
      path: '/ari/channels/:id',
      handle: onChannel(pbx, (channel) => {
        setTimeout(() => pbx.end(channel), 0);
        return { status: 204 };
      }),
    },
    {
      method: 'post',
      path: '/ari/channels/:id/play/:playback',
      handle: onChannel(pbx, (channel, { params, query }) => {
        const media = query.get('media') ?? '';
        if (!/^(sound|recording|tone|digits):/.test(media)) return invalid('media');
        pbx.play(channel, params.playback!, media);
        return { status: 201, body: { id: params.playback, state: 'queued', media_uri: media } };
      }),
    },
    {
      method: 'delete',
      path: '/ari/playbacks/:id',
      handle: guarded(({ params }) =>
        pbx.finishPlayback(params.id!) ? { status: 204 } : missing('Playback'),
      ),
    },
    {
      method: 'post',
      path: '/ari/channels/:id/record',
      handle: onChannel(pbx, (channel, { query }) => {
        const name = query.get('name') ?? '';
        if (name === '' || query.get('format') === null) return invalid('name and format');
        if (pbx.recordings.has(name) || pbx.beingRecorded().includes(name))
          return { status: 409, body: { message: 'File exists' } };
        if (!/^(none|any|\*|#)$/.test(query.get('terminateOn') ?? 'none')) {
          return invalid('terminateOn');
        }
        pbx.record(channel, name, Number(query.get('maxDurationSeconds') ?? 0));
        return { status: 201, body: { name, state: 'queued' } };
      }),
    },
    {
      method: 'post',
      path: '/ari/channels/:id/snoop/:snoop',
      handle: onChannel(pbx, (channel, { params, query }) => {
        const args = (query.get('appArgs') ?? '').split(',');
        return { status: 200, body: shown(pbx.snoop(channel, params.snoop!, args)) };
      }),
    },
    {
      method: 'get',
      path: '/ari/recordings/live/:name',
      handle: guarded(({ params }) =>
        pbx.beingRecorded().includes(params.name!)
          ? { status: 200, body: { name: params.name, format: 'wav', state: 'recording' } }
          : missing('Recording'),
      ),
    },
    {
      method: 'get',
      path: '/ari/recordings/stored/:name/file',
      handle: guarded(({ params }) => {
        const seconds = pbx.recordings.get(params.name ?? '');
        if (seconds === undefined) return missing('Recording');
        return { status: 200, headers: { 'Content-Type': 'audio/wav' }, body: wav(seconds) };
      }),
    },
  ];
}

function originate(pbx: Pbx, { query }: Call, placed: Channel[]): Reply {
  const endpoint = query.get('endpoint') ?? '';
  const id = query.get('channelId') ?? '';
  const number = /^PJSIP\/\+?(\d{7,15})@trunk$/.exec(endpoint)?.[1];
  if (number === undefined || invalidNumber.test(number)) return invalid('Endpoint');
  if (query.get('app') === null || id === '') return invalid('Application');
  if (pbx.channels.has(id) || placed.some((each) => each.id === id)) {
    return { status: 409, body: { message: 'Channel with given unique ID already exists.' } };
  }
  const channel = pbx.originate({
    id,
    number,
    caller: query.get('callerId') ?? '',
    behaviour: callBehaviourOf(number),
    args: (query.get('appArgs') ?? '').split(',').filter((each) => each !== ''),
  });
  placed.push(channel);
  return { status: 200, body: shown(channel) };
}

function bridgeEndpoints(pbx: Pbx): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path: '/ari/bridges/:id',
      handle: guarded(({ params }) => {
        pbx.bridge(params.id!);
        return { status: 200, body: { id: params.id, bridge_type: 'mixing' } };
      }),
    },
    {
      method: 'get',
      path: '/ari/bridges/:id',
      handle: guarded(({ params }) => {
        const channels = pbx.bridges.get(params.id!);
        return channels === undefined
          ? missing('Bridge')
          : { status: 200, body: { id: params.id, bridge_type: 'mixing', channels } };
      }),
    },
    {
      method: 'post',
      path: '/ari/bridges/:id/addChannel',
      handle: guarded(({ params, query }) => {
        for (const id of (query.get('channel') ?? '').split(',')) {
          const channel = pbx.channels.get(id);
          if (channel === undefined) return { status: 400, body: { message: 'Channel not found' } };
          if (!pbx.join(params.id!, channel)) return missing('Bridge');
        }
        return { status: 204 };
      }),
    },
    {
      method: 'delete',
      path: '/ari/bridges/:id',
      handle: guarded(({ params }) =>
        pbx.destroyBridge(params.id!) ? { status: 204 } : missing('Bridge'),
      ),
    },
  ];
}

function factEndpoints(
  pbx: Pbx,
  clock: VirtualClock,
  startedAt: Date,
  state: { readonly trunk: string },
): readonly Endpoint[] {
  const facts = {
    system: { version: '22.6.0', entity_id: '00:00:00:00:00:00' },
    config: { name: '', default_language: 'en', max_channels: 500 },
    status: { startup_time: startedAt.toISOString(), last_reload_time: startedAt.toISOString() },
  };
  return [
    {
      method: 'get',
      path: '/ari/asterisk/ping',
      handle: guarded(() => {
        const timestamp = clock.now().toISOString();
        return { status: 200, body: { asterisk_id: '00:00:00:00:00:00', ping: 'pong', timestamp } };
      }),
    },
    {
      method: 'get',
      path: '/ari/asterisk/info',
      handle: guarded(() => ({ status: 200, body: facts })),
    },
    {
      method: 'get',
      path: '/ari/endpoints/:technology',
      handle: guarded(({ params }) => {
        const channel_ids = [...pbx.channels.keys()];
        const row = { technology: params.technology, resource: trunk, state: state.trunk };
        return { status: 200, body: [{ ...row, channel_ids }] };
      }),
    },
  ];
}

function missing(what: string): Reply {
  return { status: 404, body: { message: `${what} not found` } };
}

function invalid(what: string): Reply {
  return { status: 400, body: { message: `${what} is invalid` } };
}
