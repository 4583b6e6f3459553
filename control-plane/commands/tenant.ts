import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Environment } from '../platform/auth/principal.ts';
import {
  announceTenant,
  findTenant,
  setSuspended,
  type TenantRow,
} from '../platform/auth/store.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Objects } from '../platform/objects/objects.ts';
import { openObjects } from '../platform/objects/open-objects.ts';
import { lifeDaysLimits } from '../platform/retention/life-days.ts';
import { type LifeTimes, readLifeTimes, setLifeTime } from '../platform/retention/store.ts';
import { deleteTenantRecords } from '../platform/tenant-records/deletion.ts';
import { exportTenant } from '../platform/tenant-records/export.ts';
import { beginDeletion } from '../platform/tenant-records/store.ts';
import {
  databaseUser,
  type OpenDatabase,
  print,
  type Shape,
  UsageError,
  type WithDatabase,
} from './administration.ts';
import type { CommandContext, OpenCommandContext } from './context.ts';
import { environmentOption, tenantId, wholeNumber } from './option-parsers.ts';

interface DeleteOptions extends Shape {
  readonly yes?: boolean;
}

interface RetentionOptions extends Shape {
  readonly environment: Environment;
  readonly invoices?: number | 'never';
  readonly messages?: number | 'never';
  readonly contacts?: number | 'never';
}

/** `tenant suspend|resume|retention|export|delete`. */
export function addTenantLifecycle(tenant: Command, openContext: OpenCommandContext): void {
  const withDatabase = databaseUser(openContext);
  addSuspension(tenant, withDatabase, {
    name: 'suspend',
    description: 'refuse its keys and sessions, let its work wait, and end the links of its agents',
    isSuspended: true,
  });
  addSuspension(tenant, withDatabase, {
    name: 'resume',
    description: 'let a suspended tenant go on',
    isSuspended: false,
  });
  addRetention(tenant, withDatabase);
  tenant
    .command('export <id>')
    .description('write everything but secrets into a new folder, as lines of JSON and files')
    .requiredOption('--to <folder>', 'a folder that does not exist')
    .option('--json', 'print JSON')
    .action((id: string, { to, ...shape }: Shape & { to: string }) =>
      withDatabase(async ({ settings }, { db, audit }) => {
        const folder = resolve(to);
        refuseFolder(folder);
        await db.tenant(id, (tx) => audit(tx, id, { action: 'tenant export', subject: id }));
        const written = await exportTenant({ db, objects: objectsOf(settings) }, id, folder);
        const rows = Object.values(written.tables).reduce((sum, count) => sum + count, 0);
        const text = `${rows} rows and ${written.objects} files are in ${folder}`;
        print(shape, { id, folder, ...written }, text);
      }, tenantId(id)),
    );
  tenant
    .command('delete <id>')
    .description('delete a suspended tenant with everything of it; ended early, run it again')
    .option('--yes', 'do not ask for its name')
    .option('--json', 'print JSON')
    .action((id: string, options: DeleteOptions) =>
      withDatabase((context, database) => deleteOne(context, database, id, options), tenantId(id)),
    );
}

function refuseFolder(folder: string): void {
  if (existsSync(folder)) throw new UsageError(`${folder} is there already: name a new folder`);
  if (!existsSync(dirname(folder))) throw new UsageError(`there is no folder ${dirname(folder)}`);
}

function addSuspension(
  tenant: Command,
  withDatabase: WithDatabase,
  change: { readonly name: string; readonly description: string; readonly isSuspended: boolean },
): void {
  const { name, description, isSuspended } = change;
  tenant
    .command(`${name} <id>`)
    .description(description)
    .option('--json', 'print JSON')
    .action((id: string, shape: Shape) =>
      withDatabase(async (_, { db, audit }) => {
        await db.tenant(id, async (tx) => {
          const isSet = await setSuspended(tx, id, isSuspended);
          if (!isSet) throw new UsageError(`${id} is being deleted: finish that by tenant delete`);
          await audit(tx, id, { action: `tenant ${name}`, subject: id });
        });
        const text = isSuspended ? `${id} is suspended` : `${id} goes on`;
        print(shape, { id, suspended: isSuspended }, text);
      }, tenantId(id)),
    );
}

function addRetention(tenant: Command, withDatabase: WithDatabase): void {
  tenant
    .command('retention <id>')
    .description(
      'show or set after how many days what is settled is deleted for good; the law asks that most ' +
        'invoices be kept for years',
    )
    .addOption(environmentOption('where it holds').makeOptionMandatory())
    .option('--invoices <days>', 'since their last change; or never', lifeDays)
    .option('--messages <days>', 'since their last change; or never', lifeDays)
    .option('--contacts <days>', 'since anything happened with them; or never', lifeDays)
    .option('--json', 'print JSON')
    .action(
      (id: string, { environment, invoices, messages, contacts, ...shape }: RetentionOptions) =>
        withDatabase(async ({ clock }, { db, audit }) => {
          const scope = { tenantId: id, environment };
          const after = await db.tenant(id, async (tx) => {
            const before = await readLifeTimes(tx, scope);
            const given = { invoice: invoices, message: messages, contact: contacts };
            const changes = Object.entries(given).filter(([, days]) => days !== undefined);
            if (changes.length === 0) return before;
            for (const [kind, wanted] of changes) {
              const days = wanted === 'never' ? null : wanted!;
              await setLifeTime(tx, scope, { kind, days, now: clock() });
            }
            const now = await readLifeTimes(tx, scope);
            const shown = { before: shownLife(before), after: shownLife(now) };
            await audit(tx, id, { action: 'tenant retention', subject: 'retention', ...shown });
            return now;
          });
          const shown = shownLife(after);
          const lines = Object.entries(shown).map(([name, days]) => {
            const kind = `${name.replace('_days', '')}s`;
            return days === null ? `${kind}: never deleted` : `${kind}: ${days} days`;
          });
          print(shape, { id, environment, ...shown }, lines.join('\n'));
        }, tenantId(id)),
    );
}

function shownLife({ invoice, message, contact }: LifeTimes) {
  return {
    invoice_days: invoice ?? null,
    message_days: message ?? null,
    contact_days: contact ?? null,
  };
}

function lifeDays(value: string): number | 'never' {
  const { min, max } = lifeDaysLimits;
  return value === 'never' ? value : wholeNumber(min, max)(value);
}

async function deleteOne(
  { settings, log }: CommandContext,
  { db, audit }: OpenDatabase,
  id: string,
  options: DeleteOptions,
): Promise<void> {
  const { name, suspended_at } = await db.tenant(id, (tx) => known(tx, id));
  if (suspended_at === null) {
    throw new UsageError(`suspend it first, so that nothing is under way: tenant suspend ${id}`);
  }
  if (!options.yes) await confirm(name);
  await db.tenant(id, async (tx) => {
    await beginDeletion(tx, id);
    await audit(tx, id, { action: 'tenant delete', subject: id, before: { name } });
  });
  const context = {
    db,
    objects: objectsOf(settings),
    onProgress: (table: string, rows: number) => log.info({ table, rows }, 'rows are deleted'),
  };
  const deleted = await deleteTenantRecords(context, id);
  await db.system((tx) => announceTenant(tx, id));
  const rows = [...deleted.values()].reduce((sum, count) => sum + count, 0);
  print(options, { id, deleted: true, rows }, `${id} is deleted, ${rows} rows`);
}

async function known(tx: Tx, id: string): Promise<TenantRow> {
  return (await findTenant(tx, id))!; // withDatabase has refused an unknown one
}

/** Throws unless the person types the tenant's name. */
async function confirm(name: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((end) => terminal.once('close', () => end('')));
  const typed = await Promise.race([
    terminal.question(`Nothing of it can be brought back. Type its name, ${name}: `),
    ended,
  ]);
  terminal.close();
  if (typed !== name) throw new UsageError('that is not its name: nothing was deleted');
}

function objectsOf({ home, objectStore, objectStoreKey }: CommandContext['settings']): Objects {
  return openObjects({ home, url: objectStore, key: objectStoreKey });
}
