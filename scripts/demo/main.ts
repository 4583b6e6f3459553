/**
 * `npm run demo`: one command turns an ERP row into a cleared invoice. It starts everything it
 * needs as separate processes, submits a day's sales of three companies, and shows the outcome of
 * each. `npm run demo -- messaging` runs a workspace of the messaging service instead.
 */
import { argumentsOf } from '../arguments.ts';
import { Environment } from './environment.ts';
import { printMessaging } from './messaging/print.ts';
import { runMessaging } from './messaging/run.ts';
import { printReport } from './print.ts';
import { runDemo } from './run.ts';
import { printVoice } from './voice/print.ts';
import { runVoice } from './voice/run.ts';

const usage = `Usage: npm run demo -- [einvoicing | messaging | voice] [--json] [--keep]

  einvoicing   from an ERP row to a cleared invoice; what runs when nothing is named
  messaging    a workspace: contacts, a broadcast with clicks and replies, every channel
  voice        a call flow compiled three ways, played by four providers, and what it cost

  --json   print one machine-readable report on standard output
  --keep   leave everything running, with its addresses and keys`;

const {
  values: options,
  positionals: [name = 'einvoicing'],
} = argumentsOf(usage, {
  options: {
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

/** Each demo, and how it runs. */
const stories: Readonly<Record<string, (environment: Environment) => Promise<Told>>> = {
  einvoicing: async (environment) => told(await runDemo(environment), printReport),
  messaging: async (environment) => told(await runMessaging(environment), printMessaging),
  voice: async (environment) => told(await runVoice(environment), printVoice),
};

interface Told {
  readonly report: { readonly ok: boolean };
  readonly print: () => void;
}

function told<Report extends { readonly ok: boolean }>(
  report: Report,
  print: (report: Report) => void,
): Told {
  return { report, print: () => print(report) };
}

const story = Object.hasOwn(stories, name) ? stories[name] : undefined;
if (story === undefined) {
  console.error(`There is no demo "${name}": ${Object.keys(stories).join(', ')}.`);
  process.exit(2);
}

const environment = new Environment();
process.on('SIGINT', () => void environment.close().finally(() => process.exit(130)));

try {
  const { report, print } = await story(environment);
  if (options.json) console.log(JSON.stringify(report, undefined, 2));
  else print();
  if (options.keep) {
    process.stderr.write(`\nStill running; stop it with Ctrl-C.\n${environment.addresses()}\n`);
    await new Promise(() => {});
  }
  await environment.close();
  process.exitCode = report.ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${(error as Error).message}\n${environment.lastLogs()}`);
  await environment.close();
  process.exitCode = 1;
}
