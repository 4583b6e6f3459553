/**
 * Some changes want the password again. The request that is refused for it waits until the person
 * has typed it, and is sent once more.
 */

import { noteAnswer } from './last-answer.ts';
import { tellAgain, tellOfPerson } from './person.ts';

/** Asks the person for the password; false when they would rather not. */
type AskForProof = () => Promise<boolean>;

let ask: AskForProof | undefined;
let asking: Promise<boolean> | undefined;

/** The dialog that asks. */
export function onProofNeeded(dialog: AskForProof): void {
  ask = dialog;
}

/** `fetch`, which sends a request again once the password was typed. */
export async function proven(request: Request): Promise<Response> {
  const isOfPerson = tellOfPerson(request);
  const again = request.clone();
  const response = await fetch(request).catch((error: unknown) => {
    if (isOfPerson) tellAgain();
    throw error;
  });
  if (isOfPerson) noteAnswer(response);
  if (response.status !== 403 || ask === undefined) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if ((body as { code?: string } | undefined)?.code !== 'proof_needed') return response;
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return (await asking) ? fetch(again) : response;
}
