import { type Call, jsonObject, type Reply } from '../../../simulation/server.ts';
import type { StoredDocument } from './document.ts';
import type { Identity } from './people.ts';
import { problem } from './wire.ts';
import type { World } from './world.ts';

const reasonLengthMax = 300;

/** PUT state: the issuer cancels, the receiver asks for a rejection; each within its window. */
export function changeState(call: Call, caller: Identity, world: World): Reply {
  const body = jsonObject(call);
  const { status, reason } = body ?? {};
  if (status !== 'cancelled' && status !== 'rejected') {
    return problem(400, 'BadArgument', 'The status is cancelled or rejected.', 'status');
  }
  if (typeof reason !== 'string' || reason === '' || reason.length > reasonLengthMax) {
    return problem(400, 'BadArgument', 'A reason of at most 300 characters is needed.', 'reason');
  }
  const document = world.find(call.params.uuid);
  if (document === undefined) return problem(404, 'NotFound', 'No such document.');
  return status === 'cancelled'
    ? cancel(document, reason, caller, world)
    : requestRejection(document, reason, caller, world);
}

function cancel(document: StoredDocument, reason: string, caller: Identity, world: World): Reply {
  if (document.taxpayer !== caller.taxpayer) return problem(403, 'Forbidden', 'Not the issuer.');
  const obstacle = windowObstacle(document, world.switches.cancellationHours, world);
  if (obstacle !== undefined) return obstacle;
  const isReferenced = world.documents.some(
    (other) => other.status === 'Valid' && other.facts.references.includes(document.uuid),
  );
  if (isReferenced) {
    return problem(400, 'ActiveReferencingDocuments', 'Cancel the referencing documents first.');
  }
  document.status = 'Cancelled';
  document.cancelledAt = world.clock.now();
  document.statusReason = reason;
  return { status: 200, body: { uuid: document.uuid, status: 'Cancelled' } };
}

/** Also what the control API calls when a test plays the buyer. */
export function requestRejection(
  document: StoredDocument,
  reason: string,
  caller: Identity | 'buyer',
  world: World,
): Reply {
  if (
    caller !== 'buyer' &&
    caller.mayIssue !== '*' &&
    caller.mayIssue !== document.facts.buyer.tin
  ) {
    return problem(403, 'Forbidden', 'Not the receiver.');
  }
  const obstacle = windowObstacle(document, world.switches.rejectionHours, world);
  if (obstacle !== undefined) return obstacle;
  if (document.rejectRequestedAt !== undefined) {
    return problem(400, 'IncorrectState', 'A rejection has been requested before.');
  }
  document.rejectRequestedAt = world.clock.now();
  document.statusReason = reason;
  return { status: 200, body: { uuid: document.uuid, status: 'Requested for Rejection' } };
}

function windowObstacle(document: StoredDocument, hours: number, world: World): Reply | undefined {
  if (document.status !== 'Valid') {
    return problem(400, 'IncorrectState', `The document is ${document.status}.`);
  }
  const end = (document.validatedAt?.getTime() ?? 0) + hours * 3_600_000;
  return world.clock.now().getTime() > end
    ? problem(400, 'OperationPeriodOver', `The period of ${hours} hours is over.`)
    : undefined;
}
