import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { ownCompany } from '../../company/signed-company.ts';
import { previewLocally } from '../../mapping/local-preview.ts';
import { fileOf } from '../../mapping/mapping-file.ts';
import { proposeMapping } from '../../mapping/proposal.ts';
import { proposalDocuments, type SourceSample } from '../../mapping/source.ts';
import { fieldsTable, missingTable, valueMapLines } from '../../mapping/tables.ts';
import type { Failed, Outcome } from '../../outcome.ts';
import { exclusively } from '../../store/lock.ts';
import type { CommandContext } from '../command.ts';
import { type MappingPlace, mappingPlace, requireDraft, sampled } from './place.ts';

interface Options {
  readonly profile?: string;
}

/** Proposes a mapping, keeps it as the draft and says what is open. */
export async function infer(
  context: CommandContext,
  options: Options,
  name: string,
): Promise<Outcome> {
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  const { home, profile, drafts } = found.place;
  const before = requireDraft(found.place);
  if (before.kind === 'failed' && before.error !== 'mapping_absent') return before;
  const read = await sampled(context, name, proposalDocuments);
  if (read.kind === 'failed') return read;
  const { sample } = read;
  // Reading takes a while, in which the draft may have been changed.
  const proposed = exclusively(home.path, () => proposeOver(found.place, sample));
  if ('kind' in proposed) return proposed;
  const { mapping } = proposed;
  const tried = { connector: name, profile, mapping, company: ownCompany(home) };
  const preview = await previewLocally(tried, sample, context.runtime.clock());
  const { coverage, valueMaps, documents } = preview;
  const data = {
    name,
    profile: profile.id,
    draft: drafts.path(name, profile.id, 'draft'),
    mapping,
    value_maps: valueMaps,
    missing: coverage.fields
      .filter(({ state }) => state === 'missing')
      .map(({ path, name: label, help }) => ({ path, name: label, help })),
    documents,
  };
  const shown = [
    fieldsTable(mapping, `Proposed for ${name}, ${profile.title}:`),
    ...(valueMaps.length === 0 ? [] : [valueMapLines(valueMaps)]),
    missingTable(coverage),
    `${documents.passed} of ${documents.read} documents would pass. Next: drawbridge mapping test ${name} --profile ${profile.id}`,
  ];
  return { kind: 'done', data, shown };
}

/** Proposes beside what a person decided, and keeps it as the draft. */
function proposeOver(
  place: MappingPlace,
  sample: SourceSample,
): { readonly mapping: Mapping } | Failed {
  const { connector, profile, drafts } = place;
  const draft = requireDraft(place);
  if (draft.kind === 'failed' && draft.error !== 'mapping_absent') return draft;
  const known = draft.kind === 'draft' ? draft.mapping : undefined;
  const mapping = proposeMapping(sample, profile, known);
  drafts.write(connector.name, fileOf(mapping, profile, connector), 'draft');
  return { mapping };
}
