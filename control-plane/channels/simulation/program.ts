import { parseArgs } from 'node:util';
import type { RunningSimulator } from '../../simulation/server.ts';
import { seededRandom } from '../../simulation/switches.ts';
import { habitsOf, type MagicTable } from './control-endpoints.ts';
import type { GroundOptions } from './ground.ts';

/** What the command line says of any simulated channel. */
export interface ProgramOptions extends GroundOptions {
  readonly webhookUrl: string;
  /** Messages a second; absent: the provider's own limit. */
  readonly messagesPerSecond?: number;
}

/** A simulated channel that can run as a process of its own. */
export interface Program {
  readonly kind: string;
  readonly magic: MagicTable;
  start(options: ProgramOptions): Promise<RunningSimulator>;
}

const flags = {
  port: { type: 'string', default: '0' },
  webhook: { type: 'string', default: 'http://127.0.0.1:1/' },
  people: { type: 'string', default: 'lively' },
  'lose-answers': { type: 'string', default: '0' },
  rate: { type: 'string' },
  seed: { type: 'string' },
  hold: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const explanations: readonly (readonly [string, string])[] = [
  ['--port N', 'listen there; 0 takes a free port'],
  ['--webhook URL', 'where webhooks go (where the provider lets a message say so: inbound only)'],
  ['--people NAME', 'lively (default): some reply, click, stop; prompt: all read at once'],
  ['--lose-answers 0.05', 'cut this share of connections after the message was taken'],
  ['--rate N', "messages a second, in place of the provider's limit; 0: as many as come"],
  ['--seed N', 'the same identifiers and moods in every run'],
  ['--hold', 'send no webhooks; GET /_control/webhooks takes them'],
];

/** Runs a simulated channel as the command line says; prints where it listens. */
export async function simulate(
  program: Program,
  words: readonly string[],
  clock: () => Date,
  random: () => number,
): Promise<void> {
  try {
    console.log(await outcomeOf(program, words, clock, random));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error); // a wrong flag, a taken port
    process.exitCode = 1;
  }
}

async function outcomeOf(
  program: Program,
  words: readonly string[],
  clock: () => Date,
  random: () => number,
): Promise<string> {
  const { values } = parseArgs({ args: [...words], options: flags });
  if (values.help) return helpOf(program);
  const { url } = await program.start({
    clock,
    random: values.seed === undefined ? random : seededRandom(numberOf('seed', values.seed)),
    isSending: !values.hold,
    habits: habitsOf(values.people),
    answersLost: numberOf('lose-answers', values['lose-answers']),
    webhookUrl: values.webhook,
    port: numberOf('port', values.port),
    ...(values.rate === undefined ? {} : { messagesPerSecond: numberOf('rate', values.rate) }),
  });
  return `listening on ${url}`;
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0)) throw new Error(`--${name} is a number`);
  return number;
}

function helpOf({ kind, magic }: Program): string {
  const rows = (table: readonly (readonly [string, string])[]) => {
    const width = Math.max(...table.map(([left]) => left.length));
    return table.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
  };
  const example = `npm run simulate -- ${kind} --port 9100 --webhook http://127.0.0.1:8081/…`;
  return [
    `A loopback ${kind} on the wire.`,
    `\n  ${example}\n`,
    rows(explanations),
    '\nRecipients with a fate of their own:\n',
    rows(magic),
    '\nEverything else, while it runs: GET /_control',
  ].join('\n');
}
