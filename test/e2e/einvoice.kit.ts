/** For crash tests: two nodes with authorities, ERP and webhook receiver in the test process. */
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
import { agentSections, mappings } from '../../scripts/demo/mappings.ts';
import { type Receiver, startReceiver } from '../../scripts/demo/receiver.ts';
import { Api, expectStatus } from '../kit/api.ts';
import { freePorts } from '../kit/free-ports.ts';
import {
  KillableNode,
  type KillablePostgres,
  openFolder,
  retryUntilDone,
  startPostgres,
} from './crash.kit.ts';

export interface Submitted {
  readonly id: string;
  readonly ref: string;
}

export interface EinvoiceHarness {
  readonly folder: string;
  readonly random: () => number;
  readonly postgres: KillablePostgres;
  readonly nodes: readonly KillableNode[];
  readonly peppol: PeppolSimulator;
  readonly myinvois: MyInvoisSimulator;
  readonly erp: Erp;
  readonly receiver: Receiver;
  /** Calls a node, and the next one when it does not answer. */
  call(
    method: 'get' | 'patch' | 'post' | 'put',
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answer>;
  /** Adds a document to the ERP and submits it until it is accepted. */
  submit(company: Company, over?: { connector?: string }): Promise<Submitted>;
  /** Counts all confirmations written into the ERP from now on. */
  countWrites(): Promise<void>;
  /** Makes all waiting jobs due. */
  makeJobsDue(): Promise<void>;
  stop(): Promise<void>;
}

type Answer = Awaited<ReturnType<Api['get']>>;
export type Company = 'AE' | 'MY' | 'BE';
const profiles = { AE: 'PINT-AE', MY: 'PINT-MY', BE: 'BIS-3.0' } as const;

/** A client gives up on a call after this; longer than any crash lasts. */
const retryForMs = 90_000;

/** `nodeEnv` is further environment of the nodes. */
export async function startEinvoiceHarness(
  random: () => number,
  nodeEnv: Readonly<Record<string, string>> = {},
): Promise<EinvoiceHarness> {
  const folder = await openFolder();
  const postgres = await startPostgres(folder.path);
  const clock = () => new Date();
  const [peppol, myinvois] = [
    await startPeppolSimulator({ clock, random }),
    await startMyInvoisSimulator({ clock, random }),
  ];
  peppol.control.set({ mlsDelayMs: 200 });
  myinvois.control.set({ validationDelayMs: 200 });
  // With the limits per minute the test would take minutes; other tests check them.
  myinvois.control.limits({ login: 6_000, submit: 6_000, submission: 6_000, search: 6_000 });
  const urls = { database: postgres.url, peppol: peppol.url, myinvois: myinvois.url };
  const nodes = await makeNodes(folder.path, urls, nodeEnv);
  await nodes[0]!.start();
  await nodes[1]!.start();
  const secrets = JSON.parse(await readFile(join(nodes[0]!.home, 'credentials.json'), 'utf8'));
  const erp = openErp(join(secrets.connector_folder, 'erp.db'), new Date());
  const call = clientOf(nodes, secrets.einvoicing.sandbox_key);
  const receiver = await startReceiver();
  const endpoint = await call('post', '/v1/webhook-endpoints', { url: receiver.url });
  receiver.setSecret(expectStatus(endpoint, 201, 'registering the endpoint').secret);
  const connectors = await makeConnectors(call, erp.file);
  return {
    folder: folder.path,
    random,
    postgres,
    nodes,
    peppol,
    myinvois,
    erp,
    receiver,
    call,
    submit: async (company, over = {}) => {
      const ref = await erp.add(company);
      const body = {
        connector_id: over.connector ?? connectors[company],
        source_ref: ref,
        profile: profiles[company],
      };
      const answer = await call('post', '/v1/invoices', body, ref);
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
      return { id: answer.body.id, ref };
    },
    countWrites: () => countWrites(erp),
    makeJobsDue: () => makeJobsDue(postgres),
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
  urls: { readonly database: string; readonly peppol: string; readonly myinvois: string },
  nodeEnv: Readonly<Record<string, string>>,
): Promise<KillableNode[]> {
  const authorities = join(folder, 'authorities.json');
  const sandbox = {
    peppol: { baseUrl: urls.peppol, credentials: { dialect: 'phoss-ap', token: 'sandbox-token' } },
    myinvois: {
      baseUrl: urls.myinvois,
      credentials: { client_id: 'sandbox-client', client_secret: 'sandbox-secret' },
    },
  };
  await writeFile(authorities, JSON.stringify({ sandbox }));
  const env = {
    DATABASE_URL: urls.database,
    DATABASE_POOL: '10',
    LOG_LEVEL: 'warn',
    SHUTDOWN_MS: '3000',
    AUTHORITIES_FILE: authorities,
    CONNECTOR_ROOTS: join(folder, 'roots'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DRAWBRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
    // For this long nobody takes the jobs of a killed node.
    JOB_LEASE_MS: '1500',
    // Here it is not the jobs that end nodes.
    JOB_LOSSES_MAX: '1000',
    SUBMIT_WAIT_MS: '0',
    SUBMIT_LIMIT: '10000',
    READ_LIMIT: '10000',
    ...nodeEnv,
  };
  const ports = await freePorts(4);
  return [0, 1].map(
    (at) => new KillableNode(join(folder, `node-${at}`), [ports[at * 2]!, ports[at * 2 + 1]!], env),
  );
}

function clientOf(nodes: readonly KillableNode[], key: string): EinvoiceHarness['call'] {
  let turn = randomInt(nodes.length);
  const attempt: EinvoiceHarness['call'] = async (method, path, body, idempotencyKey) => {
    const api = new Api(nodes[turn++ % nodes.length]!.sandboxUrl, key);
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    if (method === 'get') return api.get(path);
    if (method === 'patch') return api.patch(path, body);
    return method === 'put' ? api.put(path, body) : api.post(path, body, headers);
  };
  return (...call) =>
    retryUntilDone(async () => {
      const answer = await attempt(...call);
      return answer.status >= 500 || answer.status === 429 ? undefined : answer;
    }, retryForMs);
}

async function makeConnectors(
  call: EinvoiceHarness['call'],
  file: string,
): Promise<Readonly<Record<Company, string>>> {
  const made: Record<string, string> = {};
  for (const [company, profile] of Object.entries(profiles)) {
    made[company] = await addConnector(call, profile, {
      pattern: 'database',
      kind: 'sqlite',
      settings: { file, sections: agentSections },
    });
  }
  return made as Record<Company, string>;
}

/** Creates a connector with the sample ERP's mapping for one profile, approved. */
export async function addConnector(
  call: EinvoiceHarness['call'],
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

function countWrites(erp: Erp): Promise<void> {
  const count = `begin insert into WRITES values (new.source_ref, new.status); end`;
  return erp.run(`
    create table WRITES (source_ref text, status text);
    create trigger COUNT_INSERT after insert on einv_status_sandbox ${count};
    create trigger COUNT_UPDATE after update on einv_status_sandbox ${count};
  `);
}

/** Makes jobs due as if all delays, and the time in which an authority may list late, were over. */
async function makeJobsDue(postgres: KillablePostgres): Promise<void> {
  // No request of these tests takes that long: each ends within a second.
  await postgres.sql(`update invoice set sent_at = sent_at - interval '1 hour'
    where state = 'validated' and sent_at between now() - interval '30 minutes'
      and now() - interval '10 seconds'`);
  await postgres.sql(
    `update job set run_at = now() where claim_id is null and queue <> 'acknowledge'`,
  );
}

/** Makes the folder of an agent's home. */
export async function agentHome(harness: EinvoiceHarness): Promise<string> {
  const home = join(harness.folder, 'agent');
  await mkdir(home);
  return home;
}
