import { profileById } from '@drawbridge/profiles/registry.ts';
import { openDrafts } from '../../mapping/drafts.ts';
import { fileOf, mappingOf, readMappingFile } from '../../mapping/mapping-file.ts';
import { fieldsTable } from '../../mapping/tables.ts';
import type { Outcome } from '../../outcome.ts';
import { exclusively } from '../../store/lock.ts';
import { textOfFile } from '../../text-file.ts';
import type { CommandContext } from '../command.ts';
import { findConnector } from '../connector/stored-connector.ts';
import { readDocument } from '../read-document.ts';
import { invalidFile } from './place.ts';

/** More bytes than a mapping's file may have characters. */
const bytesMax = 4_000_000;

export async function importMapping(
  context: CommandContext,
  _options: object,
  name: string,
  file: string,
): Promise<Outcome> {
  const found = findConnector(context, name);
  if (found.kind === 'failed') return found.outcome;
  const { home, connector } = found;
  const document = await readDocument(file, bytesMax, context.runtime);
  if (document.kind === 'failed') return document;
  const read = readMappingFile(textOfFile(document.bytes));
  if (read.kind === 'invalid') return invalidFile(file === '-' ? 'Standard input' : file, read);
  const mapping = mappingOf(read.file);
  const profile = profileById(read.file.profile)!;
  const own = fileOf(mapping, profile, connector);
  const drafts = openDrafts(home.path);
  exclusively(home.path, () => drafts.write(name, own, 'draft'));
  const notes = differences(read.file.source, own.source);
  const data = { name, profile: profile.id, fields: mapping.fields.length, notes };
  const next = `Next: drawbridge mapping test ${name} --profile ${profile.id}`;
  const title = `Draft for ${name}, ${profile.title}, from a file:`;
  return {
    kind: 'done',
    data,
    shown: [fieldsTable(mapping, title), [...notes, next].join('\n')],
  };
}

interface Source {
  readonly kind: string;
  readonly sections?: Readonly<Record<string, unknown>> | undefined;
}

/** What the connector has otherwise than the one that the file was made with. */
function differences(theirs: Source, ours: Source): readonly string[] {
  const notes: string[] = [];
  if (theirs.kind !== ours.kind) {
    notes.push(`The file was made with a source of kind ${theirs.kind}; this one is ${ours.kind}.`);
  }
  const names = Object.keys(theirs.sections ?? {}).filter((section) => {
    return JSON.stringify(theirs.sections?.[section]) !== JSON.stringify(ours.sections?.[section]);
  });
  if (names.length > 0) {
    notes.push(
      `The settings of this connector say something else of the sections ${names.join(', ')}.`,
    );
  }
  return notes;
}
