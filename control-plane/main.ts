/** The command line of the host: `node control-plane/main.ts serve`, `… --help`. */
import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import pino from 'pino';
import { addAdministration } from './commands/administration.ts';
import type { Edge } from './commands/edge.ts';
import { addMember } from './commands/member.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addServe } from './commands/serve.ts';
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

addServe(program, openEdge);
addAdministration(program, openEdge);
addMember(program, openEdge);
addWallet(program, openEdge);
addVoice(program, openEdge);
addOpenapi(program);
addVerifyPdf(program, openEdge);

try {
  await program.parseAsync();
} catch (error) {
  // What a person can mend is a sentence; anything else is a bug and shows where it came from.
  const isExpected = error instanceof SettingsError || 'code' in (error as Error);
  console.error(isExpected ? `error: ${(error as Error).message}` : error);
  process.exitCode = 1;
}

/** Logs go to stderr, so that stdout holds what a command answers and nothing else. */
function openEdge(): Edge {
  const settings = readSettings(process.env);
  return {
    settings,
    clock: () => new Date(),
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: settings.logLevel, destination: pino.destination(2) }),
  };
}
