import { type Call, type Endpoint, jsonObject } from '../../../simulation/server.ts';
import type { Fault } from '../../../simulation/switches.ts';
import { type Behaviour, behaviours } from './receivers.ts';
import type { Delivery, Inbound, Switches, World } from './world.ts';

/** What a test or an operator may do to the simulator; the same over HTTP below `/_control`. */
export interface PeppolControl {
  set(switches: Partial<Switches>): void;
  advance(ms: number): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  /** How the receiver with this value, e.g. `0192:991825827`, behaves from now on. */
  receiver(value: string, behaviour: Behaviour): void;
  /** What reached receivers, oldest first, at most those with this instance id. */
  deliveries(instanceId?: string): readonly Delivery[];
  /** What came in for the sender. */
  inbound(instanceId?: string): readonly Inbound[];
  /** Plays the buyer's invoice response to a document phoss-ap sent. */
  respond(instanceId: string, code: string): void;
}

export function controlOf(world: World): PeppolControl {
  return {
    set: (switches) => {
      Object.assign(world.switches, switches);
    },
    advance: (ms) => world.clock.advance(ms),
    fault: (fault) => world.faults.plan(fault),
    clearFaults: () => world.faults.clear(),
    receiver: (value, behaviour) => {
      world.receivers.set(value.toLowerCase(), behaviour);
    },
    deliveries: (instanceId) => {
      world.settle();
      return world.deliveries.filter((row) => [undefined, row.instanceId].includes(instanceId));
    },
    inbound: (instanceId) => {
      world.settle();
      return world.inbound.filter((row) => [undefined, row.instanceId].includes(instanceId));
    },
    respond: (instanceId, code) => {
      const transaction = world.transactions.get(instanceId);
      if (transaction !== undefined) world.respond(transaction, code);
    },
  };
}

/** The control API: `GET/POST /_control/…`, bodies are the arguments as JSON. */
export function controlEndpoints(world: World): readonly Endpoint[] {
  const control = controlOf(world);
  const command = (name: string, run: (body: Record<string, unknown>) => void): Endpoint => ({
    method: 'post',
    path: `/_control/${name}`,
    handle: (call: Call) => {
      const body = jsonObject(call);
      if (body === undefined) return { status: 400, body: { detail: 'a JSON object is needed' } };
      try {
        run(body);
      } catch (error) {
        return { status: 400, body: { detail: String(error) } };
      }
      return { status: 204 };
    },
  });
  const list = (name: 'deliveries' | 'inbound'): Endpoint => ({
    method: 'get',
    path: `/_control/${name}`,
    handle: ({ query }) => ({
      status: 200,
      body: control[name](query.get('instanceId') ?? undefined),
    }),
  });
  return [
    list('deliveries'),
    list('inbound'),
    command('switches', (body) => control.set(body as Partial<Switches>)),
    command('advance', (body) => control.advance(Number(body.ms))),
    command('faults', (body) => control.fault(body as unknown as Fault)),
    command('clear-faults', () => control.clearFaults()),
    command('receivers', ({ value, behaviour }) => {
      const known = behaviours.find((each) => each === behaviour);
      if (known === undefined) throw new Error(`behaviours are ${behaviours.join(', ')}`);
      control.receiver(String(value), known);
    }),
    command('respond', (body) => control.respond(String(body.instanceId), String(body.code))),
  ];
}
