import { parseArgs } from 'node:util';
import { seededRandom } from '../../simulation/seeded-random.ts';
import type { ChannelSimulator } from './contract.ts';
import { habitsOf } from './control-endpoints.ts';

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

/** Runs a simulated channel with the options of the command line; prints its address. */
export async function simulate(
  simulator: ChannelSimulator,
  words: readonly string[],
  clock: () => Date,
  random: () => number,
): Promise<void> {
  try {
    console.log(await outcomeOf(simulator, words, clock, random));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error); // a wrong flag, a taken port
    process.exitCode = 1;
  }
}

async function outcomeOf(
  simulator: ChannelSimulator,
  words: readonly string[],
  clock: () => Date,
  random: () => number,
): Promise<string> {
  const { values } = parseArgs({ args: [...words], options: flags });
  if (values.help) return helpOf(simulator);
  const { url } = await simulator.start({
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

function helpOf({ kind, magic }: ChannelSimulator): string {
  const rows = (table: readonly (readonly [string, string])[]) => {
    const width = Math.max(...table.map(([left]) => left.length));
    return table.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
  };
  const example = `npm run simulate -- ${kind} --port 9100 --webhook http://127.0.0.1:8081/…`;
  return [
    `A loopback ${kind}.`,
    `\n  ${example}\n`,
    rows(explanations),
    '\nRecipients with an outcome of their own:\n',
    rows(magic),
    '\nAll other commands, while it runs: GET /_control',
  ].join('\n');
}
