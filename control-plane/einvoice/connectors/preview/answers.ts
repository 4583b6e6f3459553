import type { Approver } from '@drawbridge/mapping/approve.ts';
import { fingerprint } from '@drawbridge/mapping/fingerprint.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { fail } from '../../errors.ts';
import { findPreview, type KeptObjection, savePreview } from './store.ts';

/** Why somebody approves a mapping although something stands against it. */
export interface AcceptedObjection {
  readonly id: string;
  readonly reason: string;
}

/** A mapping that is about to be approved. */
export interface ApprovedMapping {
  readonly connectorId: string;
  readonly profile: string;
  readonly mapping: Mapping;
}

/**
 * Holds an approval to what the newest preview of the very same mapping objects to; returns what was
 * accepted. Throws `objections_open` when something is not answered.
 */
export async function answerObjections(
  tx: Tx,
  scope: TenantScope,
  { connectorId, profile, mapping }: ApprovedMapping,
  accepted: readonly AcceptedObjection[],
  { by, at }: Approver,
): Promise<readonly AcceptedObjection[]> {
  const kept = await findPreview(tx, scope, connectorId, profile);
  const isOfThis = kept?.fingerprint === fingerprint(mapping);
  const objections = isOfThis ? kept.objections : [];
  const unknown = accepted.filter(({ id }) => !objections.some((each) => each.id === id));
  if (unknown.length > 0) {
    throw fail(
      'mapping_invalid',
      `The newest preview of this mapping has no objection ${unknown.map(({ id }) => id).join(', ')}: ` +
        `preview it again with POST /v1/connectors/${connectorId}/mapping/preview?profile=${profile}.`,
    );
  }
  const reasons = new Map(accepted.map(({ id, reason }) => [id, reason]));
  const answered = objections.map((each): KeptObjection => {
    const reason = reasons.get(each.id);
    return reason === undefined ? each : { ...each, accepted: { by, at, reason } };
  });
  const open = answered.filter((each) => each.accepted === undefined);
  if (open.length > 0) throw objectionsOpen(open, connectorId, profile);
  if (accepted.length > 0 && kept !== undefined) {
    const row = { fingerprint: kept.fingerprint, objections: answered };
    await savePreview(tx, scope, connectorId, profile, row, new Date(at));
  }
  return accepted;
}

function objectionsOpen(open: readonly KeptObjection[], connectorId: string, profile: string) {
  const first = open[0]!.words;
  const more = open.length === 1 ? '' : ` There are ${open.length - 1} more, in "objections".`;
  return fail(
    'objections_open',
    `The preview of this mapping objects: ${first}${more} Change the mapping or the documents and preview again, or ` +
      `send POST /v1/connectors/${connectorId}/mapping/approve?profile=${profile} with "accepted_objections", a reason for each.`,
    { body: { objections: open } },
  );
}
