/** The call-back addresses of one call; each has a proof that we made it for this call. */
import { createHmac } from 'node:crypto';
import { isEqualSecret } from '../../../platform/secrets/secret-equality.ts';
import type { OpenProvider } from '../providers/account.ts';
import type { CallRow } from './store.ts';

const proofLength = 32;

/** Used in place of the node before the flow has begun. */
const startNode = 'start';

/** The address of the flow's first document. */
export function answerUrlOf(open: OpenProvider, call: Pick<CallRow, 'id'>): string {
  const token = proofOf(open.flowKey, call.id, 0, startNode, 'answered');
  return `${flowBase(open, call.id, 0)}/${startNode}/answered?token=${token}`;
}

/** The address for answers to a call's document; `count` is the number of earlier answers. */
export function flowBase({ account }: OpenProvider, callId: string, count: number): string {
  return `${account.callbackUrl}flow/${callId}/${count}`;
}

/** The address at which the provider reports a call's status or recordings. */
export function callUrlOf({ account }: OpenProvider, callId: string, what: string): string {
  return `${account.callbackUrl}calls/${callId}/${what}/`;
}

export function proofOf(
  flowKey: string,
  callId: string,
  count: number,
  node: string,
  event: string,
): string {
  const text = `${callId}/${count}/${node}/${event}`;
  return createHmac('sha256', flowKey).update(text).digest('hex').slice(0, proofLength);
}

/** Whether we made this address of a flow. */
export function isProven(
  flowKey: string,
  at: {
    readonly call: string;
    readonly count: number;
    readonly node: string;
    readonly event: string;
  },
  token: string | undefined,
): boolean {
  return isEqualSecret(token, proofOf(flowKey, at.call, at.count, at.node, at.event));
}
