/** `npm run simulate -- KIND`: runs one simulated provider or authority as a server. */
import { authorities, authoritySimulator } from '../control-plane/authorities/registry.ts';
import { channelSimulator, channels } from '../control-plane/channels/registry.ts';
import { simulate } from '../control-plane/channels/simulation/command-line.ts';
import { voiceProviders, voiceSimulator } from '../control-plane/channels/voice-registry.ts';
import { portOf } from '../control-plane/simulation/command-line.ts';
import type { RunningSimulator } from '../control-plane/simulation/server.ts';

const clock = () => new Date();
const random = Math.random;

interface Kind {
  readonly id: string;
  readonly title: string;
  /** `words` are the words of the command line after the kind. */
  run(words: readonly string[]): Promise<void>;
}

const kinds: readonly Kind[] = [
  ...channels.map(({ id, title }) => ({
    id,
    title,
    run: async (words: readonly string[]) =>
      simulate(await channelSimulator(id), words, clock, random),
  })),
  ...voiceProviders.map(({ id, title }) => ({
    id,
    title,
    run: async (words: readonly string[]) => {
      const { start } = await voiceSimulator(id);
      announce(await start({ clock, random, isSending: true, port: portOf(words) }));
    },
  })),
  ...authorities.map(({ id, title }) => ({
    id,
    title,
    run: async (words: readonly string[]) => {
      const { start } = await authoritySimulator(id);
      announce(await start({ clock, random, port: portOf(words) }));
    },
  })),
];

const [asked = '--help', ...words] = process.argv.slice(2);
const kind = kinds.find(({ id }) => id === asked);
if (kind === undefined) {
  const isHelp = asked === '--help' || asked === '-h';
  console.log(help());
  process.exitCode = isHelp ? 0 : 1;
} else {
  await kind.run(words);
}

function announce({ url }: RunningSimulator): void {
  console.log(`listening on ${url}`);
}

function help(): string {
  const width = Math.max(...kinds.map(({ id }) => id.length));
  return [
    'usage: npm run simulate -- KIND [--port N] [--webhook URL] …',
    '',
    ...kinds.map(({ id, title }) => `  ${id.padEnd(width)}  ${title}`),
    '',
    'examples:',
    '  npm run simulate -- whatsapp --port 9101 --webhook http://127.0.0.1:8081/wa/v1/webhooks/…/',
    '  npm run simulate -- twilio-sms --lose-answers 0.05 --seed 7',
    '  npm run simulate -- telegram --help      its flags, and recipients with an outcome of their own',
    '',
    'It prints `listening on URL`; GET URL/_control says what can be read and done while it runs.',
  ].join('\n');
}
