/** The control API of a simulated voice provider or PBX, for tests in another process. */

import type { Faults } from '../../../simulation/faults.ts';
import type { Endpoint, Reply } from '../../../simulation/server.ts';
import type { VirtualClock } from '../../../simulation/virtual-clock.ts';
import { type Command, commandEndpoint, faultOf } from '../control-endpoints.ts';

/** A call as the control API lists it. */
interface LoggedCall {
  readonly id: string;
  /** Digits only. */
  readonly to: string;
  /** When the call was requested. */
  readonly at: Date;
  readonly stage: string;
}

export interface VoiceControlOptions {
  readonly kind: string;
  readonly faults: Faults;
  readonly clock: VirtualClock;
  readonly settings: () => Readonly<Record<string, string>>;
  /** Calls that were accepted, oldest first, without the first `after`. */
  readonly calls: (after: number) => readonly LoggedCall[];
  readonly commands?: readonly Command[];
}

export function voiceControlEndpoints(options: VoiceControlOptions): readonly Endpoint[] {
  const { kind, clock, settings, calls, commands = [] } = options;
  const all = [...sharedCommands(options), ...commands];
  const read = (name: string, give: (query: URLSearchParams) => unknown): Endpoint => ({
    method: 'get',
    path: `/_control/${name}`,
    handle: ({ query }): Reply => ({ status: 200, body: give(query) }),
  });
  return [
    read('', () => ({
      kind,
      read: ['calls?after=0', 'settings', 'clock'],
      post: Object.fromEntries(all.map(({ name, example }) => [name, example])),
    })),
    read('calls', (query) => calls(Number(query.get('after') ?? 0)).map(shown)),
    read('settings', settings),
    read('clock', () => ({ now: clock.now().toISOString() })),
    ...all.map(commandEndpoint),
  ];
}

function shown({ id, to, at, stage }: LoggedCall) {
  return { id, to, at: at.toISOString(), stage };
}

function sharedCommands({ clock, faults }: VoiceControlOptions): readonly Command[] {
  return [
    {
      name: 'faults',
      example: { call: 'place', kind: 503, times: 3, retry_after_seconds: 5 },
      run: (body) => faults.plan(faultOf({ call: 'place', ...body })),
    },
    {
      name: 'clock',
      example: { advance_ms: 60_000 },
      run({ advance_ms }) {
        const ms = Number(advance_ms);
        if (!(ms >= 0)) throw new Error('advance_ms is a number of milliseconds');
        clock.advance(ms);
        return { now: clock.now().toISOString() };
      },
    },
  ];
}
