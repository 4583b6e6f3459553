import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** SOURCE_DATE_EPOCH, or the time of the last commit, in seconds: not when it happens to be built. */
export async function commitEpochSeconds(): Promise<number> {
  const given = process.env.SOURCE_DATE_EPOCH;
  const text =
    given ?? (await promisify(execFile)('git', ['log', '-1', '--format=%ct'])).stdout.trim();
  if (!/^\d{1,11}$/.test(text)) throw new Error('SOURCE_DATE_EPOCH is not a number of seconds');
  return Number(text);
}
