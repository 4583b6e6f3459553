import type { Command } from 'commander';
import { forgetUnrouted } from '../einvoice/network-messages/store.ts';
import {
  confirmParticipant,
  deleteParticipant,
  findParticipantTenant,
  listParticipants,
  type ParticipantRow,
} from '../einvoice/received/participants-store.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { faultOf } from '../platform/db/errors.ts';
import { databaseUser, print, type Shape, UsageError } from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { environmentOption, tenantId } from './option-parsers.ts';

interface ParticipantOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
}

/** `participant …`: the addresses of tenants in a network, which the host confirms. */
export function addParticipants(program: Command, openContext: OpenCommandContext): void {
  const withDatabase = databaseUser(openContext);
  const participant = program
    .command('participant')
    .description('addresses to which suppliers of a tenant send');
  const environment = environmentOption('where it counts').default('live');
  participant
    .command('list')
    .description("list a tenant's addresses")
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .option('--json', 'print JSON')
    .action(({ tenant, ...options }: ParticipantOptions) =>
      withDatabase(async (_, { db }) => {
        const scope = { tenantId: tenant, environment: options.environment };
        const rows = await db.tenant(tenant, (tx) => listParticipants(tx, scope));
        print(options, rows, rows.map(lineOf).join('\n'));
      }, tenant),
    );
  participant
    .command('confirm <address>')
    .description(
      "let what is sent to an address come to the tenant; see to it first that the address is the tenant's",
    )
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample: participant confirm 0235:1008765432 --tenant 019a…')
    .action((address: string, { tenant, ...options }: ParticipantOptions) =>
      withDatabase(async ({ clock }, { db, audit }) => {
        const scope = { tenantId: tenant, environment: options.environment };
        const id = address.toLowerCase();
        const row = await db
          .tenant(tenant, async (tx) => {
            const confirmed = await confirmParticipant(tx, scope, id, clock());
            if (confirmed === undefined) {
              throw new UsageError(`the tenant has not asked for ${id} in ${scope.environment}`);
            }
            await audit(tx, tenant, { action: 'participant confirm', subject: id });
            return confirmed;
          })
          .catch(async (error: unknown) => {
            if (faultOf(error).constraint !== 'tenant_directory_pkey') throw error;
            const owner = await db.system((tx) => findParticipantTenant(tx, scope.environment, id));
            const move = `participant remove ${id} --tenant ${owner}`;
            throw new UsageError(
              `${id} is confirmed for another tenant, ${owner}; where it has moved: ${move}`,
            );
          });
        await db.system((tx) => forgetUnrouted(tx, scope.environment, id));
        print(options, row, lineOf(row));
      }, tenant),
    );
  participant
    .command('remove <address>')
    .description(
      'let what is sent to an address come to the tenant no more, as before it is confirmed for another; what came stays',
    )
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environment)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample: participant remove 0235:1008765432 --tenant 019a…')
    .action((address: string, { tenant, ...options }: ParticipantOptions) =>
      withDatabase(async (_, { db, audit }) => {
        const scope = { tenantId: tenant, environment: options.environment };
        const id = address.toLowerCase();
        await db.tenant(tenant, async (tx) => {
          if ((await deleteParticipant(tx, scope, id)) === 0) {
            throw new UsageError(`the tenant has no address ${id} in ${scope.environment}`);
          }
          await audit(tx, tenant, { action: 'participant remove', subject: id });
        });
        print(options, { id }, `${id}  removed`);
      }, tenant),
    );
}

function lineOf({ id, confirmed_at, import_to }: ParticipantRow): string {
  const state = confirmed_at === null ? 'unconfirmed' : 'confirmed';
  return `${id}  ${state}${import_to === null ? '' : `  to ${import_to}`}`;
}
