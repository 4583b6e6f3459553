/** Addresses that one call's provider is given; each proves that it is ours, for this call alone. */
import { createHmac } from 'node:crypto';
import { isSame } from '../../../channels/proof.ts';
import type { OpenProvider } from '../providers/account.ts';
import type { CallRow } from './store.ts';

const proofLength = 32;

/** What stands for the node of a flow that has not begun. */
export const startNode = 'start';

/** Where the flow begins. */
export function answerUrlOf(open: OpenProvider, call: Pick<CallRow, 'id'>): string {
  const token = proofOf(open.flowKey, call.id, 0, startNode, 'answered');
  return `${flowBase(open, call.id, 0)}/${startNode}/answered?token=${token}`;
}

/** Where the answers to a call's document go; `count` is how many were given before. */
export function flowBase({ account }: OpenProvider, callId: string, count: number): string {
  return `${account.callbackUrl}flow/${callId}/${count}`;
}

/** Where a call's states or recordings are told. */
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

/** Whether the address of a flow is one that we gave out. */
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
  return isSame(token, proofOf(flowKey, at.call, at.count, at.node, at.event));
}
