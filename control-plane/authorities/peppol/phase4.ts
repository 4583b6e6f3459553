import type { AuthorityContext, LookUp, OutboundDocument, SubmissionOutcome } from '../contract.ts';
import { envelope } from './sbdh.ts';
import { judge, readReport, receiptOutcome } from './sending-report.ts';
import type { Settings } from './settings.ts';
import { transfer } from './transfer.ts';

/** For this long phase4 discards a second SBDH with the same instance id. */
const duplicateGuardMs = 10 * 60_000;

/**
 * Sends through phase4-peppol-standalone. `/sendas4` would make a new SBDH with a new instance id
 * for every try, so that a receiver could not distinguish a retry from a second invoice. So the
 * envelope is made here and sent to `/sendsbdh`.
 */
export async function sendByPhase4(
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const result = await transfer(context, settings.token, {
    method: 'POST',
    path: '/sendsbdh',
    headers: { 'content-type': 'application/xml' },
    body: envelope(document, context.clock()),
  });
  switch (result.kind) {
    case 'not-taken': {
      const wait = result.afterMs === undefined ? {} : { afterMs: result.afterMs };
      return { kind: 'retry', reason: result.reason, ...wait };
    }
    case 'unclear':
      return { kind: 'unknown', reason: result.reason };
    case 'denied':
      return { kind: 'misconfigured', reason: result.reason };
    case 'answer':
      return readAnswer(result.status, result.body, document, context);
  }
}

function readAnswer(
  status: number,
  body: string,
  document: OutboundDocument,
  context: AuthorityContext,
): SubmissionOutcome {
  if (status === 404) return { kind: 'misconfigured', reason: 'sending is disabled (HTTP 404)' };
  const report = readReport(body);
  if (status === 200) {
    return report === undefined
      ? { kind: 'unknown', reason: 'the access point answered without a sending report' }
      : receiptOutcome(judge(report, context.clock()), document.submissionKey);
  }
  return { kind: 'refused', errors: [{ code: `HTTP_${status}`, message: body.slice(0, 500) }] };
}

/**
 * phase4 keeps no record that could be asked. Within its duplicate guard the same instance may be
 * sent again, because a second one is discarded. Later it is unknown whether it arrived, and a
 * person must ask the receiver.
 */
export function lookUpByPhase4({ sentAt }: LookUp, now: Date): SubmissionOutcome {
  const isGuarded = sentAt !== undefined && now.getTime() - sentAt.getTime() < duplicateGuardMs;
  return isGuarded
    ? { kind: 'retry', reason: 'phase4 keeps no record; a second copy would be thrown away' }
    : { kind: 'unknown', reason: 'phase4 keeps no record: ask the receiver, then settle by hand' };
}
