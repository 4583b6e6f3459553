import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api, expectStatus } from './api.ts';
import type { Environment } from './environment.ts';
import { createErp, keepUins, readConfirmations } from './erp.ts';
import type { SampleDocument } from './erp-documents.ts';
import type { Row } from './erp-schema.ts';
import { agentSections, mappings } from './mappings.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { until } from './until.ts';
import { type InvoiceResult, verdictOf } from './verdict.ts';

export interface DemoReport {
  readonly ok: boolean;
  /** What differs from the expectation; empty when ok. */
  readonly problems: readonly string[];
  readonly seconds: number;
  readonly invoices: readonly InvoiceResult[];
  readonly replay: { readonly id: string; readonly replayed: boolean };
  readonly webhooks: {
    readonly received: number;
    readonly verified: number;
    readonly repeats: number;
  };
  readonly confirmations: readonly Row[];
}

type ProfileId = SampleDocument['profile'];

/** Runs the whole demo, from an empty folder to confirmations in the ERP. */
export async function runDemo(environment: Environment): Promise<DemoReport> {
  const begun = performance.now();
  const say = (text: string): void => {
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1).padStart(5);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  say('starting PostgreSQL, the control plane and the authority simulators');
  const control = await environment.startControlPlane();
  const api = new Api(control.sandboxUrl, control.sandboxKey);
  const receiver = await openReceiver(environment, api);
  say('webhook receiver registered; signatures are checked over the raw bytes');

  const erpPath = join(await environment.folder(), 'erp.sqlite');
  const documents = createErp(erpPath, new Date());
  say(`sample ERP: ${documents.length} sales documents of three companies`);
  const agentId = await enrolAgent(environment, control.sandboxUrl, api, erpPath);
  say(`bridge agent ${agentId} enrolled with a one-time token, and connected`);
  const connectors = await createConnectors(api, agentId);
  say('one connector a country, mapping approved in bulk');

  const submitted = await submitAll(api, documents, connectors, erpPath, say);
  say('waiting until every invoice is settled and confirmed in the ERP');
  const invoices = await settleAll(api, submitted);
  const replay = await submitAgain(api, submitted[0]!);
  const events = invoices.reduce((count, each) => count + each.timeline.length, 0);
  await until(() => receiver.events.length >= events);
  const settled = invoices.filter((each) => each.expected === 'settles').length;
  await until(() => readConfirmations(erpPath).length >= settled);
  const confirmations = readConfirmations(erpPath);
  const problems = problemsOf(invoices, replay, receiver, events, confirmations);
  say(problems.length === 0 ? 'done' : 'done, with problems');
  return {
    ok: problems.length === 0,
    problems,
    seconds: Number(((performance.now() - begun) / 1_000).toFixed(1)),
    invoices,
    replay,
    webhooks: {
      received: receiver.events.length,
      verified: receiver.events.filter((each) => each.verified).length,
      repeats: receiver.repeats,
    },
    confirmations,
  };
}

async function openReceiver(environment: Environment, api: Api): Promise<Receiver> {
  const receiver = await startReceiver();
  environment.onClose(receiver.close);
  const answer = await api.post('/v1/webhook-endpoints', { url: receiver.url });
  receiver.setSecret(expectStatus(answer, 201, 'registering the webhook endpoint').secret);
  environment.note('webhook receiver', receiver.url);
  return receiver;
}

async function enrolAgent(
  environment: Environment,
  url: string,
  api: Api,
  erpPath: string,
): Promise<string> {
  const home = join(await environment.folder(), 'agent');
  const issued = await api.post('/v1/agents/enrolment-tokens', {});
  const { token } = expectStatus(issued, 201, 'issuing an enrolment token');
  await environment.agent(home, ['enroll', '--url', url], token);
  const settings = join(await environment.folder(), 'erp.json');
  await writeFile(
    settings,
    JSON.stringify({ file: erpPath, sections: agentSections, writeBack: { mode: 'side-table' } }),
  );
  await environment.agent(home, [
    'connector',
    'add',
    'sqlite',
    '--name',
    'erp',
    '--settings-file',
    settings,
  ]);
  await environment.startAgent(home);
  environment.note('agent home', home);
  const agents = async () =>
    expectStatus(await api.get('/v1/agents'), 200, 'listing agents').results;
  await until(async () => (await agents())[0]?.online === true);
  return (await agents())[0].id;
}

async function createConnectors(
  api: Api,
  agentId: string,
): Promise<Readonly<Record<ProfileId, string>>> {
  const made: Partial<Record<ProfileId, string>> = {};
  for (const [profile, { name, fields }] of Object.entries(mappings)) {
    const connector = expectStatus(
      await api.post('/v1/connectors', {
        pattern: 'agent',
        kind: 'agent',
        name,
        agent_id: agentId,
        default_profile: profile,
        settings: { connector: 'erp' },
      }),
      201,
      'creating a connector',
    );
    const proposed = fields.map((field) => ({ ...field, status: 'proposed' }));
    const path = `/v1/connectors/${connector.id}/mapping`;
    expectStatus(await api.put(path, { mapping: { profile, fields: proposed } }), 200, 'mapping');
    expectStatus(await api.post(`${path}/approve`, {}), 200, 'approving the mapping');
    made[profile as ProfileId] = connector.id;
  }
  return made as Record<ProfileId, string>;
}

interface Submitted {
  readonly document: SampleDocument;
  readonly id: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Submits credit notes last, because they name identifiers of cleared invoices. */
async function submitAll(
  api: Api,
  documents: readonly SampleDocument[],
  connectors: Readonly<Record<ProfileId, string>>,
  erpPath: string,
  say: (text: string) => void,
): Promise<Submitted[]> {
  const needsUin = (each: SampleDocument): boolean =>
    each.profile === 'PINT-MY' && each.header.DOC_KIND === 'C';
  const first = documents.filter((each) => !needsUin(each));
  const last = documents.filter(needsUin);
  say(`submitting ${first.length} documents by source_ref`);
  const submitted = await Promise.all(first.map((each) => submit(api, each, connectors)));
  const originals = last.map((each) => String(each.header.CORRECTS_NO));
  await until(() => {
    const held = readConfirmations(erpPath).filter((row) => row.uin !== null);
    return originals.every((number) => held.some((row) => row.source_ref === number));
  });
  keepUins(erpPath);
  say(`submitting ${last.length} credit note that names the identifier just received`);
  return [...submitted, ...(await Promise.all(last.map((each) => submit(api, each, connectors))))];
}

async function submit(
  api: Api,
  document: SampleDocument,
  connectors: Readonly<Record<ProfileId, string>>,
): Promise<Submitted> {
  const ref = String(document.header.DOC_NO);
  const key = `demo-${ref}`;
  const body = { connector_id: connectors[document.profile], source_ref: ref };
  const answer = await api.post('/v1/invoices', body, { 'idempotency-key': key });
  if (answer.status !== 202 && answer.status !== 422) {
    throw new Error(`submitting ${ref}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return { document, id: answer.body.id, key, body };
}

async function submitAgain(api: Api, { body, key, id }: Submitted): Promise<DemoReport['replay']> {
  const answer = await api.post('/v1/invoices', body, { 'idempotency-key': key });
  const replayed = answer.headers.get('idempotency-replayed') === 'true' && answer.body.id === id;
  return { id: answer.body.id, replayed };
}

async function settleAll(api: Api, submitted: readonly Submitted[]): Promise<InvoiceResult[]> {
  const settled = ['delivered', 'cleared', 'acknowledged', 'rejected'];
  const read = async (id: string) =>
    expectStatus(await api.get(`/v1/invoices/${id}`), 200, 'reading an invoice');
  const results: InvoiceResult[] = [];
  for (const each of submitted) {
    let invoice = await read(each.id);
    await until(async () => {
      invoice = await read(each.id);
      return settled.includes(invoice.status);
    });
    const path = `/v1/invoices/${each.id}/events`;
    const events = expectStatus(await api.get(path), 200, 'reading the timeline').results;
    results.push(verdictOf(each.document, invoice, events));
  }
  return results;
}

function problemsOf(
  invoices: readonly InvoiceResult[],
  replay: DemoReport['replay'],
  receiver: Receiver,
  events: number,
  confirmations: readonly Row[],
): string[] {
  const settled = invoices.filter((each) => each.expected === 'settles');
  const unconfirmed = settled.filter(
    (each) => !confirmations.some((row) => row.invoice_id === each.id),
  );
  const unverified = receiver.events.filter((each) => !each.verified).length;
  return [
    ...invoices.flatMap((each) => each.problems),
    ...(replay.replayed ? [] : ['the repeated submission made something new']),
    ...(receiver.events.length === events
      ? []
      : [`${events} transitions, ${receiver.events.length} webhooks`]),
    ...(unverified === 0 ? [] : [`${unverified} webhooks did not verify`]),
    ...unconfirmed.map((each) => `${each.ref} was not confirmed in the ERP`),
  ];
}
