import type { ColumnDescription, Connector } from '@drawbridge/connectors/contract.ts';
import type { Evidence } from '@drawbridge/mapping/infer.ts';
import { type Command, Option } from 'commander';
import { failed, type Outcome, type Table } from '../../output.ts';
import type { Runtime } from '../../runtime.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { askConnector, faulted } from './use.ts';

interface Options {
  readonly profile?: string;
}

export function connectorMapCommand(runtime: Runtime): Command {
  const target = command({
    name: 'map',
    summary: 'Show the columns of a source, and where a profile would take each field from.',
    examples: [
      'drawbridge connector map erp',
      'drawbridge connector map erp --profile PINT-MY --json',
    ],
  })
    .argument('<name>', 'name of the connector')
    .addOption(new Option('--profile <id>', 'propose a mapping for it'));
  return addAction(target, runtime, map);
}

const sampleLengthMax = 40;

async function map(context: CommandContext, { profile }: Options, name: string): Promise<Outcome> {
  const asked = await askConnector(context, name, (one, signal) => one.describe(signal));
  if (asked.kind === 'failed') return asked;
  if (asked.value.kind === 'unreachable') return faulted(asked.value.fault);
  const { columns, joins } = asked.value;
  if (profile !== undefined) {
    const read = await askConnector(context, name, newestDocuments);
    if (read.kind === 'failed') return read;
    return proposal(name, columns, profile, { documents: read.value, joins });
  }
  const rows = columns.map(({ section, origin, column, type, samples }) => {
    return [section, origin, column, type, (samples[0] ?? '').slice(0, sampleLengthMax)];
  });
  const head = ['section', 'origin', 'column', 'type', 'sample'];
  return { kind: 'done', data: { name, columns }, shown: { head, rows } };
}

/** Documents whose values and sums the proposal is made from. */
const documentsMax = 20;

async function newestDocuments(
  connector: Connector,
  signal: AbortSignal,
): Promise<NonNullable<Evidence['documents']>> {
  const test = await connector.test(signal);
  const refs = test.kind === 'ok' ? test.sampleRefs.slice(0, documentsMax) : [];
  const outcomes = await connector.readMany(refs, signal);
  return outcomes.flatMap((outcome) => (outcome.kind === 'found' ? [outcome.document] : []));
}

/** A mapping to look at; the control plane is where one is kept and approved. */
async function proposal(
  name: string,
  columns: readonly ColumnDescription[],
  profileId: string,
  evidence: Evidence,
): Promise<Outcome> {
  // Imported here, because the profiles are large and no other command needs them.
  const { infer } = await import('@drawbridge/mapping/infer.ts');
  const { profileById, profileIds } = await import('@drawbridge/profiles/registry.ts');
  const profile = profileById(profileId);
  if (profile === undefined) {
    return failed('usage', `--profile is one of ${profileIds.join(', ')}.`);
  }
  const mapping = infer(columns, profile.fields, evidence);
  const rows = mapping.fields.map(({ target, from, value, confidence, reason }) => {
    const source = from ? `${from.section}.${from.column}` : `"${value}"`;
    return [target, source, `${Math.round((confidence ?? 0) * 100)} %`, reason ?? ''];
  });
  const shown: Table = { head: ['field', 'from', 'sure', 'why'], rows };
  return { kind: 'done', data: { name, profile: profile.id, mapping }, shown };
}
