import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { openOpenid } from '../people/identity-provider/openid.ts';
import { identityProviderRequest } from '../people/identity-provider/schema.ts';
import {
  changeProvider,
  removeProvider,
  showProvider,
} from '../people/identity-provider/settings.ts';
import { allowPasswords, findProvider, lockProvider } from '../people/identity-provider/store.ts';
import { ApiError } from '../platform/http/errors.ts';
import { openSecrets } from '../platform/secrets/secrets.ts';
import {
  databaseUser,
  type OpenDatabase,
  print,
  type Shape,
  UsageError,
} from './administration.ts';
import type { CommandContext, OpenCommandContext } from './context.ts';
import { tenantId } from './option-parsers.ts';

interface Options extends Shape {
  readonly tenant: string;
}

const subject = 'identity provider';

/** `identity-provider …`: who signs the members of a tenant in, and the way back when that fails. */
export function addIdentityProvider(program: Command, openContext: OpenCommandContext): void {
  const command = program
    .command('identity-provider')
    .description('who signs the members of a tenant in (OpenID Connect)');
  const add = (
    name: string,
    description: string,
    work: (context: CommandContext, open: OpenDatabase, options: Options) => Promise<void>,
  ) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--tenant <id>', 'the tenant', tenantId)
      .option('--json', 'print JSON')
      .action((options: Options) =>
        databaseUser(openContext)((context, open) => work(context, open, options), options.tenant),
      );
  add('show', 'show the settings, without the secret', show);
  add('set', 'take the settings from standard input, as JSON as the API does', set);
  add('allow-passwords', 'let members sign in by password again', allow);
  add('remove', 'remove it; whoever it signed in is signed out', remove);
}

async function show(_: CommandContext, { db }: OpenDatabase, options: Options): Promise<void> {
  const { tenant } = options;
  const row = await db.tenant(tenant, (tx) => findProvider(tx, tenant));
  if (row === undefined) throw none();
  const shown = showProvider(row);
  print(options, shown, JSON.stringify(shown, null, 2));
}

async function set(
  context: CommandContext,
  { db, audit }: OpenDatabase,
  options: Options,
): Promise<void> {
  const { tenant } = options;
  const { home, secretKey: key, identityProviderAllowPrivate: allowPrivate } = context.settings;
  const request = requestOf(await textOf(process.stdin));
  const secrets = await openSecrets({ home, key });
  const openid = openOpenid({ clock: context.clock, allowPrivate });
  try {
    const shown = await db.tenant(tenant, async (tx) => {
      const before = await lockProvider(tx, tenant);
      const row = await changeProvider(
        tx,
        tenant,
        { ...context, secrets, openid },
        before,
        request,
      );
      const after = showProvider(row);
      const changed = { before: before && showProvider(before), after };
      await audit(tx, tenant, { action: 'identity-provider set', subject, ...changed });
      return after;
    });
    print(options, shown, `${shown.issuer} signs in to ${tenant} as "${shown.sign_in_name}"`);
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  } finally {
    await openid.close();
  }
}

function requestOf(text: string) {
  const parsed = identityProviderRequest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw new UsageError(faults.join('; '));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('standard input is not JSON'); // the text may hold a secret, so it is not said
  }
}

async function allow(
  { clock }: CommandContext,
  { db, audit }: OpenDatabase,
  options: Options,
): Promise<void> {
  const { tenant } = options;
  await db.tenant(tenant, async (tx) => {
    if (!(await allowPasswords(tx, tenant, clock()))) throw none();
    await audit(tx, tenant, { action: 'identity-provider allow-passwords', subject });
  });
  const said = 'members who have a password sign in with it again';
  print(options, { is_required: false }, said);
}

async function remove(
  _: CommandContext,
  { db, audit }: OpenDatabase,
  options: Options,
): Promise<void> {
  const { tenant } = options;
  await db.tenant(tenant, async (tx) => {
    const before = await lockProvider(tx, tenant);
    if (before === undefined) throw none();
    await removeProvider(tx, tenant);
    const removed = { action: 'identity-provider remove', before: showProvider(before) };
    await audit(tx, tenant, { subject, ...removed });
  });
  print(options, { removed: true }, 'it is removed');
}

function none(): UsageError {
  return new UsageError('the tenant has no identity provider');
}
