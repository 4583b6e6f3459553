import { randomBytes } from 'node:crypto';
import { Command, CommanderError } from 'commander';
import { connectorCommand } from './commands/connector.ts';
import { doctorCommand } from './commands/doctor.ts';
import { enrollCommand } from './commands/enroll.ts';
import { explainCommand } from './commands/explain.ts';
import { runCommand } from './commands/run.ts';
import { statusCommand } from './commands/status.ts';
import { validateCommand } from './commands/validate.ts';
import { failed, present } from './output.ts';
import type { Runtime } from './runtime.ts';
import { version } from './version.ts';

const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
process.once('SIGINT', () => stopping.abort());

const runtime: Runtime = {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => new Date(),
  random: Math.random,
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  stop: stopping.signal,
};

const program = new Command('drawbridge')
  .description('The bridge agent: lets a control plane read and write the sources of this network.')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: () => {} });
const makers = [
  enrollCommand,
  runCommand,
  statusCommand,
  connectorCommand,
  doctorCommand,
  validateCommand,
  explainCommand,
];
for (const make of makers) program.addCommand(make(runtime));

try {
  await program.parseAsync();
} catch (error) {
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (!isHelp) {
    const output = { json: process.argv.includes('--json'), quiet: false, color: false };
    const isUsage = error instanceof CommanderError;
    const isBare = isUsage && error.code === 'commander.help';
    const said = (error as Error).message.replace(/^error: /, '');
    const message = isBare ? 'The command needs one of its subcommands.' : said;
    if (!isUsage) process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = present(failed(isUsage ? 'usage' : 'unexpected', message), output, runtime);
  }
}
