import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant, issueKey } from '../../platform/auth/issue.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

interface Tenant {
  readonly id: string;
  readonly key: string;
}

/** What tenants may read of the files on this host. */
let harness: Harness;
let root: string;
let owner: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  harness = await startHarness();
  [root = ''] = harness.app.platform.settings.connectorRoots;
  [owner, stranger] = [await makeTenant(), await makeTenant()];
  await writeFile(join(root, owner.id, 'outbox', 'a.json'), '{"number":"secret"}');
  await symlink(join(root, owner.id, 'outbox'), join(root, stranger.id, 'link'));
  await link(
    join(root, owner.id, 'outbox', 'a.json'),
    join(root, stranger.id, 'outbox', 'hard.json'),
  );
});
afterAll(() => harness.stop());

async function makeTenant(): Promise<Tenant> {
  const { platform } = harness.app;
  const { db, random } = platform;
  const id = await createTenant(db, 'Test', platform);
  const request = { family: 'sk', environment: 'sandbox', name: 'test' } as const;
  await mkdir(join(root, id, 'outbox'), { recursive: true });
  return { id, key: (await issueKey(db, id, request, random)).text };
}

function make({ key }: Tenant, folder: string) {
  const body = { pattern: 'file', kind: 'files', name: 'F', settings: { folder } };
  return harness.call('POST /v1/connectors', body, { key });
}

/** What a tenant sees through a connector on the folder. */
async function see(tenant: Tenant, folder: string): Promise<string> {
  const { key } = tenant;
  const { body: made } = await make(tenant, folder);
  const path = `/v1/connectors/${made.id}`;
  const tested = await harness.call(`POST ${path}/test`, undefined, { key });
  const mapping = await harness.call(`GET ${path}/mapping?profile=BIS-3.0`, undefined, { key });
  const discovered = await harness.call(`POST ${path}/discover`, undefined, { key });
  return tested.text + mapping.text + discovered.text;
}

test.each([
  ['by the path', () => join(root, stranger.id, 'outbox')],
  ['by a path that begins there', () => 'outbox'],
])('a tenant reads its own folder %s, and a hard link in it says so', async (_how, folder) => {
  const seen = await see(stranger, folder());
  expect(seen).toContain('hard.json');
  expect(seen).not.toMatch(/secret|path_not_allowed/);
});

test.each([
  ['by its path', () => join(root, owner.id, 'outbox')],
  ['by a way up', () => `../${owner.id}/outbox`],
  ['by the root', () => root],
])('no tenant names the folder of another %s', async (_how, folder) => {
  const { status, body } = await make(stranger, folder());
  expect([status, Object.keys(body.errors)]).toEqual([400, ['settings.folder']]);
});

test('no tenant reads the folder of another by a link', async () => {
  const seen = await see(stranger, 'link');
  expect(seen).toContain('path_not_allowed');
  expect(seen).not.toContain('secret');
});

test('the first start makes the folder of the first tenant, and names it', async () => {
  const { home } = harness.app.platform.settings;
  const credentials = JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));
  expect(credentials.connector_folder).toMatch(new RegExp(`^${root}/[0-9a-f-]{36}$`));
  expect((await stat(credentials.connector_folder)).isDirectory()).toBe(true);
});
