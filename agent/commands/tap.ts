import type { Command } from 'commander';
import { z } from 'zod';
import { askAgent } from '../local-channel/client.ts';
import type { Outcome } from '../outcome.ts';
import { printable } from '../printable.ts';
import type { Runtime } from '../runtime.ts';
import { openHome } from '../store/home.ts';
import { addAction, type CommandContext, command } from './command.ts';

interface Options {
  readonly content: boolean;
}

export function tapCommand(runtime: Runtime): Command {
  const target = command({
    name: 'tap',
    summary: 'Show what passes on the link of the running agent, without secrets, until stopped.',
    examples: ['drawbridge tap', 'drawbridge tap --content --json'],
  }).option('--content', 'with what the messages hold: documents too', false);
  return addAction(target, runtime, tap);
}

const shown = z.object({
  at: z.string(),
  /** Absent from the first line, which says how the link is. */
  direction: z.enum(['sent', 'received']).optional(),
  kind: z.string(),
  bytes: z.number().optional(),
  of: z.string(),
  content: z.string().optional(),
  missed: z.number().optional(),
});

const arrows = { sent: '→', received: '←' } as const;

async function tap(
  { runtime, settings, output }: CommandContext,
  { content }: Options,
): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const line = (value: unknown) => {
    const text = output.json ? JSON.stringify(value) : printable(textOf(shown.parse(value)));
    runtime.stdout.write(`${text}\n`);
  };
  const request = { method: 'tap', content } as const;
  const asked = await askAgent(settings.home, request, { line, stop: runtime.stop });
  return asked.kind === 'failed' ? asked.outcome : { kind: 'printed' };
}

function textOf({
  at,
  direction,
  kind,
  bytes,
  of,
  content,
  missed,
}: z.infer<typeof shown>): string {
  const arrow = direction === undefined ? '' : arrows[direction];
  const size = bytes === undefined ? '' : `(${bytes} bytes)`;
  const parts = [at, arrow, kind, of, size].filter(Boolean).join(' ');
  const lost = missed === undefined ? '' : `… ${missed} were not shown: this reader is too slow\n`;
  return `${lost}${parts}${content === undefined ? '' : `\n  ${content}`}`;
}
