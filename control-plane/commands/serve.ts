import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Addresses, App } from '../app.ts';
import { maskedSettings, SettingsError } from '../settings.ts';
import type { CommandContext, OpenCommandContext } from './context.ts';

/** By a clock that is further off, invoices and confirmations would be given up after days that have not passed. */
const clockOffMaxMs = 86_400_000;

/** The least time that stopping may take, for a smaller `SHUTDOWN_MS`. */
const shutdownMsMin = 1_000;

/** `serve`: runs until SIGINT or SIGTERM. */
export function addServe(program: Command, openContext: OpenCommandContext): void {
  program
    .command('serve')
    .description('run the control plane; with neither database nor settings it brings its own')
    .option('--json', 'print the addresses as one line of JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const context = openContext();
      context.log.debug(maskedSettings(context.settings), 'settings');
      // Imported here, because it loads all services and other commands do not need them.
      const { createApp } = await import('../app.ts');
      const { modules } = await import('../modules/registry.ts');
      const app = await createApp({ ...context, modules, clockOffMaxMs });
      stopOnSignal(app, context);
      const { baseUrl, sandboxBaseUrl, credentials, hasConsole } = await listen(app);
      if (json) {
        const home = resolve(context.settings.home);
        const line = { base_url: baseUrl, sandbox_base_url: sandboxBaseUrl, home, credentials };
        console.log(JSON.stringify(line));
        return;
      }
      if (app.isDatabaseEmbedded) {
        console.log(
          `embedded PostgreSQL in ${resolve(context.settings.home)} (production: DATABASE_URL)`,
        );
      }
      if (credentials !== undefined) console.log(`credentials in ${resolve(credentials)}`);
      if (hasConsole) console.log(`console at ${sandboxBaseUrl}/console/ (sandbox)`);
      if (hasConsole) console.log(`console at ${baseUrl}/console/`);
      console.log(`sandbox listening on ${sandboxBaseUrl}`);
      console.log(`listening on ${baseUrl}`);
    });
}

/** Listens, or ends the process when it cannot; an error names a port that is taken. */
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

/**
 * The first signal lets requests and jobs finish; a second one ends the process at once. What has not
 * ended within `shutdownMs` is cut off: its jobs go to another node when their lease ends.
 */
function stopOnSignal(app: App, { log, settings: { shutdownMs } }: CommandContext): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(
      () => {
        log.error({ shutdownMs }, 'stopping took longer than SHUTDOWN_MS: what is left is cut off');
        process.exit(1);
      },
      Math.max(shutdownMs, shutdownMsMin),
    );
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
