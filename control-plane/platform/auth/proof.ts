import { commonFail } from '../http/errors.ts';
import type { Principal } from './principal.ts';

/** How long somebody who showed who they are, in a browser, may change what needs a proof. */
const proofLifeMs = 10 * 60_000;

/** Throws `proof_needed` when a person in a browser has not shown lately who they are. */
export function requireProof({ provenAt }: Principal, now: Date): void {
  if (provenAt === undefined || now.getTime() - provenAt.getTime() <= proofLifeMs) return;
  throw commonFail(
    'proof_needed',
    'Show first that it is still you: POST /v1/session/proof with your password, or ' +
      'POST /v1/sign-in/proof where a provider signs you in.',
  );
}
