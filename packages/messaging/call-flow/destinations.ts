import { readEndpoint } from './endpoint.ts';
import type { CallFlow } from './flow.ts';
import { initialState } from './machine.ts';
import { fill } from './variables.ts';

/** A number that a flow may dial, with the longest duration. */
export interface Destination {
  /** E.164 */
  readonly number: string;
  readonly limitSeconds: number;
}

/**
 * Every number that the flow's dials name, with the call's values filled in. Digits that the caller
 * will press are not known yet, and SIP addresses are left out.
 */
export function destinationsOf(
  flow: CallFlow,
  values: Readonly<Record<string, string>>,
): readonly Destination[] {
  const known = initialState(flow, values).values;
  return Object.values(flow.nodes).flatMap((node) => {
    if (node.type !== 'dial') return [];
    return node.to.flatMap((to): Destination[] => {
      const endpoint = readEndpoint(fill(to, known).trim());
      if (endpoint?.kind !== 'number') return [];
      return [{ number: endpoint.e164, limitSeconds: node.limit_seconds }];
    });
  });
}
