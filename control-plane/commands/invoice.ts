import type { Command } from 'commander';
import { holdReason } from '../einvoice/invoices/hold.ts';
import { type InvoiceRow, listInvoices } from '../einvoice/invoices/store.ts';
import {
  type HoldStepOutcome,
  takeHoldStep,
} from '../einvoice/pipeline/held-invoices/hold-steps.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { firstRows } from '../platform/db/keyset.ts';
import { insertJobs } from '../platform/jobs/store.ts';
import { databaseUser, print, type Shape, UsageError } from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { environmentOption, tenantId } from './option-parsers.ts';

interface InvoiceOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
}

const listedMax = 1_000;

/** `invoice …`: invoices that wait for a person, and letting them go. */
export function addInvoices(program: Command, openContext: OpenCommandContext): void {
  const withDatabase = databaseUser(openContext);
  const invoice = program.command('invoice').description('invoices that wait for a person');
  const environment = environmentOption('where they are').default('live');
  invoice
    .command('held')
    .description(`list a tenant's held invoices, newest first, ${listedMax} at most`)
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .option('--json', 'print JSON')
    .action(({ tenant, ...options }: InvoiceOptions) =>
      withDatabase(async (_, { db }) => {
        const rows = await db.tenant(tenant, async (tx) => {
          const list = (waitsFor: 'release' | 'approval') =>
            listInvoices(tx, tenant, options.environment, { waitsFor }, firstRows(listedMax));
          return [...(await list('release')), ...(await list('approval'))].slice(0, listedMax);
        });
        print(options, rows.map(shownOf), rows.map(lineOf).join('\n'));
      }, tenant),
    );
  invoice
    .command('release <ids...>')
    .description('let held invoices go, where their connector does not ask for two people')
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample: invoice release inv_01k9… --tenant 019a…')
    .action((ids: string[], { tenant, ...options }: InvoiceOptions) =>
      withDatabase(async ({ clock, random, operator }, { db, audit }) => {
        await db.tenant(tenant, async (tx) => {
          const outcomes = await takeHoldStep(
            tx,
            // The nodes look for due jobs by themselves.
            { enqueue: async (...call) => (await insertJobs(...call)).length },
            { tenantId: tenant, environment: options.environment },
            {
              step: 'release',
              ids,
              by: { id: `host:${operator}`, isPerson: false },
              now: clock(),
              random,
            },
          );
          for (const [id, outcome] of outcomes) {
            refuseUnlessReleased(id, outcome);
            await audit(tx, tenant, { action: 'invoice release', subject: id });
          }
        });
        const released = [...new Set(ids)];
        print(options, { released }, released.map((id) => `${id}  released`).join('\n'));
      }, tenant),
    );
}

function refuseUnlessReleased(id: string, outcome: HoldStepOutcome): void {
  switch (outcome.kind) {
    case 'changed':
      return;
    case 'missing':
      throw new UsageError(`the tenant has no invoice ${id} there; \`invoice held\` lists those`);
    case 'not-held':
      throw new UsageError(`${id} does not wait for a person; it is ${outcome.state}`);
    default:
      throw new UsageError(
        `${id} needs two people of the tenant: they sign in and call POST /v1/invoices/${id}/release and …/approve`,
      );
  }
}

function shownOf({ id, number, source_ref, connector_id, waits_for, hold }: InvoiceRow) {
  return { id, number, source_ref, connector_id, waits_for, since: hold!.since };
}

function lineOf({ id, number, source_ref, waits_for, hold }: InvoiceRow): string {
  return `${id}  ${number ?? source_ref}  since ${hold!.since}  ${holdReason(waits_for!)}`;
}
