import type { FlowEvent } from '@drawbridge/messaging/call-flow/machine.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Place, VoiceDesk } from '../desk.ts';
import { dialOver } from '../legs/progress.ts';
import { announce, record } from './progress.ts';
import type { CallRow } from './store.ts';

/**
 * Tells what came back to a document, for the list of events and the customer's webhooks; with the end
 * of a dial its legs are settled. Answers the call as it is after that; its row must be locked.
 */
export async function tellStep(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  event: FlowEvent,
  document: number,
): Promise<CallRow> {
  const at = desk.clock();
  if (event.kind === 'gathered' && event.digits !== '') {
    const data = { node: event.node, digits: event.digits };
    await record(desk, tx, place, call, { kind: 'dtmf', once: `dtmf/${document}`, data });
    await announce(desk, tx, place, call, 'call.dtmf', at, data);
  }
  if (event.kind !== 'dialed') return call;
  const { node, result } = event;
  const over = await dialOver(desk, tx, place, call, document, result);
  const { number: leg = null, to_address: to = null } = over.leg ?? {};
  const data = { node, result, leg, ...(to === null ? {} : { dialed: to }) };
  await record(desk, tx, place, call, { kind: 'transfer', once: `transfer/${document}`, data });
  await announce(desk, tx, place, over.call, 'call.transferred', at, data);
  return over.call;
}
