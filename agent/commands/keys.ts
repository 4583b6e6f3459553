import type { Command } from 'commander';
import { z } from 'zod';
import { createCurrentIdentity } from '../link/current-identity.ts';
import { makeNextKey } from '../link/key-rotation.ts';
import { askAgent } from '../local-channel/client.ts';
import type { Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { type Home, openHome, openIdentity } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function keysCommand(runtime: Runtime): Command {
  const group = command({
    name: 'keys',
    summary: 'Show and change the key by which the control plane knows this agent.',
    examples: ['drawbridge keys show', 'drawbridge keys rotate'],
  });
  const showing = command({
    name: 'show',
    summary: 'Show the public keys of both ends, and since when the agent has its own.',
    examples: ['drawbridge keys show --json'],
  });
  group.addCommand(addAction(showing, runtime, show));
  const rotating = command({
    name: 'rotate',
    summary:
      'Change the agent’s own key, by the link or with the next bundle; DRAWBRIDGE_KEY_DAYS lets it do so by itself.',
    examples: ['drawbridge keys rotate', 'drawbridge keys rotate --json'],
  });
  group.addCommand(addAction(rotating, runtime, rotate));
  return group;
}

async function show({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity.outcome;
  const { publicKey, keyMadeAt, enrolledAt, nextKey, controlPlaneKey } = identity.value;
  const data = {
    public_key: publicKey,
    made_at: keyMadeAt ?? enrolledAt,
    /** Made, and not yet known to the control plane. */
    next_public_key: nextKey?.publicKey ?? null,
    control_plane_key: controlPlaneKey,
  };
  const rows = [
    ['agent’s key', data.public_key],
    ['since', data.made_at],
    ['next key', data.next_public_key ?? '-'],
    ['control plane’s key', data.control_plane_key],
  ];
  return { kind: 'done', data, shown: { head: ['', 'keys'], rows } };
}

const rotated = z.object({ kind: z.enum(['changed', 'waiting']), publicKey: z.string() });

async function rotate({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const lock = takeLock(settings.home);
  if (lock !== undefined) {
    try {
      return makeOffline(home.value, runtime);
    } finally {
      lock.release();
    }
  }
  const asked = await askAgent(settings.home, { method: 'rotate-key' });
  if (asked.kind === 'failed') return asked.outcome;
  const { kind, publicKey } = rotated.parse(asked.value);
  const data = { state: kind, public_key: publicKey };
  if (kind === 'changed') {
    const shown = `The control plane knows this agent by ${publicKey} now; the key before is refused.`;
    return { kind: 'done', data, shown };
  }
  const shown = `The new key is ${publicKey}. The control plane has not taken it yet: \`drawbridge status\` says how the link is. The agent tells it by itself.`;
  return { kind: 'done', data, shown, exit: 'error' };
}

/** No agent runs: the next one that does tells the key, or the next bundle. */
function makeOffline(home: Home, runtime: Runtime): Outcome {
  const opened = openIdentity(home);
  if (opened.kind === 'failed') return opened.outcome;
  const identity = createCurrentIdentity(home.identity, opened.value);
  makeNextKey({ ...runtime, identity });
  const { publicKey } = identity.value().nextKey!;
  const data = { state: 'waiting', public_key: publicKey };
  const shown = `The new key is ${publicKey}. The control plane is told by the next \`drawbridge bundle export\`, or when the agent runs.`;
  return { kind: 'done', data, shown };
}
