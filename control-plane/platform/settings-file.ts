import { readFile } from 'node:fs/promises';
import { fieldsOf, toldIssues, wordsOf } from '@drawbridge/input-faults/issue-words.ts';
import type { z } from 'zod';

/** A file that a setting names cannot be used; the message names setting, file and what is wrong there. */
class SettingsFileError extends Error {
  readonly code = 'settings_file';
}

/**
 * The content of the JSON file that a setting names, or that of an empty one where none is named:
 *
 *   const known = await readSettingsFile('AUTHORITIES_FILE', settings.authoritiesFile, schema);
 *
 * Its errors repeat nothing of the file, which may have credentials.
 */
export async function readSettingsFile<Schema extends z.ZodType>(
  setting: string,
  path: string | undefined,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (path === undefined) return schema.parse({});
  const refuse = (why: string): never => {
    throw new SettingsFileError(`${setting}: ${path} ${why}`);
  };
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) =>
    refuse(`cannot be read (${code})`),
  );
  const parsed = schema.safeParse(jsonOf(text) ?? refuse('is no JSON'));
  if (parsed.success) return parsed.data;
  const faults = toldIssues(parsed.error.issues).flatMap((issue) =>
    fieldsOf(issue).map((field) => `${field || 'the file'}: ${wordsOf(issue)}`),
  );
  return refuse(`is not as it should be:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
