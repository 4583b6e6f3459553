import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Authority,
  type AuthorityContext,
  type AuthorityEndpoint,
  type Exchange,
  type LookUp,
  type OutboundDocument,
  type SubmissionOutcome,
  WireFault,
} from './contract.ts';

/** A fault of the submitting call: a status, or a cut connection before or after the work. */
type Mishap = number | 'cut-before' | 'cut-after';

/** A started simulator of an authority, with what the suite needs to know of it. */
export interface Harness {
  readonly endpoint: AuthorityEndpoint;
  readonly wrongCredentials: Readonly<Record<string, string>>;
  readonly clock: () => Date;
  /** Moves the one clock that adapter and simulator share. */
  advance(ms: number): void;
  document(name: string, outcome: 'accepted' | 'refused'): OutboundDocument;
  mishap(kind: Mishap, retryAfterSeconds?: number): void;
  /** How many valid copies of this document the authority holds. */
  held(document: OutboundDocument): number;
  stop(): Promise<void>;
}

/** The behaviour that the pipeline relies on, for one authority (and dialect). */
export function authoritySuite(name: string, authority: Authority, start: () => Promise<Harness>) {
  describe(`authority contract: ${name}`, () => {
    let started: Harness | undefined;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started?.stop());
    const harness = () => started!;
    const context = (changes: Partial<AuthorityContext> = {}): AuthorityContext => ({
      endpoint: harness().endpoint,
      exchange: exchangeTo(harness().endpoint.baseUrl),
      clock: harness().clock,
      cache: new Map(),
      ...changes,
    });
    const submitOne = async (document: OutboundDocument, within = context()) => {
      const [outcome] = await authority.submit([document], within);
      return outcome!;
    };
    const play: Play = { authority, harness, context, submitOne };
    verdicts(play);
    lostAnswers(play);
    refusedService(play);
    batches(play);
  });
}

interface Play {
  readonly authority: Authority;
  harness(): Harness;
  context(changes?: Partial<AuthorityContext>): AuthorityContext;
  submitOne(document: OutboundDocument, within?: AuthorityContext): Promise<SubmissionOutcome>;
}

function verdicts({ authority, harness, context }: Play) {
  test('an accepted document is settled, and held once', async () => {
    const document = harness().document('accepted', 'accepted');
    const [outcome] = await settle(authority, [document], context(), harness());
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(harness().held(document)).toBe(1);
  });

  test('a refused document says why, with the authority’s code', async () => {
    const document = harness().document('refused', 'refused');
    const [outcome] = await settle(authority, [document], context(), harness());
    expect(outcome).toMatchObject({ kind: 'refused' });
    if (outcome?.kind !== 'refused') return;
    expect(outcome.errors.length).toBeGreaterThan(0);
    for (const error of outcome.errors) {
      expect(error.code).not.toBe('');
      expect(error.message).not.toBe('');
    }
  });
}

function lostAnswers({ authority, harness, context, submitOne }: Play) {
  test('after a lost answer the outcome is found without a second copy', async () => {
    const document = harness().document('lost-after', 'accepted');
    harness().mishap('cut-after');
    const first = await submitOne(document);
    expect(first.kind).toBe('unknown');
    const [outcome] = await settle(authority, [document], context(), harness(), [first]);
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(harness().held(document)).toBe(1);
  });

  test('a document whose request was lost is looked up first, then sent', async () => {
    const document = harness().document('lost-before', 'accepted');
    harness().mishap('cut-before');
    const first = await submitOne(document);
    expect(first.kind).toBe('unknown');
    const [status] = await authority.lookUp([{ document, sentAt: harness().clock() }], context());
    expect(status?.kind).toMatch(/^(unknown|retry)$/);
    expect(harness().held(document)).toBe(0);
    const [outcome] = await settle(authority, [document], context(), harness(), [first]);
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(harness().held(document)).toBe(1);
  });
}

function refusedService({ authority, harness, context, submitOne }: Play) {
  test.each([503, 429])('%i is a retry after the time asked for', async (status) => {
    const document = harness().document(`busy-${status}`, 'accepted');
    harness().mishap(status, 17);
    const first = await submitOne(document);
    expect(first).toMatchObject({ kind: 'retry', afterMs: 17_000 });
    const [outcome] = await settle(authority, [document], context(), harness(), [first]);
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(harness().held(document)).toBe(1);
  });

  test('a server fault leaves it unknown', async () => {
    harness().mishap(500);
    expect((await submitOne(harness().document('fault', 'accepted'))).kind).toBe('unknown');
  });

  test('a connection that was never made is a retry', async () => {
    const exchange: Exchange = () => Promise.reject(new WireFault('refused', false));
    const outcome = await submitOne(
      harness().document('unmade', 'accepted'),
      context({ exchange }),
    );
    expect(outcome.kind).toBe('retry');
  });

  test('wrong and missing credentials need a person, and are not in the reason', async () => {
    const document = harness().document('credentials', 'accepted');
    for (const credentials of [harness().wrongCredentials, {}]) {
      const endpoint = { ...harness().endpoint, credentials };
      const outcome = await submitOne(document, context({ endpoint }));
      expect(outcome.kind).toBe('misconfigured');
      for (const value of Object.values(credentials)) {
        expect(JSON.stringify(outcome)).not.toContain(value);
      }
      const [status] = await authority.lookUp([{ document }], context({ endpoint }));
      expect(['misconfigured', 'unknown', 'retry']).toContain(status?.kind);
    }
    expect(harness().held(document)).toBe(0);
  });

  test('an unexpected error of the exchange is thrown, not turned into an outcome', async () => {
    const exchange: Exchange = () => Promise.reject(new TypeError('a bug'));
    const document = harness().document('bug', 'accepted');
    await expect(authority.submit([document], context({ exchange }))).rejects.toThrow('a bug');
  });
}

function batches({ authority, harness, context }: Play) {
  test('a hundred documents are settled in their order, each held once', async () => {
    const documents = Array.from({ length: 100 }, (_, index) =>
      harness().document(`batch-${index}`, index % 10 === 9 ? 'refused' : 'accepted'),
    );
    const outcomes = await settle(authority, documents, context(), harness());
    documents.forEach((document, index) => {
      const isRefused = index % 10 === 9;
      if (isRefused) expect(outcomes[index]?.kind).toBe('refused');
      else expect(outcomes[index]?.kind).toMatch(/^(cleared|delivered)$/);
      if (!isRefused) expect(harness().held(document)).toBe(1);
    });
  });

  test('a batch whose answer was lost is found again, each held once', async () => {
    const documents = Array.from({ length: Math.min(authority.batchMax, 100) }, (_, index) =>
      harness().document(`lost-batch-${index}`, 'accepted'),
    );
    harness().mishap('cut-after');
    const first = await authority.submit(documents, context());
    // One call may carry the batch or a single document of it; its answer is lost.
    expect(first.map((outcome) => outcome.kind)).toContain('unknown');
    const outcomes = await settle(authority, documents, context(), harness(), first);
    for (const outcome of outcomes) expect(outcome.kind).toMatch(/^(cleared|delivered)$/);
    for (const document of documents) expect(harness().held(document)).toBe(1);
  });
}

const roundsMax = 80;
const pauseMs = 5_000;

/**
 * Settles documents as the pipeline does: sends new and retriable ones, looks up the others, and
 * waits as the outcomes ask.
 */
export async function settle(
  authority: Authority,
  documents: readonly OutboundDocument[],
  context: AuthorityContext,
  time: { clock: () => Date; advance(ms: number): void },
  first: readonly SubmissionOutcome[] = [],
): Promise<readonly SubmissionOutcome[]> {
  const outcomes = new Map(first.map((outcome, at) => [documents[at]!, outcome]));
  const sentAt = new Map(documents.map((document) => [document, time.clock()]));
  for (let round = 0; round < roundsMax; round += 1) {
    const kindOf = (document: OutboundDocument) => outcomes.get(document)?.kind ?? 'retry';
    const toSend = documents.filter((document) => kindOf(document) === 'retry');
    const toAsk = documents.filter((document) => /^(pending|unknown)$/.test(kindOf(document)));
    if (toSend.length + toAsk.length === 0) break;
    for (let from = 0; from < toSend.length; from += authority.batchMax) {
      const batch = toSend.slice(from, from + authority.batchMax);
      for (const document of batch) sentAt.set(document, time.clock());
      const answers = await authority.submit(batch, context);
      for (const [index, document] of batch.entries()) outcomes.set(document, answers[index]!);
    }
    if (toAsk.length > 0) {
      const questions = toAsk.map((document) => question(document, outcomes, sentAt));
      const answers = await authority.lookUp(questions, context);
      for (const [index, document] of toAsk.entries()) outcomes.set(document, answers[index]!);
    }
    time.advance(Math.max(pauseMs, ...[...outcomes.values()].map(waitOf)));
  }
  return documents.map((document) => outcomes.get(document)!);
}

function question(
  document: OutboundDocument,
  outcomes: ReadonlyMap<OutboundDocument, SubmissionOutcome>,
  sentAt: ReadonlyMap<OutboundDocument, Date>,
): LookUp {
  const outcome = outcomes.get(document);
  const reference = outcome?.kind === 'pending' ? { reference: outcome.reference } : {};
  return { document, sentAt: sentAt.get(document)!, ...reference };
}

function waitOf(outcome: SubmissionOutcome): number {
  if (outcome.kind === 'pending') return outcome.pollAfterMs;
  return outcome.kind === 'retry' || outcome.kind === 'unknown' ? (outcome.afterMs ?? 0) : 0;
}

/** An exchange over real sockets. */
export function exchangeTo(baseUrl: string): Exchange {
  return async ({ method, path, headers, body }) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers },
      ...(body === undefined ? {} : { body: body as RequestInit['body'] & {} }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause as { code?: string }) : undefined;
      throw new WireFault('no response', cause?.code !== 'ECONNREFUSED');
    });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
  };
}
