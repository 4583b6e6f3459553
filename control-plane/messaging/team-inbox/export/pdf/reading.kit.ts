import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Why a PDF cannot be read here, or undefined when it can. */
export function whyNoReader(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isThere = folders.some((folder) => {
    try {
      accessSync(join(folder, 'pdftotext'), constants.X_OK);
      return true;
    } catch {
      return false; // not in this folder
    }
  });
  return isThere ? undefined : 'poppler-utils is not installed (pdftotext)';
}

/** The text of a PDF file as poppler reads it, in the order of the file. */
export async function textOf(file: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pdf-'));
  try {
    const path = join(folder, 'file.pdf');
    await writeFile(path, file);
    const options = { maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)('pdftotext', [path, '-'], options);
    // Poppler puts direction marks around text that runs from right to left.
    return stdout.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  } finally {
    await rm(folder, { recursive: true });
  }
}
