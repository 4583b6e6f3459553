import { ownCompany } from '../../company/signed-company.ts';
import { previewLocally } from '../../mapping/local-preview.ts';
import { previewDocuments } from '../../mapping/source.ts';
import { missingTable, previewParts, valueMapLines } from '../../mapping/tables.ts';
import { failed, type Outcome } from '../../outcome.ts';
import type { CommandContext } from '../command.ts';
import { mappingPlace, requireDraft, sampled } from './place.ts';

interface Options {
  readonly profile?: string;
  readonly documents: string;
}

/** What the newest documents would come to by the draft. */
export async function test(
  context: CommandContext,
  options: Options,
  name: string,
): Promise<Outcome> {
  const count = Number(options.documents);
  if (!Number.isInteger(count) || count < 1 || count > previewDocuments) {
    return failed('usage', `--documents is a number from 1 to ${previewDocuments}.`);
  }
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  const draft = requireDraft(found.place);
  if (draft.kind === 'failed') return draft;
  const read = await sampled(context, name, count);
  if (read.kind === 'failed') return read;
  const { home, profile } = found.place;
  const tried = { connector: name, profile, mapping: draft.mapping, company: ownCompany(home) };
  const preview = await previewLocally(tried, read.sample, context.runtime.clock());
  const { coverage, valueMaps, ...summary } = preview;
  const isWell = summary.documents.refused === 0 && summary.objections.length === 0;
  const data = {
    name,
    profile: profile.id,
    ...summary,
    missing: coverage.missing,
    value_maps: valueMaps,
  };
  const approve = `drawbridge mapping approve ${name} --profile ${profile.id}`;
  const next = isWell ? `Nothing stands against it. Next: ${approve}` : '';
  const shown = [
    ...previewParts(preview),
    ...(coverage.missing.length === 0 ? [] : [missingTable(coverage)]),
    ...(valueMaps.length === 0 ? [] : [valueMapLines(valueMaps)]),
    ...(next === '' ? [] : [next]),
  ];
  return { kind: 'done', data, shown, exit: isWell ? 'ok' : 'validation' };
}
