import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds of CPU that Saxon takes for a document. */
export interface SaxonTimes {
  /** To parse it and hold it against the published rules. */
  readonly whole: number;
  readonly parse: number;
}

/** Where Saxon-HE stands, and the published rules that it is to judge by. */
export interface Saxon {
  readonly jar: string;
  /** With `<profile>/schematron`. */
  readonly authority: string;
}

/** Runs Saxon over documents that it must find right, one after the other: half a minute for each. */
export function saxonTimes(
  { jar, authority }: Saxon,
  profile: string,
  documents: readonly string[],
): readonly SaxonTimes[] {
  const home = mkdtempSync(join(tmpdir(), 'bench-saxon-'));
  try {
    const files = documents.map((xml, index) => {
      const file = join(home, `${index}.xml`);
      writeFileSync(file, xml);
      return file;
    });
    const from = join(import.meta.dirname, 'saxon');
    const judge = ['-cp', jar, join(from, 'Judge.java'), join(from, 'schematron.xsl')];
    const rules = schematrons(join(authority, profile, 'schematron'));
    const output = execFileSync('java', [...judge, ...rules, '--', ...files], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim().split('\n').map(timesOf);
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Those of invoices that the seller writes. */
function schematrons(folder: string): string[] {
  const billing = join(folder, 'billing');
  const home = existsSync(billing) ? billing : folder;
  const names = readdirSync(home).filter((name) => name.endsWith('.sch'));
  return names.filter((name) => !name.endsWith('-SB.sch')).map((name) => join(home, name));
}

function timesOf(line: string): SaxonTimes {
  const { whole, parse, fired } = JSON.parse(line) as SaxonTimes & { readonly fired: string };
  // A document that is judged otherwise is no yardstick.
  if (fired !== '') throw new Error(`Saxon finds the sample wrong: ${fired}`);
  return { whole, parse };
}
