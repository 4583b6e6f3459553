import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { failed, type Outcome, unwritable } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { openHome, openQueueOf } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import { moveToQuarantine } from '../store/quarantine.ts';
import { openQueueListing, type QueueListing } from '../store/queue-listing.ts';
import { addAction, type CommandContext, command } from './command.ts';
import { confirmed } from './confirmation.ts';
import { queueRetryCommand } from './queue/retry.ts';

export function queueCommand(runtime: Runtime): Command {
  const group = command({
    name: 'queue',
    summary: 'Look at what waits on this host, try it again, check it, and set it aside.',
    examples: ['drawbridge queue ls', 'drawbridge queue retry'],
  });
  const commands = [
    listCommand,
    showCommand,
    queueRetryCommand,
    fsckCommand,
    exportCommand,
    quarantineCommand,
  ];
  for (const one of commands) group.addCommand(one(runtime));
  return group;
}

const shownMax = 200;
const exportedMax = 1_000_000;

function listCommand(runtime: Runtime): Command {
  const target = command({
    name: 'ls',
    summary:
      'List the write-backs to do, the events to deliver and the documents to read again, the oldest first.',
    examples: ['drawbridge queue ls', 'drawbridge queue ls --json'],
  });
  return addAction(target, runtime, (context) =>
    withQueue(context, (queue) => {
      const items = queue.items(shownMax + 1);
      const title = items.length > shownMax ? `The oldest ${shownMax}; export has all.` : undefined;
      const data = items.slice(0, shownMax);
      const rows = data.map(({ id, what, of, since, bytes }) => [
        id,
        what,
        of,
        since,
        String(bytes),
      ]);
      const head = ['id', 'what', 'of', 'since', 'bytes'];
      const none = 'Nothing waits on this host.';
      return { kind: 'done', data, shown: { head, rows, none, ...(title && { title }) } };
    }),
  );
}

function showCommand(runtime: Runtime): Command {
  const target = command({
    name: 'show',
    summary: 'Show one thing that waits, with its content.',
    examples: ['drawbridge queue show cmd_01m84cdgwhcxte9txv6dchc5ts'],
  }).argument('<id>', 'id that `queue ls` shows');
  return addAction(target, runtime, (context, _: object, id) =>
    withQueue(context, (queue) => {
      const item = queue.item(id);
      if (item === undefined) return failed('queue_item_unknown', `Nothing waits as "${id}".`);
      const { body, ...rest } = item;
      const content: unknown = JSON.parse(body);
      const rows = [
        ['what', rest.what],
        ['of', rest.of],
        ['since', rest.since],
        ['content', JSON.stringify(content, null, 2)],
      ];
      return { kind: 'done', data: { ...rest, content }, shown: { head: ['', id], rows } };
    }),
  );
}

function fsckCommand(runtime: Runtime): Command {
  const target = command({
    name: 'fsck',
    summary:
      'Read the whole queue and check it; what is damaged is set aside when the agent starts.',
    examples: ['drawbridge queue fsck', 'drawbridge queue fsck --json'],
  });
  return addAction(target, runtime, (context) =>
    withQueue(context, (queue, setAsideAs) => {
      const faults = [
        ...(setAsideAs === undefined ? [] : [`damaged, set aside: ${setAsideAs}`]),
        ...queue.faults(),
      ];
      const shown = faults.length === 0 ? 'The queue is well.' : faults.join('\n');
      const exit = faults.length === 0 ? 'ok' : 'error';
      return { kind: 'done', data: { faults }, shown, exit };
    }),
  );
}

function exportCommand(runtime: Runtime): Command {
  const target = command({
    name: 'export',
    summary: 'Write all that waits, with its content, as lines of JSON.',
    examples: ['drawbridge queue export queue.jsonl'],
  }).argument('<file>', 'file to write, for its owner only');
  return addAction(target, runtime, (context, _: object, file) =>
    withQueue(context, (queue) => {
      const items = queue.items(exportedMax).flatMap(({ id }) => queue.item(id) ?? []);
      const lines = items.map(({ body, ...rest }) => {
        return `${JSON.stringify({ ...rest, content: JSON.parse(body) })}\n`;
      });
      const path = resolve(file);
      try {
        writeFileSync(path, lines.join(''), { mode: 0o600 });
      } catch (error) {
        return unwritable(path, error);
      }
      const data = { file: path, items: items.length };
      return { kind: 'done', data, shown: `${path}: ${items.length} things.` };
    }),
  );
}

function quarantineCommand(runtime: Runtime): Command {
  const target = command({
    name: 'quarantine',
    summary:
      'Set the whole queue aside and begin a new one; the control plane sends its part again.',
    examples: ['drawbridge queue quarantine --yes'],
  }).option('-y, --yes', 'do not ask', false);
  return addAction(target, runtime, quarantine);
}

async function quarantine(context: CommandContext, options: { yes: boolean }): Promise<Outcome> {
  const { runtime, settings } = context;
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const refusal = await confirmed(context, options, 'Set the queue aside?');
  if (refusal !== undefined) return refusal;
  const lock = takeLock(settings.home);
  if (lock === undefined) return failed('already_running', 'An agent runs on this home folder.');
  const file = moveToQuarantine(settings.home, 'queue', runtime.clock()) ?? null;
  lock.release();
  const shown = file === null ? 'There is no queue to set aside.' : `Set aside: ${file}`;
  return { kind: 'done', data: { file }, shown };
}

async function withQueue(
  { runtime, settings }: CommandContext,
  work: (queue: QueueListing, setAsideAs: string | undefined) => Outcome,
): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const opened = openQueueOf(home.value, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { database, quarantined } = opened.value;
  try {
    return work(openQueueListing(database), quarantined);
  } finally {
    database.close();
  }
}
