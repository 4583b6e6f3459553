import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import { commands } from './registry.ts';

/** A command and all below it, each with the words that call it. */
function walk(command: Command, above: readonly string[]): [words: string, command: Command][] {
  const words = [...above, command.name()];
  const below = command.commands.flatMap((one) => walk(one as Command, words));
  return [[words.join(' '), command], ...below];
}

const runtime = { env: {} } as Runtime;
const all = await Promise.all(
  Object.values(commands).map(async (load) => walk((await load())(runtime), ['drawbridge'])),
);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

test.each(all.flat())('%s --help has a summary and an example of itself', (words, command) => {
  const help = helpOf(command);
  expect(command.description()).toMatch(/^[A-Z].*\.$/);
  expect(help).toMatch(new RegExp(`^ {2}\\$ (.*\\| |[A-Z_]+=\\S+ )?${words}`, 'm'));
});

test.each(all.flat().filter(([, command]) => command.commands.length === 0))(
  '%s takes --json',
  (_, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  },
);

test('the names are those by which they are found', () => {
  expect(all.map((walked) => walked[0]![0])).toEqual(
    Object.keys(commands).map((name) => `drawbridge ${name}`),
  );
});
