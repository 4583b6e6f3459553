import type { Db } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { findSecondFactor, useRecoveryCode, useStep } from './store.ts';
import { stepOf } from './totp.ts';

export interface SecondFactorContext {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly clock: Clock;
}

/** What a code says of its person; `unneeded`: the person has no second factor. */
export type CodeVerdict = 'right' | 'wrong' | 'missing' | 'unneeded';

/** Checks a code by time or a recovery code, and uses it up. */
export async function checkCode(
  { db, secrets, clock }: SecondFactorContext,
  userId: string,
  code: string | undefined,
): Promise<CodeVerdict> {
  const factor = await db.system((tx) => findSecondFactor(tx, userId));
  if (!factor?.confirmed_at) return 'unneeded';
  if (code === undefined) return 'missing';
  const typed = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(typed)) {
    const codeHash = hashOfRecoveryCode(typed);
    const isUsed = await db.system((tx) => useRecoveryCode(tx, userId, codeHash));
    return isUsed ? 'right' : 'wrong';
  }
  const step = stepOf(secrets.open(factor.sealed_secret, userId), typed, clock());
  if (step === undefined) return 'wrong';
  return (await db.system((tx) => useStep(tx, userId, step))) ? 'right' : 'wrong';
}
