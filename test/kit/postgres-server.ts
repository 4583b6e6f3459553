/**
 * Vitest's global set-up: one PostgreSQL for the whole run, which starts while the first tests run.
 */
import { chmod, mkdtemp, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@drawbridge/control-plane/platform/db/embedded.ts';
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

const memoryFolder = '/dev/shm';
/** Several times what the databases of a run hold at once, with their log. */
const memoryBytesMin = 4 * 2 ** 30;

/** Linux's folder in memory where it has room: a database is copied for nearly every test file. */
async function fastFolder(): Promise<string> {
  const found = await statfs(memoryFolder).catch(() => undefined);
  const free = found === undefined ? 0 : found.bavail * found.bsize;
  return free < memoryBytesMin ? tmpdir() : memoryFolder;
}
