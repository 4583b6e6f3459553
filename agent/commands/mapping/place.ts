import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profileById, profileIds } from '@drawbridge/profiles/registry.ts';
import { type Drafts, openDrafts } from '../../mapping/drafts.ts';
import {
  type MappingFile,
  type MappingFileOutcome,
  mappingOf,
} from '../../mapping/mapping-file.ts';
import { type SourceSample, sampleSource } from '../../mapping/source.ts';
import { type Failed, failed } from '../../outcome.ts';
import type { ConfiguredConnector } from '../../store/connectors.ts';
import type { Home } from '../../store/home.ts';
import type { CommandContext } from '../command.ts';
import { askConnector, faulted } from '../connector/source-calls.ts';
import { findConnector } from '../connector/stored-connector.ts';

/** One connector for one profile, with where its drafts are kept. */
export interface MappingPlace {
  readonly home: Home;
  readonly connector: ConfiguredConnector;
  readonly profile: Profile;
  readonly drafts: Drafts;
}

type FoundPlace = { readonly kind: 'place'; readonly place: MappingPlace } | Failed;

/** The connector of that name for the profile that is wanted, or that of its only draft. */
export function mappingPlace(
  context: CommandContext,
  name: string,
  wanted: string | undefined,
): FoundPlace {
  const found = findConnector(context, name);
  if (found.kind === 'failed') return found.outcome;
  const { home, connector } = found;
  const drafts = openDrafts(home.path);
  const known = drafts.profiles(name);
  if (wanted === undefined && known.length === 0) return absent(name);
  const id = wanted ?? (known.length === 1 ? known[0] : undefined);
  if (id === undefined)
    return failed('usage', `Give --profile: there are drafts for ${known.join(', ')}.`);
  const profile = profileById(id);
  if (profile === undefined)
    return failed('usage', `--profile is one of ${profileIds.join(', ')}.`);
  return { kind: 'place', place: { home, connector, profile, drafts } };
}

type FoundDraft =
  | { readonly kind: 'draft'; readonly file: MappingFile; readonly mapping: Mapping }
  | Failed;

/** The draft of the place. */
export function requireDraft({ drafts, connector, profile }: MappingPlace): FoundDraft {
  const read = drafts.read(connector.name, profile.id, 'draft');
  const path = drafts.path(connector.name, profile.id, 'draft');
  if (read.kind === 'absent') return absentFor(connector.name, profile, drafts);
  if (read.kind === 'invalid') return invalidFile(path, read);
  return { kind: 'draft', file: read.file, mapping: mappingOf(read.file) };
}

export function invalidFile(
  path: string,
  { causes }: Extract<MappingFileOutcome, { kind: 'invalid' }>,
): Failed {
  return failed('mapping_file_invalid', `${path}: ${causes.join('; ').replace(/\.$/, '')}.`);
}

type Sampled = { readonly kind: 'sampled'; readonly sample: SourceSample } | Failed;

/** The columns and the newest documents of a connector. */
export async function sampled(
  context: CommandContext,
  name: string,
  count: number,
): Promise<Sampled> {
  const asked = await askConnector(context, name, (connector, signal) =>
    sampleSource(connector, count, signal),
  );
  if (asked.kind === 'failed') return asked;
  if (asked.value.kind === 'sampled') return asked.value;
  return faulted(asked.value.fault);
}

function absentFor(name: string, { id }: Profile, drafts: Drafts): Failed {
  const others = drafts.profiles(name);
  if (others.length === 0) return absent(name);
  const cause = `"${name}" has no draft of a mapping for ${id} yet, but for ${others.join(', ')}.`;
  return failed('mapping_absent', cause);
}

function absent(name: string): Failed {
  return failed('mapping_absent', `"${name}" has no draft of a mapping yet.`);
}
