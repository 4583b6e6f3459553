/** For crash tests: the whole bridge with authorities, ERP and webhook receiver in the test process. */
import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type MyInvoisSimulator,
  startMyInvoisSimulator,
} from '@drawbridge/control-plane/authorities/myinvois/simulator.ts';
import {
  type PeppolSimulator,
  startPeppolSimulator,
} from '@drawbridge/control-plane/authorities/peppol/simulator.ts';
import { type Erp, openErp } from '@drawbridge/control-plane/einvoice/erp.kit.ts';
import { Api, expectStatus } from '../../scripts/demo/api.ts';
import { agentSections, mappings } from '../../scripts/demo/mappings.ts';
import { type Receiver, startReceiver } from '../../scripts/demo/receiver.ts';
import {
  freePorts,
  MortalNode,
  type MortalPostgres,
  openFolder,
  persist,
  startPostgres,
} from './crash.kit.ts';

export interface Submitted {
  readonly id: string;
  readonly ref: string;
}

export interface Bridge {
  readonly folder: string;
  readonly random: () => number;
  readonly postgres: MortalPostgres;
  readonly nodes: readonly MortalNode[];
  readonly peppol: PeppolSimulator;
  readonly myinvois: MyInvoisSimulator;
  readonly erp: Erp;
  readonly receiver: Receiver;
  /** A client of any node, which goes on to the next when one does not answer. */
  call(method: 'get' | 'post' | 'put', path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Adds a document to the ERP and submits it until it is accepted. */
  submit(company: Company, over?: { connector?: string }): Promise<Submitted>;
  /** Counts every confirmation that the ERP is given from now on. */
  countWrites(): void;
  /** Makes what waits for a time to pass due. */
  hurry(): Promise<void>;
  stop(): Promise<void>;
}

type Answer = Awaited<ReturnType<Api['get']>>;
export type Company = 'AE' | 'MY' | 'BE';
const profiles = { AE: 'PINT-AE', MY: 'PINT-MY', BE: 'BIS-3.0' } as const;

/** A client gives up on a call after this; longer than any crash lasts. */
const persistMs = 90_000;

export async function startBridge(random: () => number): Promise<Bridge> {
  const folder = await openFolder();
  const postgres = await startPostgres(folder.path);
  const clock = () => new Date();
  const [peppol, myinvois] = [
    await startPeppolSimulator({ clock, random }),
    await startMyInvoisSimulator({ clock, random }),
  ];
  peppol.control.set({ mlsDelayMs: 200 });
  myinvois.control.set({ validationDelayMs: 200 });
  // The limits of a minute would stretch the test to minutes; they have tests of their own.
  myinvois.control.limits({ login: 6_000, submit: 6_000, submission: 6_000, search: 6_000 });
  const erp = openErp(join(folder.path, 'erp.db'), new Date());
  const nodes = await makeNodes(folder.path, postgres.url, peppol.url, myinvois.url);
  await nodes[0]!.start();
  await nodes[1]!.start();
  const secrets = JSON.parse(await readFile(join(nodes[0]!.home, 'credentials.json'), 'utf8'));
  const call = clientOf(nodes, secrets.einvoicing.sandbox_key);
  const receiver = await startReceiver();
  const endpoint = await call('post', '/v1/webhook-endpoints', { url: receiver.url });
  receiver.setSecret(expectStatus(endpoint, 201, 'registering the endpoint').secret);
  const connectors = await makeConnectors(call, erp.file);
  return {
    ...{ folder: folder.path, random, postgres, nodes, peppol, myinvois, erp, receiver, call },
    submit: async (company, over = {}) => {
      const ref = erp.add(company);
      const body = {
        ...{ connector_id: over.connector ?? connectors[company], source_ref: ref },
        profile: profiles[company],
      };
      const answer = await call('post', '/v1/invoices', body, ref);
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
      return { id: answer.body.id, ref };
    },
    countWrites: () => countWrites(erp),
    hurry: () => hurry(postgres),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.end('SIGTERM')));
      await Promise.all([receiver.close(), peppol.stop(), myinvois.stop()]);
      erp.close();
      await postgres.stop();
      await folder.remove();
    },
  };
}

async function makeNodes(
  folder: string,
  databaseUrl: string,
  peppol: string,
  myinvois: string,
): Promise<MortalNode[]> {
  const authorities = join(folder, 'authorities.json');
  const sandbox = {
    peppol: { baseUrl: peppol, credentials: { dialect: 'phoss-ap', token: 'sandbox-token' } },
    myinvois: {
      baseUrl: myinvois,
      credentials: { client_id: 'sandbox-client', client_secret: 'sandbox-secret' },
    },
  };
  await writeFile(authorities, JSON.stringify({ sandbox }));
  const env = {
    ...{ DATABASE_URL: databaseUrl, DATABASE_POOL: '10', LOG_LEVEL: 'warn', SHUTDOWN_MS: '3000' },
    ...{ AUTHORITIES_FILE: authorities, CONNECTOR_ROOTS: folder, WEBHOOK_ALLOW_PRIVATE: 'true' },
    DRAWBRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    // A node that was killed leaves its work for so long.
    ...{ JOB_LEASE_MS: '1500', SUBMIT_WAIT_MS: '0', SUBMIT_LIMIT: '10000', READ_LIMIT: '10000' },
  };
  const ports = await freePorts(4);
  return [0, 1].map(
    (at) => new MortalNode(join(folder, `node-${at}`), [ports[at * 2]!, ports[at * 2 + 1]!], env),
  );
}

function clientOf(nodes: readonly MortalNode[], key: string): Bridge['call'] {
  let turn = randomInt(nodes.length);
  const attempt: Bridge['call'] = async (method, path, body, idempotencyKey) => {
    const api = new Api(nodes[turn++ % nodes.length]!.sandboxUrl, key);
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    if (method === 'get') return api.get(path);
    return method === 'put' ? api.put(path, body) : api.post(path, body, headers);
  };
  return (...call) =>
    persist(async () => {
      const answer = await attempt(...call);
      return answer.status >= 500 || answer.status === 429 ? undefined : answer;
    }, persistMs);
}

async function makeConnectors(
  call: Bridge['call'],
  file: string,
): Promise<Readonly<Record<Company, string>>> {
  const made: Record<string, string> = {};
  for (const [company, profile] of Object.entries(profiles)) {
    made[company] = await addConnector(call, profile, {
      ...{ pattern: 'database', kind: 'sqlite' },
      settings: { file, sections: agentSections },
    });
  }
  return made as Record<Company, string>;
}

/** Creates a connector with the sample ERP's mapping for one profile, approved. */
export async function addConnector(
  call: Bridge['call'],
  profile: keyof typeof mappings,
  source: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { name, fields } = mappings[profile];
  const body = { ...source, name, default_profile: profile };
  const { id } = expectStatus(await call('post', '/v1/connectors', body), 201, 'a connector');
  const proposed = fields.map((field) => ({ ...field, status: 'proposed' }));
  const path = `/v1/connectors/${id}/mapping`;
  const mapping = { profile, fields: proposed };
  expectStatus(await call('put', path, { mapping }), 200, 'a mapping');
  expectStatus(await call('post', `${path}/approve`, {}), 200, 'approving');
  return id;
}

function countWrites(erp: Erp): void {
  const count = `begin insert into WRITES values (new.source_ref, new.status); end`;
  erp.run(`
    create table WRITES (source_ref text, status text);
    create trigger COUNT_INSERT after insert on einv_status_sandbox ${count};
    create trigger COUNT_UPDATE after update on einv_status_sandbox ${count};
  `);
}

/** A worker's grace for what an authority may list late is over, and every rest. */
async function hurry(postgres: MortalPostgres): Promise<void> {
  // Nothing is on its way for so long: every request of these tests ends within a second.
  await postgres.sql(`update invoice set sent_at = sent_at - interval '1 hour'
    where state = 'validated' and sent_at between now() - interval '30 minutes'
      and now() - interval '10 seconds'`);
  await postgres.sql(
    `update job set run_at = now() where claim_id is null and queue <> 'acknowledge'`,
  );
}

/** Makes the folder of an agent's home. */
export async function agentHome(bridge: Bridge): Promise<string> {
  const home = join(bridge.folder, 'agent');
  await mkdir(home);
  return home;
}
