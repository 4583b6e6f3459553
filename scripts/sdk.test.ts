import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { einvoiceModule } from '@drawbridge/control-plane/einvoice/module.ts';
import { type ServiceKit, startService } from '@drawbridge/control-plane/messaging/service.kit.ts';
import { openapiText } from '@drawbridge/control-plane/openapi/print.ts';
import { issueKey } from '@drawbridge/control-plane/platform/auth/issue.ts';
import { webhooksModule } from '@drawbridge/control-plane/webhooks/module.ts';
import { pythonClient } from '@drawbridge/sdk/python.ts';
import { typescriptClient } from '@drawbridge/sdk/typescript.ts';
import { sign } from '@drawbridge/webhooks/signature.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let kit: ServiceKit;
let folder: string;
let key: string;

beforeAll(async () => {
  kit = await startService({}, [einvoiceModule, webhooksModule]);
  folder = await mkdtemp(join(tmpdir(), 'sdk-'));
  key = await kit.keyOf('owner');
});
afterAll(async () => {
  await kit.stop();
  await rm(folder, { recursive: true });
});

/** What each program is given. */
const given = (prefix: string) => ({
  ...process.env,
  SDK_URL: kit.url,
  SDK_KEY: key,
  SDK_PHONES: [1, 2, 3].map((n) => `${prefix}${n}`).join(' '),
  SDK_SECRET: secret,
  SDK_WEBHOOK: sign({
    eventId: 'evt_1',
    payload: '{"event":"message.sent","id":"msg_1"}',
    signedAt: new Date(),
    secrets: [secret],
  }).body,
});

/** What each program prints as JSON, in both languages alike. */
const expected = {
  pages: 3,
  replayed: true,
  code: 'contact_exists',
  status: 409,
  has_detail: true,
  fields: ['phone'],
  event: 'message.sent',
  forged: true,
  rows: 1,
};

const python = `
import json, os
from drawbridge import ApiError, Client, verify_webhook

client = Client(os.environ["SDK_URL"], os.environ["SDK_KEY"])
phones = os.environ["SDK_PHONES"].split(" ")
made = [client.create_contact(body={"phone": phone, "segments": ["Python"]}) for phone in phones]
pages = len(list(client.each_of_list_contacts(segment="Python", limit=1)))
body = {"name": "Once"}
first = client.create_segment(body=body, idempotency_key="python-1")
again = client.create_segment(body=body, idempotency_key="python-1")
try:
    client.create_contact(body={"phone": phones[0]})
except ApiError as error:
    refused = error
try:
    client.create_contact(body={"phone": "1"})
except ApiError as error:
    invalid = error
hook = os.environ["SDK_WEBHOOK"].encode("utf-8")
event = verify_webhook(hook, os.environ["SDK_SECRET"])
forged = verify_webhook(hook.replace(b"msg_1", b"msg_2"), os.environ["SDK_SECRET"])
preview = client.preview_contact_import(b"phone\\n+971501234567\\n", filename="a.csv")
print(json.dumps({
    "pages": pages, "replayed": first["id"] == again["id"], "code": refused.code,
    "status": refused.status, "has_detail": refused.detail != "", "fields": list(invalid.errors),
    "event": event["event"], "forged": forged is None, "rows": preview["counts"]["rows"],
}))
`;

const typescript = `
import { ApiError, Client, type ContactRequest, verifyWebhook } from './drawbridge.ts';

const { SDK_URL = '', SDK_KEY = '', SDK_PHONES = '', SDK_SECRET = '', SDK_WEBHOOK = '' } = process.env;
// As browsers and workers do.
const strictFetch: typeof fetch = function (this: unknown, ...call) {
  if (this !== undefined) throw new TypeError('Illegal invocation');
  return fetch(...call);
};
const client = new Client({ baseUrl: SDK_URL, key: SDK_KEY, fetch: strictFetch });
const phones = SDK_PHONES.split(' ');
const bodies = phones.map((phone): ContactRequest => ({ phone, segments: ['TypeScript'] }));
for (const body of bodies) await client.createContact({ body });
let pages = 0;
for await (const contact of client.eachOfListContacts({ query: { segment: 'TypeScript', limit: 1 } })) {
  if (contact.phone !== null) pages += 1;
}
const once = { body: { name: 'Once more' }, idempotencyKey: 'typescript-1' };
const [first, again] = [await client.createSegment(once), await client.createSegment(once)];
const refusalOf = async (phone: string): Promise<ApiError> => {
  const error: unknown = await client.createContact({ body: { phone } }).then(() => undefined, (reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw error;
};
const refused = await refusalOf(phones[0] ?? '');
const invalid = await refusalOf('1');
const now = new Date();
const event = await verifyWebhook(SDK_WEBHOOK, SDK_SECRET, { now });
const forged = await verifyWebhook(SDK_WEBHOOK.replace('msg_1', 'msg_2'), SDK_SECRET, { now });
const preview = await client.previewContactImport({ file: new Blob(['phone\\n+971501234567\\n']) });
console.log(JSON.stringify({
  pages, replayed: first.id === again.id, code: refused.code, status: refused.status,
  has_detail: refused.detail !== '', fields: Object.keys(invalid.errors),
  event: event?.event, forged: forged === undefined, rows: preview.counts.rows,
}));
`;

const document = () => JSON.parse(openapiText('messaging'));

test('the client in Python does what the API does, with the standard library alone', async (context) => {
  try {
    await run('python3', ['--version']);
  } catch {
    context.skip('python3 is not installed');
  }
  await writeFile(join(folder, 'drawbridge.py'), pythonClient(document()));
  await writeFile(join(folder, 'program.py'), python);
  const { stdout } = await run('python3', ['program.py'], {
    cwd: folder,
    env: given('+97150300000'),
  });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test('the client in TypeScript does what the API does, with the fetch that it is given', async () => {
  await writeFile(join(folder, 'drawbridge.ts'), typescriptClient(document()));
  await writeFile(join(folder, 'program.ts'), typescript);
  const env = given('+97150400000');
  const { stdout } = await run(process.execPath, ['program.ts'], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual(expected);
});

describe('of e-invoicing', () => {
  const read = () => JSON.parse(openapiText('einvoice'));
  const env = async (name: string) => {
    const request = { family: 'sk', environment: 'sandbox', name, scopes: ['*'] } as const;
    const { text } = await issueKey(kit.app.platform.db, kit.tenantId, request, randomBytes);
    return { ...process.env, SDK_URL: kit.url, SDK_KEY: text, SDK_NAME: name };
  };
  const expectedOfEinvoicing = {
    once: true,
    listed: 1,
    code: 'invoice_not_found',
    status: 404,
    at_once: 'received',
    rejected: [422, 'rejected', 'BIS-3.0-MAPPING-NOT-APPROVED', {}, 'rejected'],
  };
  // No mapping is approved, so what is submitted from here is rejected.
  beforeAll(async () => {
    const outbox = join(kit.home, 'files', kit.tenantId, 'outbox');
    await mkdir(outbox, { recursive: true });
    await copyFile(
      join(import.meta.dirname, '../docs/quickstart/outbox/2026-0001.csv'),
      join(outbox, '2026-0001.csv'),
    );
  });

  test('the client in Python does the same', async (context) => {
    const program = `
import json, os
from drawbridge_einvoice import ApiError, Client
client = Client(os.environ["SDK_URL"], os.environ["SDK_KEY"])
body = {"url": "https://example.com/" + os.environ["SDK_NAME"]}
first = client.create_webhook_endpoint(body=body, idempotency_key="python")
again = client.create_webhook_endpoint(body=body, idempotency_key="python")
listed = [each for each in client.each_of_list_webhook_endpoints(limit=1) if each["url"] == body["url"]]
try:
    client.get_invoice("inv_01k3w9v2x4m6n8p0q2r4s6t8v0")
except ApiError as error:
    refused = error
connector = client.create_connector(body={
    "pattern": "file", "kind": "files", "name": "Outbox", "default_profile": "BIS-3.0",
    "duplicates": "warn", "settings": {"folder": "outbox"},
})
submission = {"connector_id": connector["id"], "source_ref": "2026-0001.csv"}
at_once = client.submit_invoice(body=submission, prefer="respond-async")
try:
    client.submit_invoice(body=submission, prefer="wait=30")
except ApiError as error:
    rejected = error
print(json.dumps({
    "once": first["id"] == again["id"], "listed": len(listed), "code": refused.code, "status": refused.status,
    "at_once": at_once["status"],
    "rejected": [
        rejected.status, rejected.code, rejected.detail.split(": ")[0], rejected.errors, rejected.body["status"],
    ],
}))
`;
    try {
      await run('python3', ['--version']);
    } catch {
      context.skip('python3 is not installed');
    }
    await writeFile(join(folder, 'drawbridge_einvoice.py'), pythonClient(read()));
    await writeFile(join(folder, 'einvoice.py'), program);
    const options = { cwd: folder, env: await env('python') };
    const { stdout } = await run('python3', ['einvoice.py'], options);
    expect(JSON.parse(stdout)).toEqual(expectedOfEinvoicing);
  });

  test('the client in TypeScript does the same', async () => {
    const program = `
import { ApiError, Client } from './drawbridge-einvoice.ts';
const { SDK_URL = '', SDK_KEY = '', SDK_NAME = '' } = process.env;
const client = new Client({ baseUrl: SDK_URL, key: SDK_KEY, fetch });
const url = 'https://example.com/' + SDK_NAME;
const made = { body: { url }, idempotencyKey: 'typescript' };
const [first, again] = [await client.createWebhookEndpoint(made), await client.createWebhookEndpoint(made)];
let listed = 0;
for await (const each of client.eachOfListWebhookEndpoints({ query: { limit: 1 } })) listed += Number(each.url === url);
const refused = await client.getInvoice({ id: 'inv_01k3w9v2x4m6n8p0q2r4s6t8v0' }).catch((error: unknown) => error);
if (!(refused instanceof ApiError)) throw refused;
const { id } = await client.createConnector({
  body: {
    pattern: 'file', kind: 'files', name: 'Outbox', default_profile: 'BIS-3.0',
    duplicates: 'warn', settings: { folder: 'outbox' },
  },
});
const body = { connector_id: id, source_ref: '2026-0001.csv' };
const atOnce = await client.submitInvoice({ body, prefer: 'respond-async' });
const rejected = await client.submitInvoice({ body, prefer: 'wait=30' }).catch((error: unknown) => error);
if (!(rejected instanceof ApiError)) throw rejected;
console.log(JSON.stringify({
  once: first.id === again.id, listed, code: refused.code, status: refused.status, at_once: atOnce.status,
  rejected: [
    rejected.status, rejected.code, rejected.detail.split(': ')[0], rejected.errors, rejected.body.status,
  ],
}));
`;
    await writeFile(join(folder, 'drawbridge-einvoice.ts'), typescriptClient(read()));
    await writeFile(join(folder, 'einvoice.ts'), program);
    const options = { cwd: folder, env: await env('typescript') };
    const { stdout } = await run(process.execPath, ['einvoice.ts'], options);
    expect(JSON.parse(stdout)).toEqual(expectedOfEinvoicing);
  });
});

test.each(['einvoice', 'messaging'])(
  'the types of the client of %s hold under a strict compiler',
  async (service) => {
    const file = join(folder, `${service}-client.ts`);
    await writeFile(file, typescriptClient(JSON.parse(openapiText(service))));
    const compiler = join(import.meta.dirname, '../node_modules/.bin/tsc');
    const options =
      '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --erasableSyntaxOnly --target es2024 --module nodenext --lib es2024,dom,dom.asynciterable';
    await expect(
      run(compiler, [...options.split(' '), file], { cwd: folder }),
    ).resolves.toMatchObject({ stdout: '' });
  },
);
