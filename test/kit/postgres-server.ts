/**
 * Vitest's global set-up: one PostgreSQL for the whole run, which starts while the first tests run.
 */
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@drawbridge/control-plane/platform/db/embedded.ts';
import { fastFolder } from './fast-folder.ts';
import { makeMigratedTemplate, sharedServerVariable } from './postgres.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(await fastFolder(), 'drawbridge-tests-'));
  await chmod(home, 0o711); // PostgreSQL runs as another user when we are root
  const addressFile = join(home, 'address');
  process.env[sharedServerVariable] = addressFile;
  const starting = startEmbedded({ home: join(home, 'server'), volatile: true }).then(
    async (server) => {
      await makeMigratedTemplate(server.url);
      await writeFile(`${addressFile}.new`, server.url);
      await rename(`${addressFile}.new`, addressFile);
      return server;
    },
  );
  starting.catch(() => {}); // tests that wait for the address report it
  return async () => {
    await starting.then((server) => server.stop()).catch(() => {});
    await rm(home, { recursive: true, force: true });
  };
}
