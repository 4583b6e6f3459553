import { join } from 'node:path';
import type { Command } from 'commander';
import { reseal } from '../installation/reseal.ts';
import { addSigningKey, dropReplacedSigningKeys } from '../platform/auth/signing-key-store.ts';
import { makeKey } from '../platform/auth/signing-keys.ts';
import { addKeyInFront, openSecrets } from '../platform/secrets/secrets.ts';
import {
  databaseUser,
  print,
  type Shape,
  UsageError,
  type WithDatabase,
} from './administration.ts';
import type { CommandContext, OpenCommandContext } from './context.ts';
import { addRotateLink } from './link-identities.ts';

/** `keys …`: what this installation seals and signs with. A tenant's API keys are `key …`. */
export function addKeys(program: Command, openContext: OpenCommandContext): void {
  const keys = program
    .command('keys')
    .description(
      'keys that this installation seals secrets, signs sessions and is known to agents with',
    );
  const withDatabase = databaseUser(openContext);
  addRotate(keys, withDatabase);
  addRotateTokens(keys, withDatabase);
  addRotateLink(keys, withDatabase);
}

function addRotate(keys: Command, withDatabase: WithDatabase): void {
  keys
    .command('rotate')
    .description('seal every stored secret under the newest key; may be stopped and run again')
    .option('--new', 'make that key first, in secret.key; not with DRAWBRIDGE_SECRET_KEY')
    .option('--json', 'print JSON')
    .action((options: Shape & { new?: boolean }) =>
      withDatabase(async (context, { db, audit }) => {
        if (options.new) await addNewKey(context);
        const secrets = await open(context);
        const { done, missed, unreadable } = await reseal(db, secrets);
        const after = { key: secrets.keyId, ...done };
        await db.system((tx) => audit(tx, undefined, { action: 'keys rotate', after }));
        const lines = Object.entries(done).map(([table, count]) => `${table}  ${count}`);
        if (missed > 0) lines.push(`${missed} changed meanwhile: run it again`);
        for (const place of unreadable) lines.push(`${place} does not open: its key is not here`);
        if (lines.length === 0) lines.push('nothing is sealed under an older key');
        print(
          options,
          { key: secrets.keyId, resealed: done, missed, unreadable },
          lines.join('\n'),
        );
        if (missed > 0 || unreadable.length > 0) process.exitCode = 1;
      }),
    );
}

async function addNewKey({ settings }: CommandContext): Promise<void> {
  if (settings.secretKey !== undefined) {
    throw new UsageError(
      'put the new key in front of the old one in DRAWBRIDGE_SECRET_KEY, on all nodes',
    );
  }
  await addKeyInFront(join(settings.home, 'secret.key'));
}

function addRotateTokens(keys: Command, withDatabase: WithDatabase): void {
  keys
    .command('rotate-tokens')
    .description('sign session tokens with a new key; those that are out stay good until they end')
    .option('--end-sessions', 'take the earlier keys away now: everybody signs in again')
    .option('--json', 'print JSON')
    .action((options: Shape & { endSessions?: boolean }) =>
      withDatabase(async (context, { db, audit }) => {
        const { clock, random } = context;
        const secrets = await open(context);
        await makeKey({ db, secrets, clock, random }, addSigningKey);
        const dropped = await db.system(async (tx) => {
          const count = options.endSessions ? await dropReplacedSigningKeys(tx, clock()) : 0;
          const after = { earlier_keys_dropped: count };
          await audit(tx, undefined, { action: 'keys rotate-tokens', after });
          return count;
        });
        const said = options.endSessions
          ? `a new key signs; ${dropped} earlier ones are gone, within a minute on every node`
          : 'a new key signs within seconds; earlier ones verify until their tokens have ended';
        print(options, { dropped }, said);
      }),
    );
}

function open({ settings: { home, secretKey } }: CommandContext) {
  return openSecrets({ home, key: secretKey });
}
