import { type ControlCommand, controlCommands } from '../../../simulation/control-commands.ts';
import type { Fault } from '../../../simulation/faults.ts';
import type { Endpoint } from '../../../simulation/server.ts';
import { messageOf } from './message.ts';
import { type Behaviour, behaviours } from './receivers.ts';
import type { Delivery, Inbound, SimulatorState, Switches } from './state.ts';

/** What a test or an operator may do to the simulator; the same over HTTP below `/_control`. */
export interface PeppolControl {
  set(switches: Partial<Switches>): void;
  advance(ms: number): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  /** How the receiver with this value, e.g. `0192:991825827`, behaves from now on. */
  receiver(value: string, behaviour: Behaviour): void;
  /** Documents that reached receivers, oldest first; with `instanceId` only those with it. */
  deliveries(instanceId?: string): readonly Delivery[];
  /** Messages that came in for the sender. */
  inbound(instanceId?: string): readonly Inbound[];
  /** Makes it the access point of this participant: documents that are sent to it come in here. */
  serve(value: string): void;
  /** A document from the network, of a sender on another access point; returns its instance id. */
  comeIn(document: {
    readonly sender: string;
    readonly receiver: string;
    readonly xml: string;
    readonly instanceId?: string;
  }): string;
  /** Sends the buyer's invoice response to a document that phoss-ap sent. */
  respond(instanceId: string, code: string): void;
}

export function controlOf(state: SimulatorState): PeppolControl {
  return {
    set: (switches) => {
      Object.assign(state.switches, switches);
    },
    advance: (ms) => state.clock.advance(ms),
    fault: (fault) => state.faults.plan(fault),
    clearFaults: () => state.faults.clear(),
    receiver: (value, behaviour) => {
      state.receivers.set(value.toLowerCase(), behaviour);
    },
    deliveries: (instanceId) => {
      state.settle();
      return state.deliveries.filter((row) => [undefined, row.instanceId].includes(instanceId));
    },
    inbound: (instanceId) => {
      state.settle();
      return state.inbound.filter((row) => [undefined, row.instanceId].includes(instanceId));
    },
    serve: (value) => void state.served.add(value.toLowerCase()),
    comeIn: ({ sender, receiver, xml, instanceId = state.uuid() }) => {
      state.comeIn(messageOf({ sender, receiver, xml, instanceId }), xml);
      return instanceId;
    },
    respond: (instanceId, code) => {
      const transaction = state.transactions.get(instanceId);
      if (transaction !== undefined) state.respond(transaction, code);
    },
  };
}

function commandsOf(control: PeppolControl): Readonly<Record<string, ControlCommand>> {
  return {
    switches: [{ mlsDelayMs: 1_000 }, (body) => control.set(body as Partial<Switches>)],
    advance: [{ ms: 60_000 }, (body) => control.advance(Number(body.ms))],
    faults: [
      { call: 'submit', kind: 503, times: 3 },
      (body) => control.fault(body as unknown as Fault),
    ],
    'clear-faults': [{}, () => control.clearFaults()],
    receivers: [
      { value: '0192:991825827', behaviour: behaviours[0]! },
      ({ value, behaviour }) => {
        const known = behaviours.find((each) => each === behaviour);
        if (known === undefined) throw new Error(`behaviours are ${behaviours.join(', ')}`);
        control.receiver(String(value), known);
      },
    ],
    serve: [{ value: '0235:1008765432' }, (body) => control.serve(String(body.value))],
    'come-in': [
      { sender: '0192:991825827', receiver: '0235:1008765432', xml: '<Invoice …>' },
      ({ sender, receiver, xml, ...more }) => {
        const instanceId =
          more.instanceId === undefined ? {} : { instanceId: String(more.instanceId) };
        const [from, to] = [String(sender), String(receiver)];
        control.comeIn({ sender: from, receiver: to, xml: String(xml), ...instanceId });
      },
    ],
    respond: [
      { instanceId: 'of `deliveries`', code: 'AP' },
      (body) => control.respond(String(body.instanceId), String(body.code)),
    ],
  };
}

/** The control API: `GET/POST /_control/…`, bodies are the arguments as JSON. */
export function controlEndpoints(state: SimulatorState): readonly Endpoint[] {
  const control = controlOf(state);
  const list = (name: 'deliveries' | 'inbound'): Endpoint => ({
    method: 'get',
    path: `/_control/${name}`,
    handle: ({ query }) => ({
      status: 200,
      body: control[name](query.get('instanceId') ?? undefined),
    }),
  });
  return [
    ...controlCommands({
      kind: 'peppol',
      read: ['deliveries', 'inbound', 'deliveries?instanceId=…'],
      commands: commandsOf(control),
    }),
    list('deliveries'),
    list('inbound'),
  ];
}
