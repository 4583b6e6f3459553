import { type Command, Option } from 'commander';
import { databaseUser, type WithDatabase } from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { environmentOption, tenantId } from './option-parsers.ts';
import type { AddOptions, ProviderOptions, ScopeOptions } from './voice-options.ts';

/** Loaded when one of these commands runs, because other commands do not need it. */
const work = () => import('./voice-provider.ts');

/** `voice provider …`: accounts at voice providers and PBXs, without the API. */
export function addVoice(program: Command, openContext: OpenCommandContext): void {
  const withDatabase = databaseUser(openContext);
  const provider = program
    .command('voice')
    .description('calling')
    .command('provider')
    .description('voice providers and PBXs of a tenant');
  addAdd(provider, withDatabase);
  addUpdate(provider, withDatabase);
  ofTenant(provider.command('list').description('list them, newest first')).action(
    (options: ScopeOptions) =>
      withDatabase(
        async (context, database) => (await work()).list(context, database, options),
        options.tenant,
      ),
  );
  ofTenant(
    provider
      .command('test <id>')
      .description('ask the provider whether the credentials are good; nobody is called'),
  ).action((id: string, options: ScopeOptions) =>
    withDatabase(
      async (context, database) => (await work()).test(context, database, id, options),
      options.tenant,
    ),
  );
}

function addAdd(provider: Command, withDatabase: WithDatabase): void {
  limited(
    ofTenant(provider.command('add').description('configure one'))
      .requiredOption('--provider <kind>', 'which one, as `npm run simulate -- --help` lists them')
      .requiredOption('--name <text>', 'what it is called')
      .requiredOption('--from <number>', 'the number that is shown, in E.164')
      .requiredOption('--settings <file>', 'JSON file of its settings, - for standard input'),
  ).action((options: AddOptions) =>
    withDatabase(
      async (context, database) => (await work()).add(context, database, options),
      options.tenant,
    ),
  );
}

function addUpdate(provider: Command, withDatabase: WithDatabase): void {
  limited(
    ofTenant(provider.command('update <id>').description('change one; what is not named stays'))
      .option('--name <text>', 'what it is called')
      .option('--from <number>', 'the number that is shown, in E.164')
      .option('--settings <file>', 'JSON file of the settings that change, - for standard input'),
  ).action((id: string, options: ScopeOptions & ProviderOptions) =>
    withDatabase(
      async (context, database) => (await work()).update(context, database, id, options),
      options.tenant,
    ),
  );
}

function limited(command: Command): Command {
  return command
    .option('--calls-per-second <n>', 'what the provider takes')
    .addOption(
      new Option('--recording-policy <word>', 'what a recording needs').choices([
        'free',
        'announced',
        'consented',
      ]),
    )
    .option('--recording-days <n>', 'how long recordings are kept');
}

function ofTenant(command: Command): Command {
  return command
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environmentOption('where it is used').makeOptionMandatory())
    .option('--json', 'print JSON');
}
