import { readEndpoint } from './endpoint.ts';
import type { CallFlow } from './flow.ts';
import { begin } from './machine.ts';
import { fill } from './variables.ts';

/** A number that a flow may dial, and for how long at most. */
export interface Destination {
  /** E.164 */
  readonly number: string;
  readonly limitSeconds: number;
}

/**
 * Every number that the flow's dials name, given the call's values. What the caller is yet to press
 * is not known; SIP addresses are no numbers.
 */
export function destinationsOf(
  flow: CallFlow,
  values: Readonly<Record<string, string>>,
): readonly Destination[] {
  const known = begin(flow, values).values;
  return Object.values(flow.nodes).flatMap((node) => {
    if (node.type !== 'dial') return [];
    return node.to.flatMap((to): Destination[] => {
      const endpoint = readEndpoint(fill(to, known).trim());
      if (endpoint?.kind !== 'number') return [];
      return [{ number: endpoint.e164, limitSeconds: node.limit_seconds }];
    });
  });
}
