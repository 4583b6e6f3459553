import { findOwnAccount } from '../accounts/password-store.ts';
import { isPassword } from '../accounts/passwords.ts';
import { countTry } from '../accounts/sign-in.ts';
import { type AccountRow, forgetSignIn } from '../accounts/store.ts';
import { fail } from '../errors.ts';
import type { OwnSession } from '../sessions/own-session.ts';
import { checkCode, type SecondFactorContext } from './second-factor.ts';

/** Whoever found an open session does not have the password: it is asked for again. */
export async function prove(
  { db, clock }: SecondFactorContext,
  { tenantId, userId, sessionId }: OwnSession,
  typed: string,
): Promise<{ readonly userId: string; readonly account: AccountRow }> {
  const keys = [`session ${sessionId}`];
  await countTry({ db, clock }, keys);
  const account = await db.tenant(tenantId, (tx) => findOwnAccount(tx, userId));
  const isRight = await isPassword(typed, account?.password_hash);
  if (!account || !isRight) throw fail('wrong_password', 'This is not your password.');
  await db.system((tx) => forgetSignIn(tx, keys));
  return { userId, account };
}

/** By the password and a code; `isGuarded`: there is a second factor, whose code it was. */
export async function proveBoth(
  context: SecondFactorContext,
  session: OwnSession,
  typed: { readonly password: string; readonly code?: string | undefined },
): Promise<{ readonly userId: string; readonly isGuarded: boolean }> {
  const { userId } = await prove(context, session, typed.password);
  const keys = [`session ${session.sessionId}`];
  await countTry(context, keys);
  const verdict = await checkCode(context, userId, typed.code);
  if (verdict === 'wrong') throw wrongCode();
  if (verdict === 'missing') throw codeNeeded();
  await context.db.system((tx) => forgetSignIn(tx, keys));
  return { userId, isGuarded: verdict === 'right' };
}

export function wrongCode() {
  return fail('wrong_code', 'This code is wrong, was used before, or is over: take the next one.');
}

export function codeNeeded() {
  return fail(
    'second_factor_required',
    'Send as `code` too what your authenticator app shows, or a recovery code.',
  );
}
