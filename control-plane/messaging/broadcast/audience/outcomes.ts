/** Goes through an audience page by page, and decides what each contact gets. */
import { type Decimal, decimal, format, zero } from '@drawbridge/decimal/decimal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type RandomBytes, randomCharacters } from '../../../platform/ids.ts';
import { takenCodes } from '../links/store.ts';
import type { BroadcastPlan } from '../plan.ts';
import { outcomeOf, type RecipientOutcome, type SkipReason } from './recipient.ts';
import { type Audience, type Candidate, listByPhone, listByStart } from './store.ts';

/** The outcome for one contact; `links` are the addresses in its message by their code. */
export interface CandidateOutcome {
  readonly candidate: Candidate;
  readonly outcome: RecipientOutcome;
  readonly links: ReadonlyMap<string, string>;
}

/** How many contacts are read at once. */
export const audiencePageSize = 2_000;
/** Nobody can guess 50 bits, and the code must be short. */
const codeLength = 10;
const drawsMax = 5;

/** Decides for the page of the audience after a place; empty at the end. */
export async function decidePage(
  tx: Tx,
  scope: TenantScope,
  { broadcast, opened, rules, reachSince }: BroadcastPlan,
  after: string,
  random: RandomBytes,
): Promise<CandidateOutcome[]> {
  const { channel, app_id: appId } = broadcast;
  const audience = audienceOf(broadcast);
  const page = { audience, channel, appId, after, limit: audiencePageSize, reachSince };
  const list = opened.channel.access === 'started' ? listByStart : listByPhone;
  const candidates = await list(tx, scope, page);
  const decide = outcomeOf(rules);
  for (let draw = 0; draw < drawsMax; draw += 1) {
    const decided = candidates.map((candidate): CandidateOutcome => {
      const links = new Map<string, string>();
      const outcome = decide(candidate, (url) => codeFor(links, url, random));
      return { candidate, outcome, links };
    });
    const codes = decided.flatMap(({ links }) => [...links.keys()]);
    if (codes.length === 0 || (await takenCodes(tx, codes)).size === 0) return decided;
  }
  throw new Error('every new short code was already taken: the codes are too short');
}

function audienceOf(broadcast: BroadcastPlan['broadcast']): Audience {
  const { segment_id, resend_of, resend_statuses, test_contacts } = broadcast;
  if (resend_of !== null) return { kind: 'resend', of: resend_of, statuses: resend_statuses! };
  if (test_contacts !== null) return { kind: 'named', contactIds: test_contacts };
  return { kind: 'segment', segmentId: segment_id! };
}

/** The same address twice in one message gets one link. */
function codeFor(links: Map<string, string>, url: string, random: RandomBytes): string {
  for (const [code, known] of links) if (known === url) return code;
  const code = randomCharacters(codeLength, random);
  links.set(code, url);
  return code;
}

/** The sum of all pages. */
export class AudienceSummary {
  readonly skipped: Partial<Record<SkipReason, number>> = {};
  readonly zones = new Set<string>();
  /** The number of messages by the time they are due, in milliseconds. */
  readonly due = new Map<number, number>();
  recipients = 0;
  looked = 0;
  #cost: Decimal = zero;

  add({ outcome }: CandidateOutcome): void {
    this.looked += 1;
    if (outcome.kind === 'skipped') {
      this.skipped[outcome.reason] = (this.skipped[outcome.reason] ?? 0) + 1;
      return;
    }
    this.recipients += 1;
    this.zones.add(outcome.timeZone);
    const dueMs = outcome.dueAt.getTime();
    this.due.set(dueMs, (this.due.get(dueMs) ?? 0) + 1);
    if (outcome.price !== null) this.#cost = this.#cost.plus(decimal(outcome.price));
  }

  get cost(): string {
    return format(this.#cost);
  }
}
