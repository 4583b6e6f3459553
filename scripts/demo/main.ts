/**
 * `npm run demo`: one command turns an ERP row into a cleared invoice. Starts everything it needs,
 * as processes of their own, submits a day's sales of three companies, and shows what became of
 * each. `npm run demo -- messaging` tells the story of a workspace instead.
 */
import { argumentsOf } from '../arguments.ts';
import { printMessaging } from './messaging/print.ts';
import { runMessaging } from './messaging/run.ts';
import { printReport } from './print.ts';
import { runDemo } from './run.ts';
import { Stage } from './stage.ts';
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

/** Each story, and how it is told. */
const stories: Readonly<Record<string, (stage: Stage) => Promise<Told>>> = {
  einvoicing: async (stage) => told(await runDemo(stage), printReport),
  messaging: async (stage) => told(await runMessaging(stage), printMessaging),
  voice: async (stage) => told(await runVoice(stage), printVoice),
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

const stage = new Stage();
process.on('SIGINT', () => void stage.close().finally(() => process.exit(130)));

try {
  const { report, print } = await story(stage);
  if (options.json) console.log(JSON.stringify(report, undefined, 2));
  else print();
  if (options.keep) {
    process.stderr.write(`\nStill running; stop it with Ctrl-C.\n${stage.addresses()}\n`);
    await new Promise(() => {});
  }
  await stage.close();
  process.exitCode = report.ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${(error as Error).message}\n${stage.lastLogs()}`);
  await stage.close();
  process.exitCode = 1;
}
