import type { MappingField } from '@drawbridge/mapping/mapping.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { findMaker } from '../../../platform/auth/store.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { fail } from '../../errors.ts';
import { findApprovalPolicy } from './store.ts';

/**
 * Who acts: a person, or the key of nobody in particular, such as the first one of an installation, or one whose
 * maker is no member any more.
 */
export async function actorOf(tx: Tx, { tenantId, id, sessionId }: Principal): Promise<string> {
  if (sessionId !== undefined) return id;
  return (await findMaker(tx, tenantId, id)) ?? id;
}

/** Whether it is a person who acts, and no key of nobody in particular. */
export function isPerson(actor: string): boolean {
  return actor.startsWith('usr_');
}

/**
 * Where two people are asked for, refuses the approval of fields by a key that no person made, by whoever has put
 * them forward, and as long as no person has. Throws `second_person_needed` or `person_required`.
 */
export async function requireSecondPerson(
  tx: Tx,
  tenantId: string,
  approver: string,
  approved: readonly MappingField[],
): Promise<void> {
  const { mappings } = await findApprovalPolicy(tx, tenantId);
  if (mappings === 'one') return;
  requirePerson(approver);
  const own = approved.find(({ proposed_by: by }) => by === approver);
  if (own !== undefined) {
    throw fail(
      'second_person_needed',
      `You have put ${own.target} forward, yourself or with a key that you made: another person with the ` +
        'permission mappings:approve has to approve it.',
    );
  }
  const nobodys = approved.find(({ proposed_by: by }) => by === undefined || !isPerson(by));
  if (nobodys !== undefined) {
    throw fail(
      'second_person_needed',
      `No person has put ${nobodys.target} forward: one sends the mapping (PUT), and another one approves it.`,
    );
  }
}

/** When documents are submitted by themselves, and what they wait for. */
interface Submitting {
  readonly submitFrom: string | null | undefined;
  readonly hold: 'release' | 'approval' | undefined;
}

/** How submitting changes, and who last changed it in the live environment. */
interface SubmittingChange {
  readonly before: Submitting;
  readonly after: Submitting;
  readonly setBy: string | null;
}

/**
 * Where two people are asked for, documents are submitted by themselves once one person has begun it with a
 * hold, and another one has ended the hold. Throws `second_person_needed` or `person_required`.
 */
export async function requireSecondForSubmitting(
  tx: Tx,
  tenantId: string,
  actor: string,
  { before, after, setBy }: SubmittingChange,
): Promise<void> {
  if (!isUnattended(after) || isUnattended(before)) return;
  const { live_submission: people } = await findApprovalPolicy(tx, tenantId);
  if (people === 'one') return;
  requirePerson(actor);
  // Behind a key of nobody could be the very person who ends the hold.
  const isBegun = typeof before.submitFrom === 'string' && setBy !== null && isPerson(setBy);
  if (isBegun && actor !== setBy) return;
  throw fail(
    'second_person_needed',
    isBegun
      ? 'You set last how its documents are submitted: another person has to end the hold.'
      : 'As a person, begin with a hold ("submission": {"hold": "release"}), so that documents wait; then another person ends it.',
  );
}

function isUnattended({ submitFrom, hold }: Submitting): boolean {
  return typeof submitFrom === 'string' && hold === undefined;
}

function requirePerson(actor: string): void {
  if (isPerson(actor)) return;
  throw fail(
    'person_required',
    'Two people are asked for: do it as a person who has signed in, or with a key that a person made.',
  );
}
