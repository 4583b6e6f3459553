import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../../messaging/service.kit.ts';
import { addSigningKey, dropReplacedSigningKeys } from '../../platform/auth/signing-key-store.ts';
import { makeKey } from '../../platform/auth/signing-keys.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const signIn = async () =>
  (await kit.ask('POST /token/', { as: '', body: kit.owner })).body.access as string;
const opens = async (as: string) => (await kit.ask('GET /tenants/roles/', { as })).status;
const keyOf = (token: string) => decodeProtectedHeader(token).kid;

test('a new key signs once every node knows it, and tokens of the earlier one stay good', async () => {
  const { db, clock } = kit.app.platform;
  const before = await signIn();
  await makeKey({ ...kit.app.platform, random: randomBytes }, addSigningKey);
  kit.later(1_001);
  expect(keyOf(await signIn()), 'other nodes may not know it yet').toBe(keyOf(before));
  await sqlAt(kit.ownerUrl, `update signing_key set created_at = created_at - interval '10 s'`);
  kit.later(1_001);
  const after = await signIn();
  expect(keyOf(after)).not.toBe(keyOf(before));
  expect([await opens(before), await opens(after)]).toEqual([200, 200]);

  expect(await db.system((tx) => dropReplacedSigningKeys(tx, new Date(0)))).toBe(0);
  expect(await db.system((tx) => dropReplacedSigningKeys(tx, clock()))).toBe(1);
  kit.later(60_000);
  expect([await opens(before), await opens(after)]).toEqual([401, 200]);
});
