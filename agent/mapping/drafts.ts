import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { profileIds } from '@drawbridge/profiles/registry.ts';
import { writeDurably } from '../store/durable-file.ts';
import { textOfFile } from '../text-file.ts';
import {
  type MappingFile,
  type MappingFileOutcome,
  mappingFileText,
  readMappingFile,
} from './mapping-file.ts';

/** The mapping that is worked on, and the one that this agent had approved last. */
type MappingState = 'draft' | 'approved';

type DraftOutcome = MappingFileOutcome | { readonly kind: 'absent' };

/** The mappings in the home folder: `mappings/<connector>/<profile>.yaml`, and `.approved.yaml` beside it. */
export interface Drafts {
  /** Profiles for which the connector has a draft. */
  profiles(connector: string): readonly string[];
  read(connector: string, profile: string, state: MappingState): DraftOutcome;
  /** When this returns the file is on disk; after a crash it is the old or the new one. */
  write(connector: string, file: MappingFile, state: MappingState): void;
  /** Deletes one draft; what was approved stays. */
  removeDraft(connector: string, profile: string): void;
  /** Deletes all of a connector. */
  remove(connector: string): void;
  /** Where the file is, for people. */
  path(connector: string, profile: string, state: MappingState): string;
}

/** `home` is the agent's home folder, and names of connectors are checked names. */
export function openDrafts(home: string): Drafts {
  const folderOf = (connector: string) => join(home, 'mappings', connector);
  const path: Drafts['path'] = (connector, profile, state) =>
    join(folderOf(connector), `${profile}${state === 'draft' ? '' : '.approved'}.yaml`);
  return {
    path,
    profiles(connector) {
      if (!existsSync(folderOf(connector))) return [];
      const files = new Set(readdirSync(folderOf(connector)));
      return profileIds.filter((id) => files.has(`${id}.yaml`));
    },
    read(connector, profile, state) {
      const file = path(connector, profile, state);
      return existsSync(file)
        ? readMappingFile(textOfFile(readFileSync(file)))
        : { kind: 'absent' };
    },
    removeDraft: (connector, profile) => rmSync(path(connector, profile, 'draft'), { force: true }),
    remove: (connector) => rmSync(folderOf(connector), { recursive: true, force: true }),
    write(connector, file, state) {
      mkdirSync(folderOf(connector), { recursive: true, mode: 0o700 });
      const text = mappingFileText(file);
      writeDurably(path(connector, file.profile, state), Buffer.from(text));
    },
  };
}
