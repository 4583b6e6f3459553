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

/** A mishap of the call that submits: a status, or a cut before or after the authority's work. */
export type Mishap = number | 'cut-before' | 'cut-after';

/** An authority's simulator, started, with what the suite needs to know of it. */
export interface Stage {
  readonly endpoint: AuthorityEndpoint;
  readonly wrongCredentials: Readonly<Record<string, string>>;
  readonly clock: () => Date;
  /** Moves the one clock that adapter and simulator share. */
  advance(ms: number): void;
  document(name: string, fate: 'accepted' | 'refused'): OutboundDocument;
  mishap(kind: Mishap, retryAfterSeconds?: number): void;
  /** How many times the authority holds this document as good. */
  held(document: OutboundDocument): number;
  stop(): Promise<void>;
}

/** The behaviour that the pipeline relies on, for one authority (and dialect). */
export function authoritySuite(name: string, authority: Authority, start: () => Promise<Stage>) {
  describe(`authority contract: ${name}`, () => {
    let started: Stage | undefined;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started?.stop());
    const stage = () => started!;
    const context = (changes: Partial<AuthorityContext> = {}): AuthorityContext => ({
      endpoint: stage().endpoint,
      exchange: exchangeTo(stage().endpoint.baseUrl),
      clock: stage().clock,
      cache: new Map(),
      ...changes,
    });
    const submitOne = async (document: OutboundDocument, within = context()) => {
      const [outcome] = await authority.submit([document], within);
      return outcome!;
    };
    const play: Play = { authority, stage, context, submitOne };
    verdicts(play);
    lostAnswers(play);
    refusedService(play);
    batches(play);
  });
}

interface Play {
  readonly authority: Authority;
  stage(): Stage;
  context(changes?: Partial<AuthorityContext>): AuthorityContext;
  submitOne(document: OutboundDocument, within?: AuthorityContext): Promise<SubmissionOutcome>;
}

function verdicts({ authority, stage, context }: Play) {
  test('an accepted document is settled, and held once', async () => {
    const document = stage().document('accepted', 'accepted');
    const [outcome] = await settle(authority, [document], context(), stage());
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(stage().held(document)).toBe(1);
  });

  test('a refused document says why, with the authority’s code', async () => {
    const document = stage().document('refused', 'refused');
    const [outcome] = await settle(authority, [document], context(), stage());
    expect(outcome).toMatchObject({ kind: 'refused' });
    if (outcome?.kind !== 'refused') return;
    expect(outcome.errors.length).toBeGreaterThan(0);
    for (const error of outcome.errors) {
      expect(error.code).not.toBe('');
      expect(error.message).not.toBe('');
    }
  });
}

function lostAnswers({ authority, stage, context, submitOne }: Play) {
  test('an answer lost after the work is found out without a second copy', async () => {
    const document = stage().document('lost-after', 'accepted');
    stage().mishap('cut-after');
    const first = await submitOne(document);
    expect(first.kind).toBe('unknown');
    const [outcome] = await settle(authority, [document], context(), stage(), [first]);
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(stage().held(document)).toBe(1);
  });

  test('a request lost before the work is looked up first, then sent', async () => {
    const document = stage().document('lost-before', 'accepted');
    stage().mishap('cut-before');
    const first = await submitOne(document);
    expect(first.kind).toBe('unknown');
    const [standing] = await authority.lookUp([{ document, sentAt: stage().clock() }], context());
    expect(standing?.kind).toMatch(/^(unknown|retry)$/);
    expect(stage().held(document)).toBe(0);
    const [outcome] = await settle(authority, [document], context(), stage(), [first]);
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(stage().held(document)).toBe(1);
  });
}

function refusedService({ authority, stage, context, submitOne }: Play) {
  test.each([503, 429])('%i is a retry after the time asked for', async (status) => {
    const document = stage().document(`busy-${status}`, 'accepted');
    stage().mishap(status, 17);
    const first = await submitOne(document);
    expect(first).toMatchObject({ kind: 'retry', afterMs: 17_000 });
    const [outcome] = await settle(authority, [document], context(), stage(), [first]);
    expect(outcome?.kind).toMatch(/^(cleared|delivered)$/);
    expect(stage().held(document)).toBe(1);
  });

  test('a server fault leaves it unknown', async () => {
    stage().mishap(500);
    expect((await submitOne(stage().document('fault', 'accepted'))).kind).toBe('unknown');
  });

  test('a connection that was never made is a retry', async () => {
    const exchange: Exchange = () => Promise.reject(new WireFault('refused', false));
    const outcome = await submitOne(stage().document('unmade', 'accepted'), context({ exchange }));
    expect(outcome.kind).toBe('retry');
  });

  test('wrong and missing credentials need a person, and are not in the reason', async () => {
    const document = stage().document('credentials', 'accepted');
    for (const credentials of [stage().wrongCredentials, {}]) {
      const endpoint = { ...stage().endpoint, credentials };
      const outcome = await submitOne(document, context({ endpoint }));
      expect(outcome.kind).toBe('misconfigured');
      for (const value of Object.values(credentials)) {
        expect(JSON.stringify(outcome)).not.toContain(value);
      }
      const [standing] = await authority.lookUp([{ document }], context({ endpoint }));
      expect(['misconfigured', 'unknown', 'retry']).toContain(standing?.kind);
    }
    expect(stage().held(document)).toBe(0);
  });

  test('a bug of the exchange is not taken for an outcome', async () => {
    const exchange: Exchange = () => Promise.reject(new TypeError('a bug'));
    const document = stage().document('bug', 'accepted');
    await expect(authority.submit([document], context({ exchange }))).rejects.toThrow('a bug');
  });
}

function batches({ authority, stage, context }: Play) {
  test('a hundred documents are settled in their order, each held once', async () => {
    const documents = Array.from({ length: 100 }, (_, index) =>
      stage().document(`batch-${index}`, index % 10 === 9 ? 'refused' : 'accepted'),
    );
    const outcomes = await settle(authority, documents, context(), stage());
    documents.forEach((document, index) => {
      const isRefused = index % 10 === 9;
      if (isRefused) expect(outcomes[index]?.kind).toBe('refused');
      else expect(outcomes[index]?.kind).toMatch(/^(cleared|delivered)$/);
      if (!isRefused) expect(stage().held(document)).toBe(1);
    });
  });

  test('a batch whose answer was lost is found again, each held once', async () => {
    const documents = Array.from({ length: Math.min(authority.batchMax, 100) }, (_, index) =>
      stage().document(`lost-batch-${index}`, 'accepted'),
    );
    stage().mishap('cut-after');
    const first = await authority.submit(documents, context());
    // One call may carry the batch or a single document of it: what its answer told is lost.
    expect(first.map((outcome) => outcome.kind)).toContain('unknown');
    const outcomes = await settle(authority, documents, context(), stage(), first);
    for (const outcome of outcomes) expect(outcome.kind).toMatch(/^(cleared|delivered)$/);
    for (const document of documents) expect(stage().held(document)).toBe(1);
  });
}

const roundsMax = 80;
const pauseMs = 5_000;

/**
 * Does what the pipeline does: sends what is fresh or may be retried, looks up the rest, waits as
 * told.
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

/** A clock that stands still until it is moved. */
export function standingClock(iso: string): { clock: () => Date; advance(ms: number): void } {
  let now = Date.parse(iso);
  return {
    clock: () => new Date(now),
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
