import { ownCompany } from '../../company/signed-company.ts';
import { previewLocally } from '../../mapping/local-preview.ts';
import { fileOf } from '../../mapping/mapping-file.ts';
import { proposeMapping } from '../../mapping/proposal.ts';
import { proposalDocuments } from '../../mapping/source.ts';
import { fieldsTable, missingTable, valueMapLines } from '../../mapping/tables.ts';
import type { Outcome } from '../../output.ts';
import type { CommandContext } from '../command.ts';
import { mappingPlace, requireDraft, sampled } from './place.ts';

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
  const { home, connector, profile, drafts } = found.place;
  const before = requireDraft(found.place);
  if (before.kind === 'failed' && before.error !== 'mapping_absent') return before;
  const read = await sampled(context, name, proposalDocuments);
  if (read.kind === 'failed') return read;
  const { sample } = read;
  const mapping = proposeMapping(
    sample,
    profile,
    before.kind === 'draft' ? before.mapping : undefined,
  );
  drafts.write(name, fileOf(mapping, profile, connector), 'draft');
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
    `${documents.passed} of ${documents.read} documents would pass. Next: drawbridge mapping test ${name}`,
  ];
  return { kind: 'done', data, shown };
}
