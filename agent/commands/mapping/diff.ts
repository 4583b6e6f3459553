import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { approvedPart, readRemoteMapping } from '../../mapping/approval.ts';
import { mappingChanges } from '../../mapping/diff.ts';
import { mappingOf } from '../../mapping/mapping-file.ts';
import { changesTable } from '../../mapping/tables.ts';
import { type Failed, failed, type Outcome } from '../../outcome.ts';
import type { CommandContext } from '../command.ts';
import { type KeyOptions, withRemote } from '../remote.ts';
import { invalidFile, type MappingPlace, mappingPlace, requireDraft } from './place.ts';

interface Options extends KeyOptions {
  readonly profile?: string;
  readonly remote: boolean;
}

export async function diff(
  context: CommandContext,
  options: Options,
  name: string,
): Promise<Outcome> {
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  const draft = requireDraft(found.place);
  if (draft.kind === 'failed') return draft;
  const approved = options.remote
    ? await remotelyApproved(context, options, found.place)
    : locallyApproved(found.place);
  if (approved.kind === 'failed') return approved;
  const changes = mappingChanges(approved.mapping, draft.mapping);
  const profile = found.place.profile.id;
  const title = `${name}, ${profile}: the draft beside ${approved.words}.`;
  return { kind: 'done', data: { name, profile, changes }, shown: changesTable(changes, title) };
}

type Approved =
  | { readonly kind: 'approved'; readonly mapping: Mapping; readonly words: string }
  | Failed;

function locallyApproved({ drafts, connector, profile }: MappingPlace): Approved {
  const read = drafts.read(connector.name, profile.id, 'approved');
  if (read.kind === 'invalid') {
    return invalidFile(drafts.path(connector.name, profile.id, 'approved'), read);
  }
  if (read.kind === 'read') {
    return {
      kind: 'approved',
      mapping: mappingOf(read.file),
      words: 'what this agent approved last',
    };
  }
  return failed(
    'mapping_absent',
    `This agent has approved no mapping of "${connector.name}" for ${profile.id} yet: --remote compares with the control plane.`,
  );
}

async function remotelyApproved(
  context: CommandContext,
  options: KeyOptions,
  { home, connector, profile }: MappingPlace,
): Promise<Approved> {
  return withRemote(context, home, options, async ({ call, connectorOf }): Promise<Approved> => {
    const found = await connectorOf(connector.name);
    if (found.kind === 'failed') return found;
    const words = 'what is approved at the control plane';
    if (found.id === undefined) return { kind: 'approved', mapping: { fields: [] }, words };
    const place = { connectorId: found.id, profile: profile.id };
    const read = await readRemoteMapping(call, place);
    if (read.kind === 'failed') return read;
    return { kind: 'approved', mapping: approvedPart(read.value), words };
  });
}
