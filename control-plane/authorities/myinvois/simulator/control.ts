import type { Call, Endpoint } from '../../../simulation/server.ts';
import { jsonObject } from '../../../simulation/server.ts';
import type { Fault } from '../../../simulation/switches.ts';
import type { StoredDocument } from './document.ts';
import type { Client, Taxpayer } from './people.ts';
import { requestRejection } from './states.ts';
import { defaultSwitches, type Switches, type World } from './world.ts';

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
  /** Plays the buyer: asks the issuer to cancel. Gives the status the API would answer with. */
  rejectAsBuyer(uuid: string, reason: string): number;
  /** Documents taken, oldest first, at most those with this number. */
  documents(number?: string): readonly StoredDocument[];
}

export function controlOf(world: World): MyInvoisControl {
  return {
    set: (switches) => {
      Object.assign(world.switches, switches);
    },
    advance: (ms) => world.clock.advance(ms),
    fault: (fault) => world.faults.plan(fault),
    clearFaults: () => world.faults.clear(),
    limits: (perMinute) => world.limits.configure(perMinute),
    revokeTokens: () => world.people.revokeTokens(),
    addClient: (client) => {
      world.people.clients.set(client.id, client);
    },
    addTaxpayer: (taxpayer) => {
      world.people.taxpayers.set(taxpayer.tin, taxpayer);
    },
    rejectAsBuyer: (uuid, reason) => {
      world.settle();
      const document = world.find(uuid);
      if (document === undefined) return 404;
      const reply = requestRejection(document, reason, 'buyer', world);
      return typeof reply === 'string' ? 0 : reply.status;
    },
    documents: (number) => {
      world.settle();
      return world.documents.filter((row) => number === undefined || row.facts.number === number);
    },
  };
}

const done = { status: 204 } as const;

/** The control API: `GET/POST /_control/…`, bodies are the arguments as JSON. */
export function controlEndpoints(world: World): readonly Endpoint[] {
  const control = controlOf(world);
  const command = (name: string, run: (body: Record<string, unknown>) => void): Endpoint => ({
    method: 'post',
    path: `/_control/${name}`,
    handle: (call: Call) => {
      const body = jsonObject(call);
      if (body === undefined) return { status: 400, body: { detail: 'a JSON object is needed' } };
      run(body);
      return done;
    },
  });
  return [
    {
      method: 'get',
      path: '/_control/switches',
      handle: () => ({ status: 200, body: { ...defaultSwitches, ...world.switches } }),
    },
    {
      method: 'get',
      path: '/_control/documents',
      handle: ({ query }) => ({
        status: 200,
        body: control.documents(query.get('number') ?? undefined).map(documentView),
      }),
    },
    command('switches', (body) => control.set(body as Partial<Switches>)),
    command('advance', (body) => control.advance(Number(body.ms))),
    command('faults', (body) => control.fault(body as unknown as Fault)),
    command('clear-faults', () => control.clearFaults()),
    command('limits', (body) => control.limits(body as Record<string, number>)),
    command('revoke-tokens', () => control.revokeTokens()),
    command('clients', (body) => control.addClient(body as unknown as Client)),
    command('taxpayers', (body) => control.addTaxpayer(body as unknown as Taxpayer)),
    command('reject', (body) => {
      control.rejectAsBuyer(String(body.uuid), String(body.reason));
    }),
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
