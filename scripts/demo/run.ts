import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, Client } from '@drawbridge/sdk/clients/einvoice.ts';
import type { ControlPlane, Environment } from './environment.ts';
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
  const client = openClient(control, fetch);
  const receiver = await openReceiver(environment, client);
  say('webhook receiver registered; signatures are checked over the raw bytes');

  const erpPath = join(await environment.folder(), 'erp.sqlite');
  const documents = createErp(erpPath, new Date());
  say(`sample ERP: ${documents.length} sales documents of three companies`);
  const agentId = await enrolAgent(environment, control.sandboxUrl, client, erpPath);
  say(`bridge agent ${agentId} enrolled with a one-time token, and connected`);
  const connectors = await createConnectors(client, agentId);
  say('one connector a country, mapping approved in bulk');

  const submitted = await submitAll(client, documents, connectors, erpPath, say);
  say('waiting until every invoice is settled and confirmed in the ERP');
  const invoices = await settleAll(client, submitted);
  const replay = await submitAgain(control, submitted[0]!);
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

/** The printed client of the service, with the key of the sandbox. */
function openClient({ sandboxUrl, sandboxKey }: ControlPlane, send: typeof fetch): Client {
  return new Client({ baseUrl: sandboxUrl, key: sandboxKey, fetch: send });
}

async function openReceiver(environment: Environment, client: Client): Promise<Receiver> {
  const receiver = await startReceiver();
  environment.onClose(receiver.close);
  const { secret } = await client.createWebhookEndpoint({ body: { url: receiver.url } });
  receiver.setSecret(secret!); // null only in an answer that is repeated
  environment.note('webhook receiver', receiver.url);
  return receiver;
}

async function enrolAgent(
  environment: Environment,
  url: string,
  client: Client,
  erpPath: string,
): Promise<string> {
  const home = join(await environment.folder(), 'agent');
  const { token } = await client.createEnrolmentToken({ body: {} });
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
  const agents = async () => (await client.listAgents()).results;
  await until(async () => (await agents())[0]?.online === true);
  return (await agents())[0]!.id;
}

async function createConnectors(
  client: Client,
  agentId: string,
): Promise<Readonly<Record<ProfileId, string>>> {
  const made: Partial<Record<ProfileId, string>> = {};
  for (const profile of Object.keys(mappings) as ProfileId[]) {
    const { name, fields } = mappings[profile];
    const { id } = await client.createConnector({
      body: {
        pattern: 'agent',
        kind: 'agent',
        name,
        agent_id: agentId,
        default_profile: profile,
        settings: { connector: 'erp' },
      },
    });
    const proposed = fields.map((field) => ({ ...field, status: 'proposed' as const }));
    await client.replaceMapping({ id, body: { mapping: { profile, fields: proposed } } });
    await client.approveMapping({ id, body: {} });
    made[profile] = id;
  }
  return made as Record<ProfileId, string>;
}

type SubmitRequest = Parameters<Client['submitInvoice']>[0];

interface Submitted {
  readonly document: SampleDocument;
  readonly id: string;
  readonly request: SubmitRequest;
}

/** Submits credit notes last, because they name identifiers of cleared invoices. */
async function submitAll(
  client: Client,
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
  const submitted = await Promise.all(first.map((each) => submit(client, each, connectors)));
  const originals = last.map((each) => String(each.header.CORRECTS_NO));
  await until(() => {
    const held = readConfirmations(erpPath).filter((row) => row.uin !== null);
    return originals.every((number) => held.some((row) => row.source_ref === number));
  });
  keepUins(erpPath);
  say(`submitting ${last.length} credit note that names the identifier just received`);
  const later = await Promise.all(last.map((each) => submit(client, each, connectors)));
  return [...submitted, ...later];
}

async function submit(
  client: Client,
  document: SampleDocument,
  connectors: Readonly<Record<ProfileId, string>>,
): Promise<Submitted> {
  const ref = String(document.header.DOC_NO);
  const request = {
    body: { connector_id: connectors[document.profile], source_ref: ref },
    idempotencyKey: `demo-${ref}`,
  };
  return { document, id: await invoiceIdOf(client, request), request };
}

/** The id of the submitted invoice; it has one too when it fails its checks at once. */
async function invoiceIdOf(client: Client, request: SubmitRequest): Promise<string> {
  try {
    return (await client.submitInvoice(request)).id;
  } catch (error) {
    const id = error instanceof ApiError && error.status === 422 ? error.body.id : undefined;
    if (typeof id === 'string') return id;
    throw error;
  }
}

async function submitAgain(
  control: ControlPlane,
  { request, id: first }: Submitted,
): Promise<DemoReport['replay']> {
  const replayed: boolean[] = [];
  const client = openClient(control, async (...call) => {
    const response = await fetch(...call);
    replayed.push(response.headers.get('idempotency-replayed') === 'true');
    return response;
  });
  const id = await invoiceIdOf(client, request);
  return { id, replayed: replayed.every(Boolean) && id === first };
}

async function settleAll(
  client: Client,
  submitted: readonly Submitted[],
): Promise<InvoiceResult[]> {
  const settled = ['delivered', 'cleared', 'acknowledged', 'rejected'];
  const results: InvoiceResult[] = [];
  for (const { id, document } of submitted) {
    let invoice = await client.getInvoice({ id });
    await until(async () => {
      invoice = await client.getInvoice({ id });
      return settled.includes(invoice.status);
    });
    const { results: events } = await client.listInvoiceEvents({ id });
    results.push(verdictOf(document, invoice, events));
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
