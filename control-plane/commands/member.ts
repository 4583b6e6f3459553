import { type Command, Option } from 'commander';
import { peopleApi } from '../messaging/people-api.ts';
import { beginPasswordReset, openResetsMax, resetLink } from '../people/accounts/password-reset.ts';
import { findAccount } from '../people/accounts/store.ts';
import { makeMember } from '../people/members/new-member.ts';
import { type EinvoicingRole, einvoicingRoles } from '../people/roles/einvoicing-roles.ts';
import { type Role, roles } from '../people/roles/messaging-roles.ts';
import { removeSecondFactor } from '../people/second-factor/store.ts';
import { databaseUser, print, type Shape, UsageError } from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { emailAddress, tenantId } from './option-parsers.ts';

interface Options extends Shape {
  readonly tenant: string;
  readonly role?: Role;
  readonly einvoicingRole?: EinvoicingRole;
  readonly name?: string;
}

/** `member create`: the first person of a tenant, who can invite the others; and new passwords. */
export function addMember(program: Command, openContext: OpenCommandContext): void {
  const member = program.command('member').description('people of a tenant');
  addCreate(member, openContext);
  addResetPassword(member, openContext);
  addRemoveSecondFactor(member, openContext);
}

function addCreate(command: Command, openContext: OpenCommandContext): void {
  command
    .command('create <email>')
    .description('make a member; the password of a new account is printed this once')
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(
      new Option('--role <name>', 'in messaging; owner, when no role is named').choices([...roles]),
    )
    .addOption(
      new Option('--einvoicing-role <name>', 'in e-invoicing').choices([...einvoicingRoles]),
    )
    .option('--name <text>', 'what it is called')
    .option('--json', 'print JSON')
    .action((text: string, options: Options) => {
      const address = emailAddress(text);
      return databaseUser(openContext)(async (context, { db, audit }) => {
        const { tenant, einvoicingRole, name = address } = options;
        const role = options.role ?? (einvoicingRole === undefined ? 'owner' : null);
        const member = {
          email: address,
          name,
          role,
          einvoicing_role: einvoicingRole ?? null,
        };
        const { userId, password } = await makeMember({ ...context, db }, tenant, member);
        await db.tenant(tenant, (tx) =>
          audit(tx, tenant, { action: 'member create', subject: userId, after: member }),
        );
        const shown = password ?? 'a member now, with the password of its account';
        print(options, { id: userId, ...member, password: password ?? null }, shown);
      }, options.tenant);
    });
}

function addResetPassword(command: Command, openContext: OpenCommandContext): void {
  command
    .command('reset-password <email>')
    .description('print a link, good once and for an hour, by which the person sets a new password')
    .option('--json', 'print JSON')
    .action((text: string, shape: Shape) =>
      databaseUser(openContext)(async (context, { db, audit }) => {
        const token = await beginPasswordReset({ ...context, db }, emailAddress(text), 'host');
        if (token === undefined) {
          throw new UsageError(
            `nobody has the address ${text}, or ${openResetsMax.host} links are open: wait an hour`,
          );
        }
        const reset = { action: 'member reset-password', subject: emailAddress(text) };
        await db.system((tx) => audit(tx, undefined, reset));
        const { settings } = context;
        const link = resetLink(settings.passwordResetUrl, token);
        const base = settings.baseUrl ?? `http://127.0.0.1:${settings.port}`;
        const request = `POST ${base}${peopleApi.paths.resetPassword} {"token":"${token}","new_password":"…"}`;
        print(shape, { token, link: link ?? null }, link ?? request);
      }),
    );
}

function addRemoveSecondFactor(command: Command, openContext: OpenCommandContext): void {
  command
    .command('remove-second-factor <email>')
    .description('for a person who has lost both the device and the recovery codes')
    .option('--json', 'print JSON')
    .action((text: string, shape: Shape) =>
      databaseUser(openContext)(async (_, { db, audit }) => {
        const address = emailAddress(text);
        const isRemoved = await db.system(async (tx) => {
          const account = await findAccount(tx, address);
          if (account === undefined || !(await removeSecondFactor(tx, account.id))) return false;
          const removed = { action: 'member remove-second-factor', subject: account.id };
          await audit(tx, undefined, removed);
          return true;
        });
        if (!isRemoved)
          throw new UsageError(`nobody with the address ${address} has a second factor`);
        print(shape, { email: address, removed: true }, `${address} signs in by password alone`);
      }),
    );
}
