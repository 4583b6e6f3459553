import type { WireRequest, WireResponse } from '../../../channels/contract.ts';
import type { CallHandle, LookUp, MarkupProvider } from '../../../channels/voice-contract.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, requestContext } from './account.ts';

/** The provider's current record of a call or a leg. */
export async function lookUp(
  context: CallingContext,
  { provider, account }: OpenProvider,
  handle: CallHandle,
): Promise<LookUp> {
  for (const request of provider.lookUp.requests(
    handle,
    account as never,
    requestContext(context),
  )) {
    const exchange = await context.wire.send(request);
    if (exchange.kind !== 'answered') return { kind: 'unclear', reason: exchange.reason };
    const found = provider.lookUp.read(exchange.response);
    if (found.kind !== 'gone') return found;
  }
  return { kind: 'gone' };
}

/** The largest pages have a hundred calls, so this covers a hundred seconds at the full rate. */
const listPagesMax = 50;

export interface Pages {
  readonly pages: readonly WireResponse[];
  /** Whether the list had no further pages. */
  readonly isWhole: boolean;
}

/** All pages of a provider's list; undefined when one could not be fetched. */
export async function fetchPages(
  context: CallingContext,
  { provider, account }: { readonly provider: MarkupProvider; readonly account: unknown },
  first: WireRequest,
): Promise<Pages | undefined> {
  const pages: WireResponse[] = [];
  let request: WireRequest | undefined = first;
  while (request !== undefined && pages.length < listPagesMax) {
    const exchange = await context.wire.send(request);
    if (exchange.kind !== 'answered') return undefined;
    pages.push(exchange.response);
    request = provider.nextPage(
      request,
      exchange.response,
      account as never,
      requestContext(context),
    );
  }
  return { pages, isWhole: request === undefined };
}
