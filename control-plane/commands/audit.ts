import type { Command } from 'commander';
import {
  type AuditEventRow,
  type HostAuditEventRow,
  listAuditEvents,
  listHostAuditEvents,
} from '../platform/audit/store.ts';
import { firstRows } from '../platform/db/keyset.ts';
import { firstIdAt } from '../platform/ids.ts';
import { databaseUser, print, type Shape } from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { instant, tenantId, wholeNumber } from './option-parsers.ts';

interface Options extends Shape {
  readonly tenant?: string;
  readonly action?: string;
  readonly since?: string;
  readonly limit: number;
}

const limitMax = 10_000;

/** `audit list`: what was done to this installation, or in a tenant. */
export function addAudit(program: Command, openContext: OpenCommandContext): void {
  program
    .command('audit')
    .description('the audit log: who did what; nobody can change it')
    .command('list')
    .description('list events, the newest first: of the host, or of a tenant')
    .option('--tenant <id>', 'the log of this tenant', tenantId)
    .option('--action <name>', 'only this action')
    .option('--since <date>', 'from this instant on', (value) => firstIdAt('aud', instant(value)))
    .option('--limit <count>', `at most so many, up to ${limitMax}`, wholeNumber(1, limitMax), 100)
    .option('--json', 'print JSON')
    .action((options: Options) =>
      databaseUser(openContext)(async (_, { db }) => {
        const { tenant, action, since: fromId, limit } = options;
        const filter = { action, fromId };
        const rows =
          tenant === undefined
            ? await db.system((tx) => listHostAuditEvents(tx, filter, limit))
            : await db.tenant(tenant, (tx) =>
                listAuditEvents(tx, tenant, filter, firstRows(limit)),
              );
        print(options, rows, rows.map(lineOf).join('\n'));
      }, options.tenant),
    );
}

function lineOf(row: AuditEventRow | HostAuditEventRow): string {
  const { happened_at, outcome, action, subject, actor_kind, actor_id, ip } = row;
  const who = actor_id ?? actor_kind;
  const done = `${action}${outcome === 'refused' ? ' (refused)' : ''}`;
  return [happened_at.toISOString(), who, done, subject ?? '', ip ?? ''].join('  ').trimEnd();
}
