import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Role, roles } from '../messaging/rbac.ts';
import { makeMember } from '../messaging/token/accounts.ts';
import { email } from '../messaging/token/schema.ts';
import { databaseUser, print, type Shape, tenantId } from './administration.ts';
import type { OpenEdge } from './edge.ts';

interface Options extends Shape {
  readonly tenant: string;
  readonly role: Role;
  readonly name?: string;
}

/** `member create`: the first person of a messaging tenant, who can invite the others. */
export function addMember(program: Command, openEdge: OpenEdge): void {
  program
    .command('member')
    .description('people of a messaging tenant')
    .command('create <email>')
    .description('make a member; the password of a new account is printed this once')
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(new Option('--role <name>', 'what it may do').choices([...roles]).default('owner'))
    .option('--name <text>', 'what it is called')
    .option('--json', 'print JSON')
    .action((text: string, options: Options) => {
      const parsed = email.safeParse(text);
      if (!parsed.success) throw new InvalidArgumentError('an e-mail address is needed');
      return databaseUser(openEdge)(async (edge, { db }) => {
        const { tenant, role, name = parsed.data } = options;
        const member = { email: parsed.data, name, role };
        const { userId, password } = await makeMember({ ...edge, db }, tenant, member);
        const shown = password ?? 'a member now, with the password of its account';
        print(options, { id: userId, ...member, password: password ?? null }, shown);
      }, options.tenant);
    });
}
