import type { Tx } from '../../platform/db/tx.ts';

export interface SecondFactorRow {
  readonly sealed_secret: string;
  readonly confirmed_at: Date | null;
  readonly recovery_codes_left: number;
}

export function findSecondFactor(tx: Tx, userId: string): Promise<SecondFactorRow | undefined> {
  return tx.row(
    `select sealed_secret, confirmed_at, cardinality(recovery_hashes) as recovery_codes_left
     from second_factor where user_id = $1`,
    [userId],
  );
}

/** False when there is a confirmed one. */
export function beginSecondFactor(
  tx: Tx,
  userId: string,
  sealedSecret: string,
  now: Date,
): Promise<boolean> {
  return isDone(tx, 'begin_second_factor($1, $2, $3)', [userId, sealedSecret, now]);
}

export interface Confirmation {
  readonly sealedSecret: string;
  /** The time step of the code that confirms it. */
  readonly step: number;
  readonly recoveryHashes: readonly Buffer[];
  /** The session that stays; all others end. */
  readonly sessionId: string;
  readonly now: Date;
}

/** False when it is confirmed already, or another was begun meanwhile. */
export function confirmSecondFactor(
  tx: Tx,
  userId: string,
  { sealedSecret, step, recoveryHashes, sessionId, now }: Confirmation,
): Promise<boolean> {
  const values = [userId, sealedSecret, step, recoveryHashes, sessionId, now];
  return isDone(tx, 'confirm_second_factor($1, $2, $3, $4, $5, $6)', values);
}

/** False when the code of this time step, or of a later one, has been used. */
export function useStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  return isDone(tx, 'use_second_factor_step($1, $2)', [userId, step]);
}

/** False when there is no such code any more. */
export function useRecoveryCode(tx: Tx, userId: string, codeHash: Buffer): Promise<boolean> {
  return isDone(tx, 'use_recovery_code($1, $2)', [userId, codeHash]);
}

/** Puts new codes in the place of all earlier ones; false when there is no confirmed factor. */
export function renewRecoveryCodes(
  tx: Tx,
  userId: string,
  recoveryHashes: readonly Buffer[],
): Promise<boolean> {
  return isDone(tx, 'renew_recovery_codes($1, $2)', [userId, recoveryHashes]);
}

/** False when there is none. */
export function removeSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  return isDone(tx, 'remove_second_factor($1)', [userId]);
}

async function isDone(tx: Tx, call: string, values: unknown[]): Promise<boolean> {
  const row = await tx.row<{ is_done: boolean }>(`select ${call} as is_done`, values);
  return row!.is_done;
}
