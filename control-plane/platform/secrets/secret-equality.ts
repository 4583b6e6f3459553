import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares two texts in constant time: the duration does not reveal how much of them is the same.
 */
export function isEqualSecret(offered: string | undefined, expected: string): boolean {
  if (offered === undefined) return false;
  const [left, right] = [offered, expected].map((each) =>
    createHash('sha256').update(each).digest(),
  );
  return timingSafeEqual(left!, right!);
}
