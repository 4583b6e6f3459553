/**
 * Texts that attack whoever shows them, placed where customers, sources and providers place them:
 *
 *     const places = await placeHostileTexts(world);
 *     for (const { path, shown } of places) // each page shows its texts, letter by letter
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CimObject } from '@drawbridge/cim/json.ts';
import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { expect } from 'vitest';
import { enrolmentBody, newKeys } from '../../control-plane/agents/simulator.ts';
import { erpSettings, openErp } from '../../control-plane/einvoice/erp.kit.ts';
import { prepare, recordedCall } from '../../control-plane/messaging/voice/voice.kit.ts';
import { mappings } from '../../scripts/demo/mappings.ts';
import { eventually } from '../kit/eventually.ts';
import type { MessagingConsole } from '../kit/messaging-console.ts';

/** Each sets `ran`, closes what stands around it, or turns the text about; together in one field. */
const hostile = [
  '<img src=x onerror=ran=1>',
  '<script>ran=1</script>',
  '<svg/onload=ran=1>',
  '"autofocus onfocus=ran=1 x="',
  'javascript:ran=1',
  '{{7*7}}$t(title)',
  '</textarea></title><style>*{display:none}</style>',
].join(' ');

/** The same, for what is cut or checked more narrowly. */
const short = '<img src=x onerror=ran=1>';

/** A page, and what it has to show of the texts. */
export interface Place {
  readonly path: string;
  readonly shown: readonly string[];
  /** A file that is chosen there. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Buttons that bring more of them, in their order. */
  readonly press?: readonly string[];
}

/** A server that answers everything with a hostile text: a webhook's receiver, a provider, a transcriber. */
export async function startHostileServer() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const path = request.url?.split('/')[1];
      const { status, type, body } =
        answers[path === 'hook' || path === 'speech' ? path : 'provider'];
      response.writeHead(status, { 'content-type': type, 'x-says': 'hostile' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

const json = 'application/json';
const answers = {
  hook: { status: 400, type: 'text/html', body: `answer ${hostile}` },
  speech: {
    status: 200,
    type: json,
    body: JSON.stringify({ text: `spoken ${hostile}`, language: 'en' }),
  },
  /** As Twilio refuses a message. */
  provider: {
    status: 400,
    type: json,
    body: JSON.stringify({ code: 'odd', message: `refused ${hostile}` }),
  },
} as const;

/** Places the texts by the APIs, the simulators and the sources, and tells where each is shown. */
export async function placeHostileTexts(
  world: MessagingConsole,
  hostileUrl: string,
): Promise<readonly Place[]> {
  const home = JSON.parse(await readFile(join(world.kit.home, 'credentials.json'), 'utf8'));
  const key: string = home.einvoicing.sandbox_key;
  const einvoicing = (line: string, body?: unknown) => ask(world, line, body, key);
  const context = { world, einvoicing, folder: home.connector_folder, hostileUrl };
  return [
    ...(await placeInvoices(context)),
    ...(await placeReceived(context)),
    ...(await placeSources(context)),
    ...(await placeWebhook(context)),
    ...(await placePeople(context)),
    ...(await placeContacts(context)),
    ...(await placeConversation(context)),
    ...(await placeTemplates(context)),
    ...(await placeBroadcast(context)),
    ...(await placeCalls(context)),
    ...(await placeSettings(context)),
  ];
}

interface Context {
  readonly world: MessagingConsole;
  /** Asks the API of e-invoicing. */
  readonly einvoicing: (line: string, body?: unknown) => Promise<Body>;
  /** The folder that connectors may read. */
  readonly folder: string;
  readonly hostileUrl: string;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
type Body = any;

async function ask(
  world: MessagingConsole,
  line: string,
  body?: unknown,
  as?: string,
): Promise<Body> {
  const answer = await world.kit.ask(line, { body, as });
  // A document that is refused has its id in the answer.
  const isGood = answer.status < 300 || (answer.status === 422 && answer.body.id !== undefined);
  expect([line, isGood ? 'good' : answer.body]).toEqual([line, 'good']);
  return answer.body;
}

/** A buyer's name, an item and a tax number of an ERP. */
async function placeInvoices({ einvoicing, folder }: Context): Promise<Place[]> {
  const erp = openErp(join(folder, 'erp.db'), new Date());
  const buyer = `buyer ${hostile}`;
  const item = `item ${hostile}`;
  const good = await erp.add('AE', { customer: { CUST_NAME: buyer }, line: { ITEM_TEXT: item } });
  const wrong = await erp.add('AE', { customer: { TAX_NO: `tax ${hostile}` } });
  const { id: connector_id } = await einvoicing('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: `source ${hostile}`,
    default_profile: 'PINT-AE',
    settings: erpSettings(erp.file),
  });
  const fields = mappings['PINT-AE'].fields.map((each) => ({ ...each, status: 'approved' }));
  await einvoicing(`PUT /v1/connectors/${connector_id}/mapping`, { mapping: { fields } });
  const submit = (source_ref: string) =>
    einvoicing('POST /v1/invoices', { connector_id, source_ref });
  const [read, rejected] = [await submit(good), await submit(wrong)];
  const until = async () => (await einvoicing(`GET /v1/invoices/${read.id}`)).status;
  await eventually(async () => expect(await until()).toBe('delivered'));
  erp.close();
  return [
    { path: '/invoices', shown: [buyer] },
    { path: `/invoices/${read.id}/document`, shown: [buyer, item] },
    { path: `/invoices/${rejected.id}`, shown: [`tax ${hostile}`] },
    { path: `/sources/${connector_id}`, shown: [`source ${hostile}`] },
    { path: `/sources/${connector_id}?view=document`, shown: [`tax ${hostile}`] },
  ];
}

const parts = (value: unknown) => value as CimObject;

/** What a supplier writes, in a file that comes in. */
async function placeReceived({ einvoicing, folder }: Context): Promise<Place[]> {
  await mkdir(join(folder, 'suppliers'));
  const supplier = `supplier ${hostile}`;
  const texts = {
    buyer: `buyer ${hostile}`,
    street: `street ${hostile}`,
    item: `supplied ${hostile}`,
    reference: `reference ${hostile}`,
  };
  const { seller, buyer, lines, allowances } = invoice as Record<string, CimObject & CimObject[]>;
  const document = {
    ...invoice,
    seller: {
      ...seller,
      name: supplier,
      address: { ...parts(seller!.address), line1: texts.street },
    },
    buyer: { ...buyer, name: texts.buyer },
    buyer_reference: texts.reference,
    payment_terms: [{ note: hostile }],
    allowances: allowances!.map((each) => ({ ...each, reason: hostile })),
    lines: lines!.map((each) => ({ ...each, name: texts.item })),
  };
  const { xml } = new Validator().validate(profile, profile.complete(document as CimObject));
  await writeFile(join(folder, 'suppliers', 'one.xml'), xml);
  const { id } = await einvoicing('POST /v1/connectors', {
    pattern: 'file',
    kind: 'files',
    name: 'Suppliers',
    settings: { folder: 'suppliers', settleSeconds: 0 },
  });
  await einvoicing(`PATCH /v1/connectors/${id}`, { receives: {} });
  const found = async () => (await einvoicing('GET /v1/received')).results[0]?.id;
  await eventually(async () => expect(await found()).toBeDefined());
  return [
    { path: '/received', shown: [supplier] },
    { path: `/received/${await found()}`, shown: [supplier] },
    { path: `/received/${await found()}/document`, shown: [supplier, ...Object.values(texts)] },
  ];
}

/** The host of an agent, columns of a source, and what its driver says. */
async function placeSources({ einvoicing, folder }: Context): Promise<Place[]> {
  const { token } = await einvoicing('POST /v1/agents/enrolment-tokens', {});
  const host = `host ${short}`;
  const applicant = enrolmentBody(token, newKeys().publicKey, host);
  const { agent_id } = await einvoicing('POST /v1/agents/enrol', applicant);
  const column = `col ${short}`;
  const erp = openErp(join(folder, 'odd.db'), new Date());
  await erp.run(`alter table OSALES add column "${column}" text default 'value ${short}'`);
  erp.close();
  const make = (name: string, settings: object) =>
    einvoicing('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name,
      default_profile: 'PINT-AE',
      settings,
    });
  const odd = await make(`odd ${short}`, erpSettings(erp.file));
  await einvoicing('PUT /v1/participants/0208:0884303369', { import_to: odd.id });
  await einvoicing('PUT /v1/approval-policy', { mappings: 'two', live_submission: 'one' });
  const proposed = { target: 'number', value: `value ${short}`, status: 'proposed' };
  await einvoicing(`PUT /v1/connectors/${odd.id}/mapping`, { mapping: { fields: [proposed] } });
  const sections = { header: { table: `gone ${short}`, key: 'DOC_NO', match: 'DOC_NO' } };
  const gone = await make('Without a table', { file: erp.file, sections });
  return [
    { path: '/sources', shown: [host, `source ${hostile}`] },
    { path: `/sources/${odd.id}?view=document`, shown: [column] },
    { path: `/sources/${odd.id}`, shown: [`odd ${short}`, `value ${short}`] },
    { path: `/sources/${gone.id}`, shown: [`gone ${short}`], press: ['Test the connection'] },
    { path: `/sources/${gone.id}`, shown: [`gone ${short}`], press: ['Change the settings'] },
    { path: `/sources/agents/${agent_id}/bundles`, shown: [host] },
    { path: '/received/participants', shown: [`odd ${short}`] },
    { path: '/settings', shown: [`odd ${short}`] },
  ];
}

/** What a receiver of webhooks answers. */
async function placeWebhook({ einvoicing, hostileUrl }: Context): Promise<Place[]> {
  const url = `${hostileUrl}/hook`;
  const { id } = await einvoicing('POST /v1/webhook-endpoints', { url, description: hostile });
  await einvoicing(`POST /v1/webhook-endpoints/${id}/test`, {});
  return [
    { path: '/webhooks', shown: [url] },
    { path: `/webhooks/${id}`, shown: [`answer ${hostile}`], press: ['Show'] },
  ];
}

/** Names of people, keys and the company, and what of them the audit log keeps. */
async function placePeople({ einvoicing }: Context): Promise<Place[]> {
  await einvoicing('POST /v1/api-keys', { name: `key ${hostile}`, scopes: ['invoices:read'] });
  await einvoicing('PUT /v1/company', { legal_name: `company ${hostile}`, country: 'AE' });
  return [
    { path: '/keys', shown: [`key ${hostile}`] },
    { path: '/members', shown: ['Aisha <b>Rahman</b>'] },
    { path: '/company', shown: [] },
    { path: '/audit-log', shown: [] },
    { path: '/profile', shown: [] },
    { path: '/', shown: [] },
  ];
}

async function placeContacts({ world }: Context): Promise<Place[]> {
  const name = `contact ${hostile}`.slice(0, 200);
  const segment = `segment ${short}`;
  const value = `attribute ${hostile}`;
  const { id } = await ask(world, 'POST /contacts/', {
    name,
    phone: '+60123459400',
    segments: [segment],
    attributes: { city: value },
  });
  const twin = await ask(world, 'POST /contacts/', {
    name: `twin ${short}`,
    phone: '+60123459401',
    attributes: { city: `other ${hostile}` },
  });
  const reason = `reason ${short}`;
  await ask(world, 'POST /contacts/opt-outs/', {
    channel: 'sms',
    address: '+60123459402',
    note: reason,
  });
  const row = `012-345 6701;${short};Ipoh`;
  const form = new FormData();
  form.set('file', new Blob([`Mobile ${short};Name;City\n${row}\n`]), `file ${short}.csv`);
  const { body } = await world.kit.send('/contacts/bulk-import/preview/', form);
  return [
    { path: '/contacts', shown: [name, segment] },
    { path: `/contacts/${id}`, shown: [name, segment, value] },
    { path: '/contacts/segments', shown: [segment] },
    { path: `/contacts/${id}/merge?with=${twin.id}`, shown: [value, `other ${hostile}`] },
    { path: '/contacts/opt-outs', shown: [reason] },
    { path: `/contacts/import?id=${body.id}`, shown: [`Mobile ${short}`] },
  ];
}

/** What a person writes and is called, and the names of files. */
async function placeConversation({ world }: Context): Promise<Place[]> {
  const said = `message ${hostile}`;
  const phone = '+60123457001';
  await world.write(phone, said);
  const contact = async () =>
    (await ask(world, `GET /contacts/?phone=${encodeURIComponent(phone)}`)).results[0]?.id;
  await eventually(async () => expect(await contact()).toBeDefined());
  await ask(world, `PATCH /contacts/${await contact()}/`, { name: `writer ${short}` });
  const { results } = await ask(
    world,
    `GET /team-inbox/api/conversations/?contact=${await contact()}`,
  );
  const { id } = results[0];
  await ask(world, `POST /team-inbox/api/conversations/${id}/notes/`, { text: `note ${hostile}` });
  const fileName = `paper ${short}.txt`;
  const form = new FormData();
  form.set('file', new Blob(['3 kg'], { type: 'text/plain' }), fileName);
  const kept = await world.kit.send(`/team-inbox/api/conversations/${id}/attachments/`, form);
  expect(kept).toMatchObject({ status: 201 });
  await ask(world, 'POST /team-inbox/api/canned-replies/', {
    shortcut: 'odd',
    title: `canned ${short}`,
    text: `reply ${short}`,
  });
  await ask(world, 'POST /tenants/tenant-tags/', { name: `tag ${short}` });
  return [
    { path: '/inbox', shown: [`writer ${short}`] },
    { path: `/inbox?id=${id}`, shown: [said, `note ${hostile}`, kept.body.name] },
    { path: '/inbox/statistics', shown: [] },
    { path: '/inbox/hours', shown: [] },
    { path: '/inbox/canned-replies', shown: [`canned ${short}`, `reply ${short}`] },
  ];
}

async function placeTemplates({ world }: Context): Promise<Place[]> {
  const { id } = await ask(world, 'POST /sms/v1/templates/', {
    name: 'odd',
    body: `Hello {{name}}, ${short}`,
  });
  return [
    { path: '/templates?channel=sms', shown: ['odd'] },
    { path: `/templates/sms/${id}`, shown: [short] },
    { path: '/templates/new', shown: [] },
    { path: '/broadcasts/new', shown: [] },
  ];
}

/** A provider that refuses each message in words of its own. */
async function placeBroadcast({ world }: Context): Promise<Place[]> {
  const account_sid = `AC${'0'.repeat(32)}`;
  // It refuses the address of webhooks too; the app is kept all the same.
  const { body: app } = await world.kit.ask('POST /sms/v1/apps/', {
    body: {
      provider: 'twilio-sms',
      name: `app ${short}`,
      settings: { account_sid, auth_token: 'secret', from: '+60312345678' },
    },
  });
  const { id } = await ask(world, 'POST /sms/v1/broadcast/', {
    template: 'odd',
    segment: `segment ${short}`,
    app_id: app.app_id,
    variables: { name: { attribute: 'city' } },
  });
  const failed = async () => (await ask(world, `GET /broadcast/${id}/`)).counts.failed;
  await eventually(async () => expect(await failed()).toBe(1));
  return [
    { path: '/broadcasts', shown: [`segment ${short}`] },
    { path: `/broadcasts/${id}`, shown: [`segment ${short}`, `refused ${hostile}`] },
    { path: '/channels', shown: [`app ${short}`] },
  ];
}

async function placeCalls({ world }: Context): Promise<Place[]> {
  const said = `say ${short}`;
  const flow = {
    version: 1,
    start: 'hello',
    nodes: {
      hello: { type: 'say', text: said, next: 'bye' },
      bye: { type: 'hangup' },
    },
  };
  const name = `flow ${short}`;
  const { id } = await ask(world, 'POST /voice/api/templates/', { name, flow });
  const line = `line ${short}`;
  const provider = { provider: 'asterisk', name: line, from_number: '+60399990001' };
  await ask(world, 'POST /voice/api/provider-configs/', provider);
  const setup = await prepare(world.kit);
  // It writes down no speech itself then: the service of the host does.
  await ask(world, `PATCH /voice/api/provider-configs/${setup.configs['twilio-voice']}/`, {
    settings: { intelligence_service_sid: null },
  });
  const recorded = await recordedCall(world.kit, setup, 'twilio-voice', '+60123457100');
  const recording = `/voice/api/recordings/${recorded.recordingId}/`;
  await eventually(async () =>
    expect((await ask(world, `GET ${recording}`)).transcription_status).toBe('completed'),
  );
  const rates = `prefix,currency,per_minute\n${short},USD,0.03\n`;
  return [
    { path: '/calls', shown: [line] },
    { path: `/calls/${recorded.callId}`, shown: [`spoken ${hostile}`] },
    { path: '/calls/recordings', shown: [`spoken ${hostile}`], press: ['Read the text'] },
    { path: '/calls/rates', shown: [] },
    {
      path: '/calls/rates/import',
      file: { name: `rates ${short}.csv`, text: rates },
      press: ['Look at it'],
      shown: [short],
    },
    { path: '/call-flows', shown: [name] },
    { path: `/call-flows/${id}`, shown: [name] },
    { path: `/call-flows/${id}/edit`, shown: [] },
    { path: '/call-flows/new', shown: [] },
  ];
}

async function placeSettings({ world }: Context): Promise<Place[]> {
  await ask(world, 'PATCH /tenants/branding/', {
    email_sender: { name: `sender ${short}`, address: 'care@acme.example' },
  });
  return [
    { path: '/branding', shown: [] },
    { path: '/settings', shown: [] },
    { path: '/wallet', shown: [] },
    { path: '/docs', shown: [] },
  ];
}
