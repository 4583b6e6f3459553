import { type Command, Option } from 'commander';
import { type MigratedDatabase, openMigratedDatabase } from '../installation/migrated-database.ts';
import { einvoicingPermissions } from '../people/roles/einvoicing-roles.ts';
import { permissions as messagingPermissions, roles } from '../people/roles/messaging-roles.ts';
import { createTenant, draftKey, keepKey } from '../platform/auth/issue.ts';
import type { Environment } from '../platform/auth/principal.ts';
import {
  findTenant,
  isTenant,
  listKeys,
  listTenants,
  revokeKey,
  setLimits,
  type TenantRow,
} from '../platform/auth/store.ts';
import type { CommandContext, OpenCommandContext } from './context.ts';
import { type HostAudit, openHostAudit } from './host-audit.ts';
import {
  addressRanges,
  environmentOption,
  instant,
  tenantId,
  tenantName,
} from './option-parsers.ts';

const families = { 'e-invoicing': 'sk', messaging: 'jc' } as const;

const permissionsOf = {
  'e-invoicing': Object.keys(einvoicingPermissions),
  messaging: [...Object.keys(messagingPermissions), ...roles.map((role) => `role:${role}`)],
} as const;

export interface Shape {
  readonly json?: boolean;
}

interface KeyOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
  readonly service: keyof typeof families;
  readonly name: string;
  readonly scope?: string[];
  readonly allowIp?: string[];
  readonly expires?: Date;
}

/** A mistake in the command line; the message is for the person who typed it. */
export class UsageError extends Error {
  readonly code = 'usage';
}

/**
 * `migrate`, `tenant …`, `key …`: they may run while a control plane runs on the same database.
 */
export function addAdministration(
  program: Command,
  tenant: Command,
  openContext: OpenCommandContext,
): void {
  const withDatabase = databaseUser(openContext);
  program
    .command('migrate')
    .description('bring the database up to date, as `serve` does at its start')
    .option('--json', 'print JSON')
    .action((shape: Shape) =>
      withDatabase(async (_, { applied }) => {
        print(shape, { applied }, applied.length === 0 ? 'up to date' : applied.join('\n'));
      }),
    );
  addTenant(tenant, withDatabase);
  addKey(program.command('key').description('API keys of a tenant'), withDatabase);
}

function addTenant(tenant: Command, withDatabase: WithDatabase): void {
  tenant
    .command('create')
    .argument('<name>', 'what it is called', tenantName)
    .description('make a tenant')
    .option('--json', 'print JSON')
    .action((name: string, shape: Shape) =>
      withDatabase(async (context, { db, audit }) => {
        const id = await createTenant(db, name, context);
        const created = { action: 'tenant create', subject: id, after: { name } };
        await db.tenant(id, (tx) => audit(tx, id, created));
        print(shape, { id, name }, id);
      }),
    );
  tenant
    .command('list')
    .description('list all tenants, oldest first')
    .option('--json', 'print JSON')
    .action((shape: Shape) =>
      withDatabase(async (_, { db }) => {
        const all = await db.system(listTenants);
        print(shape, all, all.map(lineOf).join('\n'));
      }),
    );
  tenant
    .command('limits <limits...>')
    .description(
      'agree on other rate limits, per key and second: read=500 submit=5000; others stay, and write=default ' +
        'goes back to that of the installation',
    )
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .option('--json', 'print JSON')
    .action((words: string[], options: Shape & { tenant: string }) =>
      withDatabase(async (_, { db, audit }) => {
        const changes = words.map(limitOf);
        const { tenant: id } = options;
        const limits = await db.tenant(id, async (tx) => {
          const { limits: before } = (await findTenant(tx, id))!;
          const after = changes.reduce(withLimit, before);
          await setLimits(tx, id, after);
          await audit(tx, id, { action: 'tenant limits', subject: id, before, after });
          return after;
        });
        const lines = Object.entries(limits).map(([name, value]) => `${name}=${value}`);
        print(options, { id, limits }, lines.join('\n') || 'those of the installation');
      }, options.tenant),
    );
}

function lineOf({ id, name, suspended_at, deleting_at }: TenantRow): string {
  const state = deleting_at !== null ? '  (being deleted)' : suspended_at ? '  (suspended)' : '';
  return `${id}  ${name}${state}`;
}

function addKey(key: Command, withDatabase: WithDatabase): void {
  key
    .command('create')
    .description('make a key; its text is printed this once and stored nowhere')
    .requiredOption('--tenant <id>', 'the tenant it opens', tenantId)
    .addOption(environmentOption('where it is used').makeOptionMandatory())
    .addOption(
      new Option('--service <name>', 'what it opens')
        .choices(Object.keys(families))
        .default('e-invoicing'),
    )
    .option('--name <text>', 'what it is for', 'key')
    .option('--scope <permission...>', 'what it may do (default: all)')
    .option('--allow-ip <range...>', 'addresses or CIDR ranges it may be used from', addressRanges)
    .option('--expires <date>', 'instant from which it is refused', instant)
    .option('--json', 'print JSON')
    .action((options: KeyOptions) =>
      withDatabase((context, database) => createKey(options, context, database), options.tenant),
    );
  key
    .command('list')
    .description("list a tenant's keys, revoked ones too")
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .option('--json', 'print JSON')
    .action((options: Shape & { tenant: string }) =>
      withDatabase(async (_, { db }) => {
        const all = await db.tenant(options.tenant, (tx) => listKeys(tx, options.tenant));
        const shown = all.map(({ hash: _, ...row }) => row);
        const lines = shown.map((row) => {
          const state = row.revoked_at ? 'revoked' : 'valid';
          return `${row.id}  ${row.shown}  ${row.environment}  ${state}  ${row.name}`;
        });
        print(options, shown, lines.join('\n'));
      }, options.tenant),
    );
  key
    .command('revoke <key>')
    .description('refuse a key from now on, on every node within a second')
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .option('--json', 'print JSON')
    .action((id: string, options: Shape & { tenant: string }) =>
      withDatabase(async (_, { db, audit }) => {
        const { tenant } = options;
        await db.tenant(tenant, async (tx) => {
          if (!(await revokeKey(tx, tenant, id)))
            throw new UsageError(`the tenant has no key ${id}`);
          await audit(tx, tenant, { action: 'key revoke', subject: id });
        });
        print(options, { id, revoked: true }, `${id} is revoked`);
      }, options.tenant),
    );
}

async function createKey(
  options: KeyOptions,
  context: CommandContext,
  { db, audit }: OpenDatabase,
): Promise<void> {
  const { tenant, environment, service, name, scope, allowIp, expires } = options;
  if (name.trim() === '') throw new UsageError('--name: say what the key is for');
  refuseUnknownScopes(service, scope ?? []);
  if (expires !== undefined && expires <= context.clock()) {
    throw new UsageError(`--expires: ${expires.toISOString()} is over`);
  }
  const request = {
    family: families[service],
    environment,
    name,
    ...(scope ? { scopes: scope } : {}),
    ...(allowIp ? { allowedIps: allowIp } : {}),
    ...(expires ? { expiresAt: expires } : {}),
  };
  const drafted = draftKey(request, context.random);
  const { id, text, shown } = drafted;
  await db.tenant(tenant, async (tx) => {
    await keepKey(tx, tenant, request, drafted);
    const after = { ...request, shown };
    await audit(tx, tenant, { action: 'key create', subject: id, after });
  });
  print(options, { id, key: text, environment, name }, text);
}

/** A key with a permission that there is not would be refused wherever it is used. */
function refuseUnknownScopes(service: KeyOptions['service'], scopes: readonly string[]): void {
  const known = [...permissionsOf[service], '*'];
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length === 0) return;
  throw new UsageError(
    `--scope: no ${unknown.join(', ')} in ${service}; there are ${known.join(', ')}`,
  );
}

/** The database, and what records changes of it. */
export interface OpenDatabase extends MigratedDatabase {
  readonly audit: HostAudit;
}

/**
 * Runs a command's work with the database open; throws `UsageError` when there is no such tenant.
 */
export type WithDatabase = (
  work: (context: CommandContext, database: OpenDatabase) => Promise<void>,
  tenant?: string,
) => Promise<void>;

export function databaseUser(openContext: OpenCommandContext): WithDatabase {
  return async (work, tenant) => {
    const context = openContext();
    const database = await openMigratedDatabase(context.settings, context.log);
    try {
      if (tenant !== undefined) await refuseUnknown(database, tenant);
      await work(context, { ...database, audit: openHostAudit(context, database.db) });
    } finally {
      await database.close();
    }
  };
}

async function refuseUnknown({ db }: MigratedDatabase, tenant: string): Promise<void> {
  if (await db.tenant(tenant, (tx) => isTenant(tx, tenant))) return;
  throw new UsageError(`there is no tenant ${tenant}; \`tenant list\` shows those there are`);
}

export function print({ json }: Shape, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : text);
}

type Limits = TenantRow['limits'];
type LimitChange = readonly [name: string, value: number | undefined];

function limitOf(word: string): LimitChange {
  const [, name, value] = /^(read|write|submit)=([1-9]\d{0,5}|default)$/.exec(word) ?? [];
  if (name === undefined) {
    throw new UsageError(`${word}: write read=500; the limits are read, write and submit`);
  }
  return [name, value === 'default' ? undefined : Number(value)];
}

function withLimit(limits: Limits, [name, value]: LimitChange): Limits {
  const { [name]: _, ...others } = limits;
  return value === undefined ? others : { ...others, [name]: value };
}
