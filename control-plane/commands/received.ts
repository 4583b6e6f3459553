import {
  problemsOf,
  type ResponseReason,
  type ResponseStatus,
  responseReasons,
  responseStatuses,
} from '@drawbridge/lifecycle/supplier-response.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { respond } from '../einvoice/received/respond.ts';
import { listReceived, type ReceivedRow } from '../einvoice/received/store.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { firstRows } from '../platform/db/keyset.ts';
import { insertJobs } from '../platform/jobs/store.ts';
import { databaseUser, print, type Shape, UsageError } from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { environmentOption, tenantId } from './option-parsers.ts';

interface ReceivedOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
}

interface RespondOptions extends ReceivedOptions {
  readonly status: ResponseStatus;
  readonly reason?: Reason[];
  readonly note?: string;
}

interface Reason {
  readonly code: ResponseReason;
  readonly text?: string;
}

const listedMax = 200;

/** `received …`: documents of suppliers, and answering them. */
export function addReceived(program: Command, openContext: OpenCommandContext): void {
  const withDatabase = databaseUser(openContext);
  const received = program.command('received').description('documents of suppliers of a tenant');
  const environment = environmentOption('where they are').default('live');
  received
    .command('list')
    .description(`list a tenant's documents, newest first, ${listedMax} at most`)
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .option('--json', 'print JSON')
    .action(({ tenant, ...options }: ReceivedOptions) =>
      withDatabase(async (_, { db }) => {
        const scope = { tenantId: tenant, environment: options.environment };
        const rows = await db.tenant(tenant, (tx) =>
          listReceived(tx, scope, {}, firstRows(listedMax)),
        );
        print(options, rows, rows.map(lineOf).join('\n'));
      }, tenant),
    );
  received
    .command('respond <id>')
    .description('answer the supplier of a document: over Peppol, or a rejection to MyInvois')
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .addOption(
      new Option('--status <status>', 'what the supplier is told')
        .choices(responseStatuses)
        .makeOptionMandatory(),
    )
    .option('--reason <code[=text]>', reasonHelp(), readReason)
    .option('--note <text>', 'a text for the supplier')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample: received respond rcv_01k9… --tenant 019a… --status rejected --reason "PRI=twice the agreed price"',
    )
    .action((id: string, { tenant, ...options }: RespondOptions) =>
      withDatabase(async ({ clock, random, operator }, { db, audit }) => {
        const { status, reason: reasons = [], note } = options;
        const answer = { status, reasons, actions: [], ...(note === undefined ? {} : { note }) };
        const [problem] = Object.entries(problemsOf(answer));
        if (problem !== undefined) throw new UsageError(`${problem[0]} ${problem[1]}`);
        const scope = { tenantId: tenant, environment: options.environment };
        const request = { id, answer, by: `host:${operator}`, now: clock(), random };
        const row = await db.tenant(tenant, async (tx) => {
          // The nodes look for due jobs by themselves.
          const jobs = {
            enqueue: async (...call: Parameters<typeof insertJobs>) =>
              (await insertJobs(...call)).length,
          };
          const outcome = await respond(tx, jobs, scope, request);
          if (outcome.kind === 'missing')
            throw new UsageError(`the tenant has no document ${id} there`);
          if (outcome.kind === 'refused') throw new UsageError(outcome.reason);
          if (outcome.isNew) {
            await audit(tx, tenant, { action: 'received respond', subject: id, after: answer });
          }
          return outcome.row;
        });
        print(options, row.response, lineOf(row));
      }, tenant),
    );
}

function reasonHelp(): string {
  const codes = Object.entries(responseReasons).map(([code, meaning]) => `${code}: ${meaning}`);
  return `why, may be given several times (${codes.join('; ')})`;
}

function readReason(value: string, before: Reason[] = []): Reason[] {
  const [code = '', ...text] = value.split('=');
  if (!Object.hasOwn(responseReasons, code)) {
    throw new InvalidArgumentError(
      `it begins with one of ${Object.keys(responseReasons).join(', ')}`,
    );
  }
  const explained = text.length === 0 ? {} : { text: text.join('=') };
  return [...before, { code: code as ResponseReason, ...explained }];
}

function lineOf(row: ReceivedRow): string {
  const { id, status, number, supplier_name, response, cancelled_at } = row;
  const told = response === null ? '' : `  told ${response.status} (${response.state})`;
  const cancelled = cancelled_at === null ? '' : `  cancelled ${cancelled_at.toISOString()}`;
  return `${id}  ${status}  ${number ?? '-'}  ${supplier_name ?? '-'}${told}${cancelled}`;
}
