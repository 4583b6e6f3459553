import type { ColumnDescription } from '@drawbridge/connectors/contract.ts';
import { type ProfileId, profileIds } from '@drawbridge/profiles/contract.ts';
import { type Command, Option } from 'commander';
import type { Edge } from '../edge.ts';
import type { Outcome, Table } from '../output.ts';
import { act, command, type Setting } from './command.ts';
import { askConnector, faulted } from './connector-use.ts';

interface Options {
  readonly profile?: ProfileId;
}

export function connectorMapCommand(edge: Edge): Command {
  const target = command({
    name: 'map',
    summary: 'Show the columns of a source, and where a profile would take each field from.',
    examples: [
      'drawbridge connector map erp',
      'drawbridge connector map erp --profile PINT-MY --json',
    ],
  })
    .argument('<name>', 'name of the connector')
    .addOption(new Option('--profile <id>', 'propose a mapping for it').choices(profileIds));
  return act(target, edge, map);
}

const sampleLengthMax = 40;

async function map(setting: Setting, { profile }: Options, name: string): Promise<Outcome> {
  const asked = await askConnector(setting, name, (one, signal) => one.describe(signal));
  if (asked.kind === 'failed') return asked;
  if (asked.value.kind === 'unreachable') return faulted(asked.value.fault);
  const { columns } = asked.value;
  if (profile !== undefined) return proposal(name, columns, profile);
  const rows = columns.map(({ section, origin, column, type, samples }) => {
    return [section, origin, column, type, (samples[0] ?? '').slice(0, sampleLengthMax)];
  });
  const head = ['section', 'origin', 'column', 'type', 'sample'];
  return { kind: 'done', data: { name, columns }, shown: { head, rows } };
}

/** For looking only: a mapping is kept and approved in the control plane. */
async function proposal(
  name: string,
  columns: readonly ColumnDescription[],
  profile: ProfileId,
): Promise<Outcome> {
  // The profiles are large; no other command waits for them.
  const { infer } = await import('@drawbridge/mapping/infer.ts');
  const { profileById } = await import('@drawbridge/profiles/registry.ts');
  const mapping = infer(columns, profileById(profile)!.fields);
  const rows = mapping.fields.map(({ target, from, value, confidence, reason }) => {
    const source = from ? `${from.section}.${from.column}` : `"${value}"`;
    return [target, source, `${Math.round((confidence ?? 0) * 100)} %`, reason ?? ''];
  });
  const shown: Table = { head: ['field', 'from', 'sure', 'why'], rows };
  return { kind: 'done', data: { name, profile, mapping }, shown };
}
