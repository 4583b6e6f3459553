import { type Command, Option } from 'commander';
import { type Environment, environments } from '../platform/auth/principal.ts';
import { databaseUser, type Shape, tenantId, type WithDatabase } from './administration.ts';
import type { OpenEdge } from './edge.ts';

export interface PlaceOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
}

/** What may be said of a configuration, when it is made and later. */
export interface Told {
  readonly name?: string;
  readonly from?: string;
  readonly settings?: string;
  readonly callsPerSecond?: string;
  readonly recordingPolicy?: string;
  readonly recordingDays?: string;
}

export interface AddOptions extends PlaceOptions, Told {
  readonly provider: string;
}

/** What the commands do is loaded when one runs: all others would wait for it. */
const work = () => import('./voice-provider.ts');

/** `voice provider …`: accounts at voice providers and PBXs, without the API. */
export function addVoice(program: Command, openEdge: OpenEdge): void {
  const withDatabase = databaseUser(openEdge);
  const provider = program
    .command('voice')
    .description('calling')
    .command('provider')
    .description('voice providers and PBXs of a tenant');
  addAdd(provider, withDatabase);
  addUpdate(provider, withDatabase);
  ofTenant(provider.command('list').description('list them, newest first')).action(
    (options: PlaceOptions) =>
      withDatabase(
        async (edge, database) => (await work()).list(edge, database, options),
        options.tenant,
      ),
  );
  ofTenant(
    provider
      .command('test <id>')
      .description('ask the provider whether the credentials are good; nobody is called'),
  ).action((id: string, options: PlaceOptions) =>
    withDatabase(
      async (edge, database) => (await work()).test(edge, database, id, options),
      options.tenant,
    ),
  );
}

function addAdd(provider: Command, withDatabase: WithDatabase): void {
  limited(
    ofTenant(provider.command('add').description('configure one'))
      .requiredOption('--provider <kind>', 'twilio-voice, plivo-voice, vonage-voice or asterisk')
      .requiredOption('--name <text>', 'what it is called')
      .requiredOption('--from <number>', 'the number that is shown, in E.164')
      .requiredOption('--settings <file>', 'JSON file of its settings, - for standard input'),
  ).action((options: AddOptions) =>
    withDatabase(
      async (edge, database) => (await work()).add(edge, database, options),
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
  ).action((id: string, options: PlaceOptions & Told) =>
    withDatabase(
      async (edge, database) => (await work()).update(edge, database, id, options),
      options.tenant,
    ),
  );
}

function limited(command: Command): Command {
  return command
    .option('--calls-per-second <n>', 'what the provider takes')
    .addOption(
      new Option('--recording-policy <word>', 'what a recording needs').choices([
        ...['free', 'announced', 'consented'],
      ]),
    )
    .option('--recording-days <n>', 'how long recordings are kept');
}

function ofTenant(command: Command): Command {
  return command
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(
      new Option('--environment <name>', 'where it is used')
        .choices([...environments])
        .makeOptionMandatory(),
    )
    .option('--json', 'print JSON');
}
