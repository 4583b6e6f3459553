import type { CallHandle, LookUp } from '../../../channels/voice-contract.ts';
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
