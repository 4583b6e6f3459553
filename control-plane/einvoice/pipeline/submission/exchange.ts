import { type AuthorityEndpoint, type Exchange, WireFault } from '../../../authorities/contract.ts';
import type { RequestEnd } from '../../../platform/metrics/request-times.ts';
import { operatorNamed } from '../../../platform/outbound/address.ts';
import type { OutboundClient, OutboundLimits } from '../../../platform/outbound/client.ts';

/** How long one exchange may take, and how much of an answer is read. */
export const exchangeLimits = {
  connectMs: 10_000,
  headMs: 30_000,
  bodyIdleMs: 30_000,
  totalMs: 30_000,
  bodyBytesMax: 10_000_000,
} as const satisfies Partial<OutboundLimits>;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The exchanges with one authority. A cut-off answer or a redirect counts as no answer. */
export function exchangeWith(
  { baseUrl }: AuthorityEndpoint,
  client: OutboundClient,
  beginTime: () => (end: RequestEnd) => void = () => () => {},
): Exchange {
  return async ({ path, ...request }) => {
    const endTime = beginTime();
    const outcome = await client.send({
      ...request,
      url: `${baseUrl}${path}`,
      policy: operatorNamed,
    });
    endTime(outcome.kind === 'answered' ? outcome.answer.status : outcome.kind);
    if (outcome.kind !== 'answered') {
      throw new WireFault(outcome.reason, outcome.kind === 'maybe-sent');
    }
    const { status, headers, body, bodyFault } = outcome.answer;
    if (bodyFault !== undefined) {
      throw new WireFault(`the answer broke off: ${bodyFault.reason}`, true);
    }
    if (redirects.has(status)) {
      throw new WireFault(`the answer is a redirect (${status}), which is not followed`, true);
    }
    return { status, headers, body: body.toString('utf8') };
  };
}
