import { type Command, InvalidArgumentError } from 'commander';
import {
  type AuditEventRow,
  type HostAuditEventRow,
  listAuditEvents,
  listHostAuditEvents,
} from '../platform/audit/store.ts';
import { firstIdAt } from '../platform/ids.ts';
import { databaseUser, print, type Shape, tenantId } from './administration.ts';
import type { OpenCommandContext } from './context.ts';

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
    .option('--since <date>', 'from this instant on', idAt)
    .option('--limit <count>', `at most so many, up to ${limitMax}`, count, 100)
    .option('--json', 'print JSON')
    .action((options: Options) =>
      databaseUser(openContext)(async (_, { db }) => {
        const { tenant, action, since: fromId, limit } = options;
        const filter = { action, fromId };
        const rows =
          tenant === undefined
            ? await db.system((tx) => listHostAuditEvents(tx, filter, limit))
            : await db.tenant(tenant, (tx) => listAuditEvents(tx, tenant, filter, limit));
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

function idAt(value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime()) || at.getTime() < 0) {
    throw new InvalidArgumentError('an ISO 8601 instant is needed');
  }
  return firstIdAt('aud', at);
}

function count(value: string): number {
  const number = /^[1-9]\d{0,4}$/.test(value) ? Number(value) : limitMax + 1;
  if (number <= limitMax) return number;
  throw new InvalidArgumentError(`a whole number from 1 to ${limitMax} is needed`);
}
