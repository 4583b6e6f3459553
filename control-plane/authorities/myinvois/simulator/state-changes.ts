import { type Call, jsonObject, type Reply } from '../../../simulation/server.ts';
import type { StoredDocument } from './document.ts';
import { errorResponse } from './error-response.ts';
import type { Identity } from './identities.ts';
import type { SimulatorState } from './state.ts';

const reasonLengthMax = 300;

/** PUT state: the issuer cancels, the receiver asks for a rejection; each within its window. */
export function changeState(call: Call, caller: Identity, state: SimulatorState): Reply {
  const body = jsonObject(call);
  const { status, reason } = body ?? {};
  if (status !== 'cancelled' && status !== 'rejected') {
    return errorResponse(400, 'BadArgument', 'The status is cancelled or rejected.', 'status');
  }
  if (typeof reason !== 'string' || reason === '' || reason.length > reasonLengthMax) {
    return errorResponse(
      400,
      'BadArgument',
      'A reason of at most 300 characters is needed.',
      'reason',
    );
  }
  const document = state.find(call.params.uuid);
  if (document === undefined) return errorResponse(404, 'NotFound', 'No such document.');
  return status === 'cancelled'
    ? cancel(document, reason, caller, state)
    : requestRejection(document, reason, caller, state);
}

function cancel(
  document: StoredDocument,
  reason: string,
  caller: Identity,
  state: SimulatorState,
): Reply {
  if (document.taxpayer !== caller.taxpayer)
    return errorResponse(403, 'Forbidden', 'Not the issuer.');
  const obstacle = windowObstacle(document, state.switches.cancellationHours, state);
  if (obstacle !== undefined) return obstacle;
  const isReferenced = state.documents.some(
    (other) => other.status === 'Valid' && other.facts.references.includes(document.uuid),
  );
  if (isReferenced) {
    return errorResponse(
      400,
      'ActiveReferencingDocuments',
      'Cancel the referencing documents first.',
    );
  }
  document.status = 'Cancelled';
  document.cancelledAt = state.clock.now();
  document.statusReason = reason;
  return { status: 200, body: { uuid: document.uuid, status: 'Cancelled' } };
}

/** Requests a rejection; the control API calls it too. */
export function requestRejection(
  document: StoredDocument,
  reason: string,
  caller: Identity | 'buyer',
  state: SimulatorState,
): Reply {
  if (
    caller !== 'buyer' &&
    caller.mayIssue !== '*' &&
    caller.mayIssue !== document.facts.buyer.tin
  ) {
    return errorResponse(403, 'Forbidden', 'Not the receiver.');
  }
  const obstacle = windowObstacle(document, state.switches.rejectionHours, state);
  if (obstacle !== undefined) return obstacle;
  if (document.rejectRequestedAt !== undefined) {
    return errorResponse(400, 'IncorrectState', 'A rejection has been requested before.');
  }
  document.rejectRequestedAt = state.clock.now();
  document.statusReason = reason;
  return { status: 200, body: { uuid: document.uuid, status: 'Requested for Rejection' } };
}

function windowObstacle(
  document: StoredDocument,
  hours: number,
  state: SimulatorState,
): Reply | undefined {
  if (document.status !== 'Valid') {
    return errorResponse(400, 'IncorrectState', `The document is ${document.status}.`);
  }
  const end = (document.validatedAt?.getTime() ?? 0) + hours * 3_600_000;
  return state.clock.now().getTime() > end
    ? errorResponse(400, 'OperationPeriodOver', `The period of ${hours} hours is over.`)
    : undefined;
}
