/** Goes through a segment page by page, and says of each contact what becomes of it. */
import { type Decimal, decimal, format, zero } from '@drawbridge/decimal/decimal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type RandomBytes, randomCharacters } from '../../platform/ids.ts';
import type { Place } from '../contacts/store.ts';
import { type Candidate, listByPhone, listByStart } from './audience-store.ts';
import { takenCodes } from './link-store.ts';
import type { Plan } from './plan.ts';
import { type Fate, fateOf, type SkipReason } from './recipient.ts';

/** One contact and what becomes of it; `links` are the addresses in its message by their code. */
export interface Judged {
  readonly candidate: Candidate;
  readonly fate: Fate;
  readonly links: ReadonlyMap<string, string>;
}

/** Contacts that are looked at together. */
export const audiencePageSize = 2_000;
/** Nobody guesses 50 bits, and a message is short. */
const codeLength = 10;
const drawsMax = 5;

/** A page of the segment behind a contact; empty at its end. */
export async function judgePage(
  tx: Tx,
  place: Place,
  { broadcast, opened, recipe, reachSince }: Plan,
  after: string,
  random: RandomBytes,
): Promise<Judged[]> {
  const { segment_id: segmentId, channel, app_id: appId } = broadcast;
  const page = { segmentId, channel, appId, after, limit: audiencePageSize, reachSince };
  const list = opened.channel.access === 'started' ? listByStart : listByPhone;
  const candidates = await list(tx, place, page);
  const judge = fateOf(recipe);
  for (let draw = 0; draw < drawsMax; draw += 1) {
    const judged = candidates.map((candidate): Judged => {
      const links = new Map<string, string>();
      const fate = judge(candidate, (url) => codeFor(links, url, random));
      return { candidate, fate, links };
    });
    const codes = judged.flatMap(({ links }) => [...links.keys()]);
    if (codes.length === 0 || (await takenCodes(tx, codes)).size === 0) return judged;
  }
  throw new Error('short codes keep being taken: there are too few of them');
}

/** The same address twice in one message is one link. */
function codeFor(links: Map<string, string>, url: string, random: RandomBytes): string {
  for (const [code, known] of links) if (known === url) return code;
  const code = randomCharacters(codeLength, random);
  links.set(code, url);
  return code;
}

/** What all pages come to. */
export class Summary {
  readonly skipped: Partial<Record<SkipReason, number>> = {};
  readonly zones = new Set<string>();
  /** Messages by when they are due, in milliseconds. */
  readonly due = new Map<number, number>();
  recipients = 0;
  looked = 0;
  #cost: Decimal = zero;

  add({ fate }: Judged): void {
    this.looked += 1;
    if (fate.kind === 'skipped') {
      this.skipped[fate.reason] = (this.skipped[fate.reason] ?? 0) + 1;
      return;
    }
    this.recipients += 1;
    this.zones.add(fate.timeZone);
    const dueMs = fate.dueAt.getTime();
    this.due.set(dueMs, (this.due.get(dueMs) ?? 0) + 1);
    if (fate.price !== null) this.#cost = this.#cost.plus(decimal(fate.price));
  }

  get cost(): string {
    return format(this.#cost);
  }
}
