import type { WireRequest, WireResponse } from '../../../channels/contract.ts';
import type { CallHandle, LookUp, MarkupProvider } from '../../../channels/voice-contract.ts';
import type { VoiceDesk } from '../desk.ts';
import { contextOf, type OpenProvider } from './account.ts';

/** How the provider has a call or a leg now, wherever it keeps it. */
export async function lookUp(
  desk: VoiceDesk,
  { provider, account }: OpenProvider,
  handle: CallHandle,
): Promise<LookUp> {
  for (const request of provider.lookUp.requests(handle, account as never, contextOf(desk))) {
    const exchange = await desk.wire.send(request);
    if (exchange.kind !== 'answered') return { kind: 'unclear', reason: exchange.reason };
    const found = provider.lookUp.read(exchange.response);
    if (found.kind !== 'gone') return found;
  }
  return { kind: 'gone' };
}

/** The largest has a hundred calls on a page: what was called in a hundred seconds at the full rate. */
const listPagesMax = 50;

export interface Pages {
  readonly pages: readonly WireResponse[];
  /** Whether there were no more than that. */
  readonly isWhole: boolean;
}

/** A list of the provider's, page by page; undefined when one did not come. */
export async function pagesOf(
  desk: VoiceDesk,
  { provider, account }: { readonly provider: MarkupProvider; readonly account: unknown },
  first: WireRequest,
): Promise<Pages | undefined> {
  const pages: WireResponse[] = [];
  let request: WireRequest | undefined = first;
  while (request !== undefined && pages.length < listPagesMax) {
    const exchange = await desk.wire.send(request);
    if (exchange.kind !== 'answered') return undefined;
    pages.push(exchange.response);
    const context = contextOf(desk);
    request = provider.nextPage(request, exchange.response, account as never, context);
  }
  return { pages, isWhole: request === undefined };
}
