import { type Command, Option } from 'commander';
import { newIdentity, openIdentities } from '../agents/identities.ts';
import {
  type AgentBehind,
  addIdentity,
  agentsBehind,
  countAgentsByKey,
  retireIdentities,
} from '../agents/identity-store.ts';
import type { Tx } from '../platform/db/tx.ts';
import { openSecrets } from '../platform/secrets/secrets.ts';
import {
  type OpenDatabase,
  print,
  type Shape,
  UsageError,
  type WithDatabase,
} from './administration.ts';
import type { CommandContext } from './context.ts';

interface RotateOptions extends Shape {
  readonly status?: boolean;
  readonly retire?: boolean;
  readonly force?: boolean;
}

/** How many agents trust a key of the control plane, and which do not yet. */
interface TrustCounts {
  readonly public_key: string;
  /** Agents that are not revoked, and how many of them trust this key. */
  readonly agents: number;
  readonly trusting: number;
  /** Those that trust an older one, the longest unseen first; at most `agentsMax`. */
  readonly behind: readonly AgentBehind[];
  readonly behind_count: number;
  /** Those whose key was retired: they must be enrolled again. */
  readonly cut_off: number;
}

/** The most agents that are named. */
const agentsMax = 100;

/** `keys rotate-link`. */
export function addRotateLink(keys: Command, withDatabase: WithDatabase): void {
  keys
    .command('rotate-link')
    .description('make a new key by which agents know the control plane; they follow by themselves')
    .addOption(
      new Option('--status', 'make none; tell how many agents trust the newest').conflicts(
        'retire',
      ),
    )
    .option('--retire', 'make none; delete the older ones, unless an agent still trusts one')
    .option('--force', 'with --retire: also then; such agents must be enrolled again')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ npm run control-plane -- keys rotate-link
  $ npm run control-plane -- keys rotate-link --status --json
  $ npm run control-plane -- keys rotate-link --retire`,
    )
    .action((options: RotateOptions) =>
      withDatabase(async (context, database) => {
        if (options.force && !options.retire) throw new UsageError('--force goes with --retire');
        if (options.retire) return retire(context, database, options);
        if (options.status) return status(context, database, options);
        return rotate(context, database, options);
      }),
    );
}

async function rotate(
  context: CommandContext,
  { db, audit }: OpenDatabase,
  shape: Shape,
): Promise<void> {
  const secrets = await secretsOf(context);
  const identity = newIdentity(secrets, context.random);
  const counts = await db.system(async (tx) => {
    await addIdentity(tx, identity);
    const after = { public_key: identity.public_key };
    await audit(tx, undefined, { action: 'keys rotate-link', after });
    return trustCounts(tx, identity.public_key);
  });
  const lines = [
    ...linesOf(counts),
    'linked agents follow within seconds, others when they link; then: keys rotate-link --retire',
  ];
  print(shape, counts, lines.join('\n'));
}

async function status(
  context: CommandContext,
  database: OpenDatabase,
  shape: Shape,
): Promise<void> {
  const key = await newestKey(context, database);
  const counts = await database.db.system((tx) => trustCounts(tx, key));
  print(shape, counts, linesOf(counts).join('\n'));
}

async function retire(
  context: CommandContext,
  database: OpenDatabase,
  options: RotateOptions,
): Promise<void> {
  const key = await newestKey(context, database);
  const { db, audit } = database;
  const { retired, counts } = await db.system(async (tx) => {
    const keys = await retireIdentities(tx, key, options.force === true);
    const after = { retired: keys, forced: options.force === true };
    if (keys?.length) await audit(tx, undefined, { action: 'keys rotate-link --retire', after });
    return { retired: keys, counts: await trustCounts(tx, key) };
  });
  const said =
    retired === undefined
      ? 'nothing is retired: these agents would have to be enrolled again (--force)'
      : `${retired.length} older ${retired.length === 1 ? 'key is' : 'keys are'} deleted`;
  const value = { retired: retired ?? [], ...counts };
  print(options, value, [...linesOf(counts), said].join('\n'));
  if (retired === undefined) process.exitCode = 1;
}

/** The newest key that can be used here: another one would be no use to agents. */
async function newestKey(context: CommandContext, { db }: OpenDatabase): Promise<string> {
  const secrets = await secretsOf(context);
  const { random, log } = context;
  const identities = await openIdentities({ db, secrets, random, log });
  try {
    return identities.newest().publicKey;
  } finally {
    await identities.close();
  }
}

async function trustCounts(tx: Tx, key: string): Promise<TrustCounts> {
  const counts = new Map<string | null, number>();
  for (const row of await countAgentsByKey(tx)) counts.set(row.control_plane_key, row.agents);
  const agents = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const trusting = counts.get(key) ?? 0;
  const cutOff = counts.get(null) ?? 0;
  return {
    public_key: key,
    agents,
    trusting,
    behind: await agentsBehind(tx, key, agentsMax),
    behind_count: agents - trusting - cutOff,
    cut_off: cutOff,
  };
}

function linesOf(counts: TrustCounts): string[] {
  const { public_key, agents, trusting, behind, behind_count, cut_off } = counts;
  const lines = [public_key, `${trusting} of ${agents} agents trust it`];
  for (const { id, tenant_id, hostname, software, seen_at } of behind) {
    const seen = seen_at === null ? 'never linked' : `last seen ${seen_at.toISOString()}`;
    lines.push(`behind: ${id}  ${hostname}  ${software}  tenant ${tenant_id}  ${seen}`);
  }
  const unnamed = behind_count - behind.length;
  if (unnamed > 0) lines.push(`behind: ${unnamed} more`);
  if (cut_off > 0)
    lines.push(`${cut_off} trust a key that is deleted: they must be enrolled again`);
  return lines;
}

function secretsOf({ settings: { home, secretKey } }: CommandContext) {
  return openSecrets({ home, key: secretKey });
}
