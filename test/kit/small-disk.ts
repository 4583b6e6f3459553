/** A file system of a few megabytes for tests of full disks. Only root may mount one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Frees what `fill` took. */
  empty(): void;
  resize(mebibytes: number): void;
  unmount(): void;
}

/** Undefined where this process may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'drawbridge-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
  try {
    mount(`size=${mebibytes}m`);
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      for (let bytes = mebibytes * 1_048_576; bytes >= 4_096; bytes /= 2) {
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(bytes, 1), { flag: 'a' });
        } catch {
          // Full for a piece of this size; a smaller one may still fit.
        }
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    resize: (size) => mount(`remount,size=${size}m`),
    unmount() {
      execFileSync('umount', ['-l', path], { stdio: 'ignore' });
      rmSync(path, { recursive: true });
    },
  };
}
