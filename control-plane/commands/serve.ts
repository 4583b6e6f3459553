import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Addresses, App } from '../app.ts';
import type { Log } from '../platform/log/log.ts';
import { maskedSettings, SettingsError } from '../settings.ts';
import type { OpenEdge } from './edge.ts';

/** `serve`: runs until SIGINT or SIGTERM. */
export function addServe(program: Command, openEdge: OpenEdge): void {
  program
    .command('serve')
    .description('run the control plane; with neither database nor settings it brings its own')
    .option('--json', 'print the addresses as one line of JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const edge = openEdge();
      edge.log.debug(maskedSettings(edge.settings), 'settings');
      // All that is served: no other command waits for it to be read.
      const { createApp } = await import('../app.ts');
      const { modules } = await import('../modules.ts');
      const app = await createApp({ ...edge, modules });
      stopOnSignal(app, edge.log);
      const { baseUrl, sandboxBaseUrl, credentials } = await listen(app);
      if (json) {
        const home = resolve(edge.settings.home);
        const line = { base_url: baseUrl, sandbox_base_url: sandboxBaseUrl, home, credentials };
        console.log(JSON.stringify(line));
        return;
      }
      if (app.isDatabaseEmbedded) {
        console.log(
          `embedded PostgreSQL in ${resolve(edge.settings.home)} (production: DATABASE_URL)`,
        );
      }
      if (credentials !== undefined) console.log(`credentials in ${resolve(credentials)}`);
      console.log(`sandbox listening on ${sandboxBaseUrl}`);
      console.log(`listening on ${baseUrl}`);
    });
}

/** What cannot listen ends, instead of working unreachably; a port that is taken is named. */
async function listen(app: App): Promise<Addresses> {
  try {
    return await app.listen();
  } catch (error) {
    await app.close();
    const { code, port } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') throw error;
    throw new SettingsError([`port ${port} is taken: name free ones in PORT and SANDBOX_PORT`]);
  }
}

/** The first signal lets requests and jobs finish; a second one does not wait. */
function stopOnSignal(app: App, log: Log): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    app.close().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
