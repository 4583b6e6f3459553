import { fieldsTable } from '../../mapping/tables.ts';
import { failed, type Outcome } from '../../output.ts';
import type { CommandContext } from '../command.ts';
import { askConnector, faulted } from '../connector/use.ts';
import { mappingPlace, requireDraft } from './place.ts';

interface Options {
  readonly profile?: string;
  readonly source: boolean;
}

export async function show(
  context: CommandContext,
  options: Options,
  name: string,
): Promise<Outcome> {
  if (options.source) return showSource(context, name);
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  const draft = requireDraft(found.place);
  if (draft.kind === 'failed') return draft;
  const { profile, drafts } = found.place;
  const path = drafts.path(name, profile.id, 'draft');
  const data = { name, profile: profile.id, draft: path, mapping: draft.mapping };
  const company = draft.file.company ?? [];
  const left = company.length === 0 ? '' : `Left to the company profile: ${company.join(', ')}.\n`;
  return {
    kind: 'done',
    data,
    shown: [
      fieldsTable(draft.mapping, `Draft for ${name}, ${profile.title}:`),
      `${left}Draft: ${path}`,
    ],
  };
}

const sampleLengthMax = 40;

async function showSource(context: CommandContext, name: string): Promise<Outcome> {
  const asked = await askConnector(context, name, (one, signal) => one.describe(signal));
  if (asked.kind === 'failed') return failed(asked.error, asked.cause);
  if (asked.value.kind === 'unreachable') return faulted(asked.value.fault);
  const { columns, joins } = asked.value;
  const rows = columns.map(({ section, origin, column, type, samples }) => {
    return [section, origin, column, type, (samples[0] ?? '').slice(0, sampleLengthMax)];
  });
  const head = ['section', 'origin', 'column', 'type', 'sample'];
  return { kind: 'done', data: { name, columns, joins }, shown: { head, rows } };
}
