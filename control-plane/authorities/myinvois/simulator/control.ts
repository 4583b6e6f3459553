import { type ControlCommand, controlCommands } from '../../../simulation/control-commands.ts';
import type { Fault } from '../../../simulation/faults.ts';
import type { Endpoint } from '../../../simulation/server.ts';
import type { StoredDocument } from './document.ts';
import type { Client, Taxpayer } from './identities.ts';
import { defaultSwitches, type SimulatorState, type Switches } from './state.ts';
import { requestRejection } from './state-changes.ts';

/** What a test or an operator may do to the simulator; the same over HTTP below `/_control`. */
export interface MyInvoisControl {
  set(switches: Partial<Switches>): void;
  advance(ms: number): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  limits(perMinute: Readonly<Record<string, number>>): void;
  revokeTokens(): void;
  addClient(client: Client): void;
  addTaxpayer(taxpayer: Taxpayer): void;
  /** Asks the issuer to cancel, as the buyer; returns the HTTP status of the API's answer. */
  rejectAsBuyer(uuid: string, reason: string): number;
  /** Accepted documents, oldest first; with `number` only those with it. */
  documents(number?: string): readonly StoredDocument[];
}

export function controlOf(state: SimulatorState): MyInvoisControl {
  return {
    set: (switches) => {
      Object.assign(state.switches, switches);
    },
    advance: (ms) => state.clock.advance(ms),
    fault: (fault) => state.faults.plan(fault),
    clearFaults: () => state.faults.clear(),
    limits: (perMinute) => state.limits.configure(perMinute),
    revokeTokens: () => state.identities.revokeTokens(),
    addClient: (client) => {
      state.identities.clients.set(client.id, client);
    },
    addTaxpayer: (taxpayer) => {
      state.identities.taxpayers.set(taxpayer.tin, taxpayer);
    },
    rejectAsBuyer: (uuid, reason) => {
      state.settle();
      const document = state.find(uuid);
      if (document === undefined) return 404;
      const reply = requestRejection(document, reason, 'buyer', state);
      return typeof reply === 'string' ? 0 : reply.status;
    },
    documents: (number) => {
      state.settle();
      return state.documents.filter((row) => number === undefined || row.facts.number === number);
    },
  };
}

function commandsOf(control: MyInvoisControl): Readonly<Record<string, ControlCommand>> {
  return {
    switches: [{ validationDelayMs: 60_000 }, (body) => control.set(body as Partial<Switches>)],
    advance: [{ ms: 60_000 }, (body) => control.advance(Number(body.ms))],
    faults: [
      { call: 'submit', kind: 503, times: 3 },
      (body) => control.fault(body as unknown as Fault),
    ],
    'clear-faults': [{}, () => control.clearFaults()],
    limits: [{ submit: 100 }, (body) => control.limits(body as Record<string, number>)],
    'revoke-tokens': [{}, () => control.revokeTokens()],
    clients: [
      { id: 'erp', secret: 'secret', kind: 'taxpayer', tin: 'C2584563222' },
      (body) => control.addClient(body as unknown as Client),
    ],
    taxpayers: [
      { tin: 'C2584563222', name: 'Acme', idType: 'BRN', idValue: '202001234567' },
      (body) => control.addTaxpayer(body as unknown as Taxpayer),
    ],
    reject: [
      { uuid: 'F9D425P6DS7D8IU', reason: 'Wrong price' },
      (body) => void control.rejectAsBuyer(String(body.uuid), String(body.reason)),
    ],
  };
}

/** The control API: `GET/POST /_control/…`, bodies are the arguments as JSON. */
export function controlEndpoints(state: SimulatorState): readonly Endpoint[] {
  const control = controlOf(state);
  return [
    ...controlCommands({
      kind: 'myinvois',
      read: ['switches', 'documents?number=INV-7'],
      commands: commandsOf(control),
    }),
    {
      method: 'get',
      path: '/_control/switches',
      handle: () => ({ status: 200, body: { ...defaultSwitches, ...state.switches } }),
    },
    {
      method: 'get',
      path: '/_control/documents',
      handle: ({ query }) => ({
        status: 200,
        body: control.documents(query.get('number') ?? undefined).map(documentView),
      }),
    },
  ];
}

function documentView(document: StoredDocument): Record<string, unknown> {
  const { uuid, submissionUid, longId, status, hash, receivedAt, taxpayer, facts } = document;
  const codes = document.steps.flatMap((step) => step.findings.map((finding) => finding.code));
  return {
    uuid,
    submissionUid,
    longId,
    status,
    hash,
    receivedAt,
    taxpayer,
    number: facts.number,
    codes,
  };
}
