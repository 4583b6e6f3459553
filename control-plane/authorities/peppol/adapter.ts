import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type { Authority, SubmissionOutcome } from '../contract.ts';
import { misconfigured } from '../grouping.ts';
import { fetchDocuments, fetchResponses } from './inbound.ts';
import { lookUpByPhase4, sendByPhase4 } from './phase4.ts';
import { lookUpByPhossAp, sendByPhossAp } from './phoss-ap.ts';
import { openEnvelope } from './sbdh-reader.ts';
import { settings } from './settings.ts';

/** The most calls at once; an access point takes one document with each call. */
const callsMax = 8;
const firstPollMs = 1_000;

/**
 * The Peppol network through an access point: phoss-ap, or phase4-peppol-standalone as the second
 * dialect.
 */
export const peppol: Authority = {
  id: 'peppol',
  title: 'a Peppol access point (phase4, phoss-ap)',
  settings,
  batchMax: 50,

  async submit(documents, context) {
    const parsed = settings.safeParse(context.endpoint.credentials);
    if (!parsed.success) return misconfigured(documents, parsed.error);
    const send = parsed.data.dialect === 'phase4' ? sendByPhase4 : sendByPhossAp;
    const outcomes = await atOnce(documents, (each) => send(each, parsed.data, context));
    return outcomes.map((outcome) => soon(outcome, undefined, context.clock()));
  },

  async lookUp(questions, context) {
    const parsed = settings.safeParse(context.endpoint.credentials);
    if (!parsed.success) return misconfigured(questions, parsed.error);
    const outcomes = await atOnce(questions, async (question) =>
      parsed.data.dialect === 'phase4'
        ? lookUpByPhase4(question, context.clock())
        : lookUpByPhossAp(question, parsed.data, context),
    );
    return outcomes.map((outcome, at) => soon(outcome, questions[at]!.sentAt, context.clock()));
  },

  async responses(context, known) {
    const { data } = settings.safeParse(context.endpoint.credentials);
    // phase4 passes incoming messages to its own plug-ins and keeps no list of them.
    return data?.dialect === 'phoss-ap' ? fetchResponses(data.token, context, known) : [];
  },

  async documents(context, known) {
    const { data } = settings.safeParse(context.endpoint.credentials);
    return data?.dialect === 'phoss-ap' ? fetchDocuments(data.token, context, known) : [];
  },

  pushed(secret, endpoint) {
    const { data } = settings.safeParse(endpoint.credentials);
    const wanted = data?.inbound_token;
    return wanted !== undefined && isEqualSecret(secret, wanted) ? openEnvelope : undefined;
  },
};

/** Does the work for every item, a few at once; the results have the order of the items. */
async function atOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(callsMax, items.length) }, worker));
  return results;
}

/**
 * Polls soon after sending, because most documents are delivered within a second, and then less
 * often.
 */
function soon(outcome: SubmissionOutcome, sentAt: Date | undefined, now: Date): SubmissionOutcome {
  if (outcome.kind !== 'pending') return outcome;
  const age = sentAt === undefined ? 0 : now.getTime() - sentAt.getTime();
  const pollAfterMs = Math.min(outcome.pollAfterMs, Math.max(firstPollMs, age / 2));
  return { ...outcome, pollAfterMs };
}
