import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, in time that does not tell how much of them is. */
export function isSame(offered: string | undefined, expected: string): boolean {
  if (offered === undefined) return false;
  const [left, right] = [offered, expected].map((each) =>
    createHash('sha256').update(each).digest(),
  );
  return timingSafeEqual(left!, right!);
}
