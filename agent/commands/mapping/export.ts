import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type MappingFile, mappingFileText } from '../../mapping/mapping-file.ts';
import { failed, type Outcome, unwritable } from '../../outcome.ts';
import type { CommandContext } from '../command.ts';
import { invalidFile, mappingPlace, requireDraft } from './place.ts';

interface Options {
  readonly profile?: string;
  readonly approved: boolean;
}

export async function exportMapping(
  context: CommandContext,
  options: Options,
  name: string,
  file: string,
): Promise<Outcome> {
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  const { drafts, profile } = found.place;
  const read = options.approved
    ? drafts.read(name, profile.id, 'approved')
    : requireDraft(found.place);
  if (read.kind === 'failed') return read;
  if (read.kind === 'absent') {
    return failed('mapping_absent', `This agent has approved no mapping of "${name}" yet.`);
  }
  if (read.kind === 'invalid') return invalidFile(drafts.path(name, profile.id, 'approved'), read);
  const text = mappingFileText(read.file);
  if (file === '-') return printed(context, read.file, text);
  const path = resolve(file);
  try {
    writeFileSync(path, text);
  } catch (error) {
    return unwritable(path, error);
  }
  const fields = read.file.fields.length;
  return { kind: 'done', data: { file: path, fields }, shown: `${path}: ${fields} fields.` };
}

/** Byte for byte: it goes into a file, and what is shown to people leaves out what acts on a terminal. */
function printed({ output, runtime }: CommandContext, data: MappingFile, text: string): Outcome {
  if (output.json) return { kind: 'done', data };
  runtime.stdout.write(text);
  return { kind: 'printed' };
}
