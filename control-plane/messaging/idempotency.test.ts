import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyRoute } from '../platform/http/route.ts';
import { messagingModule } from './module.ts';
import { type Answer, type ServiceKit, startService } from './service.kit.ts';

let kit: ServiceKit;
let contact: string;
let last = 0;

beforeAll(async () => {
  kit = await startService();
  for (const path of ['/wa/v1/apps/', '/sms/v1/apps/', '/rcs/v1/apps/', '/botchat/v1/bots/']) {
    const { status, body } = await kit.ask(`POST ${path}`, { body: { name: 'first' } });
    expect(status, JSON.stringify(body)).toBe(201);
  }
  contact = (await kit.ask('POST /contacts/', { body: { phone: nextPhone() } })).body.id;
});
afterAll(() => kit.stop());

const nextPhone = () => `+97150123${String((last += 1)).padStart(4, '0')}`;
const named = (more: object) => ({ name: `n${(last += 1)}`, ...more });

/** Path, body, and the field that is only shown once. */
type Case = readonly [path: string, body: () => object, secret: string | undefined];

const flow = { version: 1, start: 'bye', nodes: { bye: { type: 'hangup' } } };

/** Each has a body that no other request of this file has. */
const rows: readonly (readonly [string, () => object, string?])[] = [
  ['/contacts/', () => ({ phone: nextPhone(), segments: ['VIP'] })],
  ['/contacts/segments/', () => named({})],
  ['/contacts/opt-outs/', () => ({ channel: 'sms', address: nextPhone() })],
  [
    '/contacts/{id}/consents/',
    () => ({ channel: 'sms', state: 'granted', note: `${(last += 1)}` }),
  ],
  ['/tenants/tenant-tags/', () => named({})],
  [
    '/team-inbox/api/canned-replies/',
    () => ({ shortcut: `s${(last += 1)}`, title: 'Hello', text: 'Hello' }),
  ],
  ['/tenants/api-keys/', () => named({ role: 'agent' }), 'key'],
  ['/tenants/members/invite/', () => ({ email: `p${(last += 1)}@example.com`, role: 'agent' })],
  ['/wa/v1/apps/', () => named({})],
  ['/sms/v1/apps/', () => named({})],
  ['/botchat/v1/bots/', () => named({})],
  ['/rcs/v1/apps/', () => named({})],
  ['/sms/v1/templates/', () => named({ body: 'Good morning.' })],
  ['/botchat/v1/templates/', () => named({ body: 'Good morning.' })],
  ['/rcs/v1/templates/', () => named({ body: 'Good morning.' })],
  [
    '/voice/api/provider-configs/',
    () => named({ provider: 'twilio-voice', from_number: '+60312345678' }),
  ],
  ['/voice/api/templates/', () => named({ flow })],
  [
    '/voice/api/recording-consents/',
    () => ({ phone: nextPhone(), state: 'granted', method: 'written', evidence: `${(last += 1)}` }),
  ],
  [
    '/voice/api/rate-cards/',
    () => ({ prefix: `+97${(last += 1)}`, currency: 'USD', per_minute: '0.05' }),
  ],
  ['/webhook-endpoints/', () => ({ url: `https://receiver.example.com/${(last += 1)}` }), 'secret'],
];

const cases = rows.map(([path, body, secret]): Case => [path, body, secret]);

const post = (path: string, body: object, key: string): Promise<Answer> =>
  kit.send(path.replace('{id}', contact), JSON.stringify(body), {
    'content-type': 'application/json',
    'idempotency-key': key,
  });

describe.each(cases)('POST %s', (path, bodyOf, secret) => {
  test('a repeat with the same key makes nothing, and shows no secret again', async () => {
    const [body, key] = [bodyOf(), randomUUID()];
    const first = await post(path, body, key);
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await post(path, body, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    if (secret === undefined) return expect(again.body).toEqual(first.body);
    expect(first.body[secret]).toEqual(expect.any(String));
    expect(again.body).toEqual({ ...first.body, [secret]: null });
  });

  test('another body with the same key is 409', async () => {
    const key = randomUUID();
    expect((await post(path, bodyOf(), key)).status).toBe(201);
    expect(await post(path, bodyOf(), key)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_payload_mismatch' },
    });
  });

  test('of many concurrent requests with one key, one creates it and the others return it', async () => {
    const [body, key] = [bodyOf(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(path, body, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(4);
  });
});

test('POST /wa/v1/apps/: templates of a number are submitted once', async () => {
  const { body: apps } = await kit.ask('GET /wa/v1/apps/');
  const body = {
    name: 'once',
    language: 'en_US',
    category: 'UTILITY',
    body: 'Your order is on its way.',
    app_id: apps.results[0].id,
  };
  const first = await post('/wa/v1/templates/', body, 'w');
  expect(first.status, JSON.stringify(first.body)).toBe(201);
  const again = await post('/wa/v1/templates/', body, 'w');
  expect([again.body.id, again.headers.get('idempotency-replayed')]).toEqual([
    first.body.id,
    'true',
  ]);
  expect((await post('/wa/v1/templates/', { ...body, name: 'twice' }, 'w')).status).toBe(409);
});

describe('POST /contacts/bulk-import/', () => {
  const upload = (file: string, key: string, asForm = false) => {
    const form = new FormData();
    form.append('file', new Blob([file]), 'contacts.csv');
    const headers = { 'idempotency-key': key };
    return asForm
      ? kit.send('/contacts/bulk-import/', form, headers)
      : kit.send('/contacts/bulk-import/', file, { ...headers, 'content-type': 'text/csv' });
  };

  test('the same file again, also as a form, returns the existing import', async () => {
    const [file, key] = [`phone,name\n${nextPhone()},Asha\n`, randomUUID()];
    const first = await upload(file, key);
    expect(first.status).toBe(202);
    for (const asForm of [false, true]) {
      const again = await upload(file, key, asForm);
      expect([again.status, again.body.id]).toEqual([202, first.body.id]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    const other = await upload(`phone\n${nextPhone()}\n`, key);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_payload_mismatch' } });
  });
});

test('a repeat returns the present state, and a key ends when its object is deleted', async () => {
  const [body, key] = [{ phone: nextPhone(), name: 'Before' }, randomUUID()];
  const { body: made } = await post('/contacts/', body, key);
  await kit.ask(`PATCH /contacts/${made.id}/`, { body: { name: 'After' } });
  expect((await post('/contacts/', body, key)).body).toMatchObject({ id: made.id, name: 'After' });
  await kit.ask(`DELETE /contacts/${made.id}/`);
  const anew = await post('/contacts/', body, key);
  expect(anew.headers.get('idempotency-replayed')).toBeNull();
  expect(anew.body.id).not.toBe(made.id);
});

test('a refused request does not use up its key', async () => {
  const [key, phone] = [randomUUID(), nextPhone()];
  await kit.ask('POST /contacts/', { body: { phone } });
  expect((await post('/contacts/', { phone }, key)).status).toBe(409);
  expect((await post('/contacts/', { phone: nextPhone() }, key)).status).toBe(201);
});

test('an invitation whose mail failed is mailed again with the same key', async () => {
  const [path, key] = ['/tenants/members/invite/', randomUUID()];
  const body = { email: 'unlucky@example.com', role: 'agent' };
  const folder = join(kit.home, 'mail');
  await rename(folder, `${folder}-aside`);
  await writeFile(folder, 'no folder');
  expect(await post(path, body, key)).toMatchObject({
    status: 503,
    body: { code: 'mail_unavailable' },
  });
  await rm(folder);
  const sent = await post(path, body, key);
  expect([sent.status, sent.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(await readdir(folder)).toHaveLength(1);
  const again = await post(path, body, key);
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([sent.body, 'true']);
  expect(await readdir(folder)).toHaveLength(1);
});

/** POSTs that create something without a key, with the reason. */
const without: Readonly<Record<string, string>> = {
  '/tenants/members/accept/': 'the token of the mail is valid once',
  '/webhook-endpoints/{id}/deliveries/{delivery_id}/resend/':
    'receivers drop repeats by webhook-id, and its purpose is to send again',
  '/password/forgot/': 'it makes a mail, of which no more than three are open',
  '/voice/api/calls/{id}/hangup/': 'a call ends once, however often this is requested',
  '/contacts/bulk-import/{id}/start/': 'a file is started once, however often this is requested',
  '/voice/api/rate-cards/import/': 'an existing rate stays as it is',
};

test('every POST that creates or sends takes an Idempotency-Key, or says why not', () => {
  const makes = ({ method, responses }: AnyRoute) =>
    method === 'post' && ('201' in responses || '202' in responses);
  const making = messagingModule.describe().filter(makes);
  const bare = making.filter(
    (row) => row.request?.headers?.shape?.['idempotency-key'] === undefined,
  );
  expect(new Set(bare.map(({ path }) => path))).toEqual(new Set(Object.keys(without)));
  for (const { path, request, errors } of making.filter((row) => !bare.includes(row))) {
    expect([path, request !== undefined, errors]).toEqual([
      path,
      true,
      expect.arrayContaining(['idempotency_payload_mismatch']),
    ]);
  }
});

test('a body may be left out where nothing in it is required, but not for a contact of nothing', () => {
  const wanting = messagingModule.describe().filter(({ method, request }) => {
    const { body } = request ?? {};
    return method !== 'patch' && body?.safeParse({}).success && !body.safeParse(undefined).success;
  });
  expect(wanting.map(({ path }) => path)).toEqual(['/contacts/']);
});
