import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../messaging/service.kit.ts';
import { provideCredentials } from './first-credentials.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

test('credentials of a first start that was rolled back go with the next start', async () => {
  const path = join(kit.home, 'credentials.json');
  await writeFile(`${path}.${randomUUID()}`, '{}');
  await writeFile(`${path}.mine`, '{}');
  const addresses = { base_url: 'http://localhost:1', sandbox_base_url: 'http://localhost:2' };
  expect(await provideCredentials(kit.app.platform, [], addresses)).toBe(path);
  const left = (await readdir(kit.home)).filter((name) => name.startsWith('credentials.json'));
  expect(left.toSorted()).toEqual(['credentials.json', 'credentials.json.mine']);
});
