/** What an agent remembers of the versions that it has been, in its home folder. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '@drawbridge/connectors/make-folder.ts';
import { compareVersions, versionPattern } from '@drawbridge/release/version.ts';
import { z } from 'zod';
import { writeDurably } from '../store/durable-file.ts';

const version = z.string().regex(versionPattern);
const schema = z.object({
  /** The newest ever installed: nothing older is taken as an upgrade. */
  seen: version.optional(),
  /** The last that was linked, or ran long enough. */
  well: version.optional(),
  /** The newest rules ever imported: no older ones are taken. */
  rules: version.optional(),
});
type Versions = z.infer<typeof schema>;

export interface KnownVersions {
  read(): Versions;
  /** An upgrade to the version begins: whether it is well has to show again. */
  begin(version: string): void;
  /** The running version works. */
  setWell(version: string): void;
  /** Rules of the version are imported. */
  setRules(version: string): void;
}

export function openKnownVersions(home: string): KnownVersions {
  const file = join(home, 'versions.json');
  const read = (): Versions => {
    try {
      return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? {};
    } catch {
      return {}; // not written yet, or by somebody else: then the installed version alone counts
    }
  };
  const write = (versions: Versions) =>
    asOwnerOf(home, () => writeDurably(file, Buffer.from(`${JSON.stringify(versions)}\n`)));
  return {
    read,
    begin(version) {
      const { seen, well, ...others } = read();
      write({ ...others, seen: newer(seen, version), ...(well !== version && { well }) });
    },
    setWell(version) {
      const { seen, well, ...others } = read();
      if (well !== version) write({ ...others, seen: newer(seen, version), well: version });
    },
    setRules(version) {
      const { rules, ...others } = read();
      write({ ...others, rules: newer(rules, version) });
    },
  };
}

function newer(a: string | undefined, b: string): string {
  return a !== undefined && compareVersions(a, b) > 0 ? a : b;
}

/**
 * Makes the home folder when there is none yet: an agent can be upgraded before it is enrolled. It belongs to
 * whom the folder above belongs, who is to use it.
 */
export function makeHomeFolder(home: string): void {
  let above = dirname(home);
  while (!existsSync(above)) above = dirname(above);
  asOwnerOf(above, () => makeFolder(home, 0o700));
}

/**
 * Does something with the rights of a folder's owner alone, also when root asks: in a folder that
 * somebody else may change, root could be led to write anywhere.
 */
export function asOwnerOf<T>(folder: string, work: () => T): T {
  const { uid, gid } = statSync(folder);
  if (process.geteuid?.() !== 0 || uid === 0) return work();
  process.setegid!(gid);
  process.seteuid!(uid);
  try {
    return work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}
