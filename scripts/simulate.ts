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
    run: serveAt(id, title, async (port) => {
      const { start } = await voiceSimulator(id);
      return start({ clock, random, isSending: true, port });
    }),
  })),
  ...authorities.map(({ id, title }) => ({
    id,
    title,
    run: serveAt(id, title, async (port) => {
      const { start } = await authoritySimulator(id);
      return start({ clock, random, port });
    }),
  })),
];

const [asked = '--help', ...words] = process.argv.slice(2);
const kind = kinds.find(({ id }) => id === asked);
if (kind === undefined) {
  if (asked === '--help' || asked === '-h') {
    console.log(help());
  } else {
    console.error(`There is no kind "${asked}".\n\n${help()}`);
    process.exitCode = 1;
  }
} else {
  await kind.run(words);
}

/** Runs one that only takes a port; a wrong flag or a taken port is told in one line. */
function serveAt(
  id: string,
  title: string,
  start: (port: number) => Promise<RunningSimulator>,
): Kind['run'] {
  return async (words) => {
    if (words.includes('--help') || words.includes('-h')) return console.log(helpOf(id, title));
    try {
      const { url } = await start(portOf(words));
      console.log(`listening on ${url}`);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  };
}

function helpOf(id: string, title: string): string {
  return [
    `${title}, simulated on this host.`,
    '',
    `  npm run simulate -- ${id} --port 9100`,
    '',
    '  --port N  listen there; 0, the default, takes a free port',
    '',
    'What can be read and done while it runs: GET URL/_control',
  ].join('\n');
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
