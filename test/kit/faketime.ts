/** Clocks of processes that tests set: libfaketime of the host, loaded into them. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FakeTime {
  /** The environment of a process whose clock this is; timeouts go on at their own pace. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock to that many seconds off the host's, within a second. */
  jump(seconds: number): void;
}

/** A clock that a file tells; undefined where libfaketime is not installed. */
export function fakeTime(file: string): FakeTime | undefined {
  const library = readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path));
  if (library === undefined) return undefined;
  const jump = (seconds: number) => writeFileSync(file, seconds < 0 ? `${seconds}` : `+${seconds}`);
  jump(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    jump,
  };
}
