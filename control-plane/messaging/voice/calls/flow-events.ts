import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { CallTransaction } from '../context.ts';
import { endDial } from '../legs/leg-updates.ts';
import { addCallEvent, addCallWebhook } from './call-updates.ts';
import type { CallRow } from './store.ts';

/**
 * Records an answer to a document in the list of events and the customer's webhooks; the end of a
 * dial also settles its legs. Returns the call after it; the call's row must be locked.
 */
export async function recordFlowEvent(
  { context, tx, scope, call }: CallTransaction,
  event: FlowEvent,
  document: number,
): Promise<CallRow> {
  const at = context.clock();
  if (event.kind === 'gathered' && event.digits !== '') {
    const data = { node: event.node, digits: event.digits };
    await addCallEvent(context, tx, scope, call, { kind: 'dtmf', once: `dtmf/${document}`, data });
    await addCallWebhook({ context, tx, scope, call }, 'call.dtmf', at, data);
  }
  if (event.kind !== 'dialed') return call;
  const { node, result } = event;
  const over = await endDial({ context, tx, scope, call }, document, result);
  const { number: leg = null, to_address: to = null } = over.leg ?? {};
  const data = { node, result, leg, ...(to === null ? {} : { dialed: to }) };
  await addCallEvent(context, tx, scope, call, {
    kind: 'transfer',
    once: `transfer/${document}`,
    data,
  });
  await addCallWebhook({ context, tx, scope, call: over.call }, 'call.transferred', at, data);
  return over.call;
}
