/** The command line of the host: `node control-plane/main.ts serve`, `… --help`. */
import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { Command } from 'commander';
import pino from 'pino';
import { addAdministration } from './commands/administration.ts';
import { addAudit } from './commands/audit.ts';
import type { CommandContext } from './commands/context.ts';
import { addIdentityProvider } from './commands/identity-provider.ts';
import { addInvoices } from './commands/invoice.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addMember } from './commands/member.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addParticipants } from './commands/participant.ts';
import { addReceived } from './commands/received.ts';
import { addServe } from './commands/serve.ts';
import { addTenantLifecycle } from './commands/tenant.ts';
import { addVerifyPdf } from './commands/verify-pdf.ts';
import { addVoice } from './commands/voice.ts';
import { addWallet } from './commands/wallet.ts';
import { createLog } from './platform/log/log.ts';
import { readSettings, SettingsError, settingsHelp } from './settings.ts';

const program = new Command('control-plane')
  .description('The hosted side of Drawbridge.')
  .showHelpAfterError()
  .addHelpText(
    'after',
    `
Examples:
  $ npm start
  $ npm run control-plane -- tenant create "Acme Trading"
  $ npm run control-plane -- key create --tenant 019a… --environment sandbox --name "ERP"
  $ npm run control-plane -- key revoke --tenant 019a… key_0123456789

Settings (environment variables):
${settingsHelp()}`,
  );

addServe(program, openContext);
const tenant = program.command('tenant').description('tenants of this installation');
addAdministration(program, tenant, openContext);
addTenantLifecycle(tenant, openContext);
addMember(program, openContext);
addIdentityProvider(program, openContext);
addJobs(program, openContext);
addKeys(program, openContext);
addInvoices(program, openContext);
addParticipants(program, openContext);
addReceived(program, openContext);
addAudit(program, openContext);
addWallet(program, openContext);
addVoice(program, openContext);
addOpenapi(program);
addVerifyPdf(program, openContext);

try {
  await program.parseAsync();
} catch (error) {
  // A fault that a person can correct is one sentence; any other is a bug and shows its stack.
  const isExpected = error instanceof SettingsError || 'code' in (error as Error);
  console.error(isExpected ? `error: ${(error as Error).message}` : error);
  process.exit(1); // what was opened before the fault would keep the process
}

/** Whoever became root by sudo is known by the own name. */
function operatorName(): string {
  return `${process.env.SUDO_USER || userInfo().username}@${hostname()}`;
}

/** Logs go to stderr, so that stdout has only the output of a command. */
function openContext(): CommandContext {
  const settings = readSettings(process.env);
  return {
    settings,
    clock: () => new Date(),
    random: randomBytes,
    operator: operatorName(),
    stopwatch: () => performance.now(),
    log: createLog({
      level: settings.logLevel,
      destination: pino.destination(2),
      hasTraceIds: settings.otlpEndpoint !== undefined,
    }),
  };
}
