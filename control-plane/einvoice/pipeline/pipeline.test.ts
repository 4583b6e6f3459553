import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { emiratesReceiver, hours, type Stage, startStage, unreachable } from './pipeline.kit.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.fresh());

const confirmed = (id: string) =>
  stage.erp.rows(`select status, uin from einv_status_sandbox where invoice_id = '${id}'`);

const toSubmitted = ['received', 'validating', 'validated', 'submitted'];

test.each([
  ['AE', 'delivered'],
  ['BE', 'delivered'],
  ['MY', 'cleared'],
] as const)(
  'a document of %s ends %s, each move told once, confirmed once',
  async (company, end) => {
    const id = await stage.submit(company);
    await stage.settle();
    expect(await stage.states(id)).toEqual([...toSubmitted, end]);
    expect((await stage.jobs()).filter(({ queue }) => queue === 'invoice')).toEqual([]);
    await stage.settle('write-back');
    const { uin, write_back } = await stage.invoice(id);
    expect(confirmed(id)).toEqual([{ status: end, uin }]);
    expect(write_back).toMatchObject({ outcome: 'written', status: end });
    await stage.turn('write-back');
    await stage.settle('forward');
    expect((await stage.jobs()).filter(({ queue }) => queue !== 'acknowledge')).toEqual([]);
  },
);

test('a cleared document carries its identifier, and passes both stages', async () => {
  const id = await stage.submit('MY');
  await stage.settle();
  const { uin, checks } = await stage.invoice(id);
  expect(uin).toMatch(/^[0-9A-Z]{26}$/);
  expect(checks).toEqual({
    schema: 'passed',
    business_rules: 'passed',
    authority_clearance: 'passed',
  });
  const { document, final } = await stage.content(id);
  expect(document).not.toContain(uin);
  expect(final).toMatch(
    new RegExp(`<cbc:ID>${uin}</cbc:ID>\\s*<cbc:DocumentTypeCode>938</cbc:DocumentTypeCode>`),
  );
  expect(stage.logged.join('')).not.toContain('fails its checks');
});

test('a hundred documents of three profiles settle, each at its authority once', async () => {
  const companies = ['AE', 'BE', 'MY'] as const;
  const ids = await Promise.all(
    Array.from({ length: 99 }, (_, index) => stage.submit(companies[index % 3]!)),
  );
  await stage.settle();
  for (const id of ids) {
    expect((await stage.invoice(id)).state).toMatch(/^(delivered|cleared)$/);
    expect(await copies(id)).toBe(1);
  }
});

const copies = async (id: string): Promise<number> => {
  const { submission_key, number } = await stage.invoice(id);
  return stage.peppol.deliveries(submission_key).length + stage.myinvois.documents(number!).length;
};

test.each([
  ['AE', 'cut-after'],
  ['AE', 'cut-before'],
  ['AE', 503],
  ['AE', 429],
  ['AE', 500],
  ['MY', 'cut-after'],
  ['MY', 'cut-before'],
  ['MY', 503],
  ['MY', 429],
  ['MY', 500],
] as const)('%s: when the submission meets %s, it settles and is there once', async (...row) => {
  const [company, kind] = row;
  const faults = company === 'MY' ? stage.myinvois : stage.peppol;
  faults.fault({ call: 'submit', kind, times: 1 });
  const id = await stage.submit(company);
  await stage.turn();
  const { state, sent_at, authority_status } = await stage.invoice(id);
  expect(state).toBe('validated');
  // Only what may have arrived is asked for before it is sent again.
  expect(sent_at === null).toBe(kind === 503 || kind === 429);
  expect(authority_status).toMatch(kind === 503 || kind === 429 ? /^retry: / : /^unknown: /);
  await stage.settle();
  expect(await stage.states(id)).toEqual([
    ...toSubmitted,
    company === 'MY' ? 'cleared' : 'delivered',
  ]);
  expect(await copies(id)).toBe(1);
});

test('an outage of an hour is outlasted, with ever longer rests', async () => {
  stage.myinvois.fault({ call: 'submit', kind: 503, times: 15 });
  const begun = stage.clock().getTime();
  const id = await stage.submit('MY');
  await stage.settle();
  expect(stage.clock().getTime() - begun).toBeGreaterThan(0.5 * hours);
  expect(await copies(id)).toBe(1);
});

test('a 429 is obeyed', async () => {
  stage.myinvois.fault({ call: 'submit', kind: 429, times: 1, retryAfterSeconds: 90 });
  await stage.submit('MY');
  await stage.turn();
  const [job] = await stage.jobs();
  expect(job!.run_at.getTime() - stage.clock().getTime()).toBe(90_000);
});

test.each(['AE', 'MY'] as const)('%s: a worker that dies after sending', async (company) => {
  const id = await stage.submit(company);
  const jobs = await stage.claim();
  // Its answer comes when it no longer holds the job, so nothing of it is written.
  const { submit } = stage.context.authorities;
  stage.context.authorities.submit = async (...call) => {
    const outcomes = await submit.apply(stage.context.authorities, call);
    stage.context.authorities.submit = submit;
    await stage.abandon();
    return outcomes;
  };
  const { advance } = await import('./pipeline.ts');
  await advance(stage.context, jobs, new AbortController().signal);
  expect((await stage.invoice(id)).state).toBe('validated');
  expect(stage.logged.join('')).toContain('overtaken');
  // By then the authority itself no longer remembers that it has had these bytes.
  stage.advance(hours);
  await stage.settle();
  expect(await stage.states(id)).toEqual([
    ...toSubmitted,
    company === 'MY' ? 'cleared' : 'delivered',
  ]);
  expect(await copies(id)).toBe(1);
});

test.each(['AE', 'MY'] as const)('%s: a worker that dies before sending', async (company) => {
  const id = await stage.submit(company);
  const jobs = await stage.claim();
  stage.context.authorities.submit = () => {
    Reflect.deleteProperty(stage.context.authorities, 'submit');
    return Promise.reject(new Error('died'));
  };
  const { advance } = await import('./pipeline.ts');
  await expect(advance(stage.context, jobs, new AbortController().signal)).rejects.toThrow('died');
  await stage.abandon();
  await stage.settle();
  expect(await stage.states(id)).toEqual([
    ...toSubmitted,
    company === 'MY' ? 'cleared' : 'delivered',
  ]);
  expect(await copies(id)).toBe(1);
});

test('a worker that lost its lease sends nothing', async () => {
  const id = await stage.submit('MY');
  stage.myinvois.fault({ call: 'submit', kind: 503, times: 1 });
  await stage.turn();
  stage.advance(60_000);
  const jobs = await stage.claim();
  await stage.abandon();
  await stage.turn();
  expect((await stage.invoice(id)).state).toBe('submitted');
  const { settle } = await import('./settle.ts');
  const stale = { ...(await stage.invoice(id)), state: 'validated' as const, sent_at: null };
  const sending = settle(stage.context, stage.tenantId, [{ job: jobs[0]!, invoice: stale }]);
  await expect(sending).resolves.toBeUndefined();
  expect(stage.logged.join('')).toContain('overtaken');
  expect(await copies(id)).toBe(1);
});

test('a document that the access point has lost is sent again', async () => {
  const id = await stage.submit('AE');
  await stage.turn();
  expect((await stage.invoice(id)).state).toBe('submitted');
  stage.peppol.fault({ call: 'status', kind: 404, times: 1 });
  stage.advance(120_000);
  await stage.settle();
  expect(await stage.states(id)).toEqual([...toSubmitted, 'delivered']);
  expect(await copies(id)).toBe(1);
});

test('a refusal after submission is a rejection in the authority’s own codes', async () => {
  const change = { header: { DOC_NO: 'MY-9-CF404' } };
  const id = await stage.submit('MY', { change });
  await stage.settle();
  expect(await stage.states(id)).toEqual([...toSubmitted, 'rejected']);
  const { errors, checks, authority_status } = await stage.invoice(id);
  expect(errors).toMatchObject([{ rule: 'PINT-MY-CF404', severity: 'fatal' }]);
  expect(errors[0]).toHaveProperty('translations.ms');
  expect(checks.authority_clearance).toBe('failed');
  expect(authority_status).toBe('refused');
  await stage.settle('write-back');
  expect(confirmed(id)).toEqual([{ status: 'rejected', uin: null }]);
});

test('a receiver that rejects, or is not registered', async () => {
  stage.peppol.receiver(emiratesReceiver, 'mls-rejects');
  const rejected = await stage.submit('AE');
  await stage.settle();
  expect((await stage.invoice(rejected)).errors.map(({ rule }) => rule)).toEqual([
    'PINT-AE-BV',
    'PINT-AE-SV',
  ]);
  stage.peppol.receiver(emiratesReceiver, 'unregistered');
  const unregistered = await stage.submit('AE');
  await stage.settle();
  expect(await stage.states(unregistered)).toEqual([...toSubmitted, 'rejected']);
  expect((await stage.invoice(unregistered)).errors).toMatchObject([
    { rule: 'PINT-AE-SMP:NOT_REGISTERED' },
  ]);
});

test('the same document, sent anew to MyInvois by another submission, is one document there', async () => {
  const first = await stage.submit('MY', { ref: 'MY-2026-1187' });
  await stage.settle();
  const again = await stage.submit('MY', { ref: 'MY-2026-1187' });
  await stage.settle();
  const [one, other] = [await stage.invoice(first), await stage.invoice(again)];
  expect(other).toMatchObject({ state: 'cleared', uin: one.uin, duplicate_of: first });
  const valid = stage.myinvois.documents('MY-2026-1187').filter(({ status }) => status === 'Valid');
  expect(valid).toHaveLength(1);
});

test('a receiver that never answers is asked ever seldomer, and at last no more', async () => {
  stage.peppol.receiver(emiratesReceiver, 'mls-never');
  const id = await stage.submit('AE');
  await stage.turn();
  for (const [afterMs, restMs] of [
    [5 * 60_000, 30_000],
    [hours, 195_000],
    [48 * hours, hours],
  ] as const) {
    stage.advance(afterMs);
    await stage.turn();
    const [job] = await stage.jobs();
    expect(job!.run_at.getTime() - stage.clock().getTime()).toBe(restMs);
  }
  stage.advance(700 * hours);
  await stage.turn();
  expect(await stage.jobs()).toEqual([]);
  const { state, authority_status } = await stage.invoice(id);
  expect(state).toBe('submitted');
  expect(authority_status).toMatch(/^unanswered: /);
  expect(await copies(id)).toBe(1);
});

test('polling counts as no failure: the next one waits a second, however often it was asked', async () => {
  stage.myinvois.set({ validationDelayMs: 3_000_000 });
  const id = await stage.submit('MY');
  for (let asked = 0; asked < 12; asked += 1) {
    await stage.turn();
    const [job] = await stage.jobs();
    expect(job!.payload).toEqual({ environment: 'sandbox' });
    stage.advance(job!.run_at.getTime() - stage.clock().getTime());
  }
  expect((await stage.invoice(id)).authority_status).toBe('pending');
});

test('credentials that are refused leave the invoice waiting, visibly, until they are mended', async () => {
  const { peppol } = stage.endpoints;
  const token = peppol!.credentials.token!;
  peppol!.credentials.token = 'wrong';
  const id = await stage.submit('AE');
  await stage.turn();
  expect(await stage.invoice(id)).toMatchObject({
    state: 'validated',
    authority_status: expect.stringMatching(/^misconfigured: /),
  });
  peppol!.credentials.token = token;
  await stage.settle();
  expect(await stage.states(id)).toEqual([...toSubmitted, 'delivered']);
});

test('without an endpoint a validated invoice waits, visibly, and goes on once there is one', async () => {
  const { peppol } = stage.endpoints;
  Reflect.deleteProperty(stage.endpoints, 'peppol');
  const id = await stage.submit('AE');
  await stage.turn();
  expect(await stage.invoice(id)).toMatchObject({
    state: 'validated',
    sent_at: null,
    authority_status: 'waiting: no endpoint is configured for this authority',
  });
  stage.endpoints.peppol = peppol!;
  await stage.settle();
  expect(await stage.states(id)).toEqual([...toSubmitted, 'delivered']);
});

test('an endpoint that vanishes leaves what was submitted as it is', async () => {
  const id = await stage.submit('AE');
  await stage.turn();
  const { peppol } = stage.endpoints;
  Reflect.deleteProperty(stage.endpoints, 'peppol');
  stage.advance(10_000);
  await stage.turn();
  const { state, sent_at } = await stage.invoice(id);
  expect([state, sent_at === null]).toEqual(['submitted', false]);
  stage.endpoints.peppol = peppol!;
  await stage.settle();
  expect(await copies(id)).toBe(1);
});

test('a source that is down and comes back costs nothing but time', async () => {
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  const id = await stage.submit('AE');
  for (let tried = 0; tried < 5; tried += 1) {
    await stage.turn();
    stage.advance(60_000);
  }
  expect(await stage.states(id)).toEqual(['received', 'validating']);
  Reflect.deleteProperty(stage.moods, 'read');
  await stage.settle();
  expect(await stage.states(id)).toEqual([...toSubmitted, 'delivered']);
});

test('a source that stays away beyond the limit is a rejection', async () => {
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => unreachable('Port closed.'));
  const id = await stage.submit('AE');
  await stage.turn();
  stage.advance(71 * hours);
  await stage.turn();
  expect((await stage.invoice(id)).state).toBe('validating');
  stage.advance(2 * hours);
  await stage.turn();
  expect(await stage.states(id)).toEqual(['received', 'validating', 'rejected']);
  expect((await stage.invoice(id)).errors).toMatchObject([
    {
      rule: 'PINT-AE-SOURCE-UNAVAILABLE',
      message: 'The source did not answer for 72 hours. Last: Port closed.',
    },
  ]);
});

test('patience is counted from the first failure, not from a backlog of ours', async () => {
  const id = await stage.submit('AE');
  stage.advance(100 * hours);
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  await stage.turn();
  expect((await stage.invoice(id)).state).toBe('validating');
});

test.each([
  [{ kind: 'missing' }, 'PINT-AE-SOURCE-NOT-FOUND'],
  [
    { kind: 'unusable', fault: { code: 'many_rows', message: 'Two match.', retry: 'never' } },
    'PINT-AE-SOURCE-many_rows',
  ],
] as const)('a source that answers %j rejects it', async (outcome, rule) => {
  stage.moods.read = async (_tenant, _row, refs) => refs.map(() => outcome);
  const id = await stage.submit('AE');
  await stage.settle();
  expect((await stage.invoice(id)).errors).toMatchObject([{ rule }]);
});

test('a write-back waits for its source and is then written once', async () => {
  stage.moods.write = async () => unreachable('The disk is full.');
  const id = await stage.submit('AE');
  await stage.settle();
  for (let tried = 0; tried < 4; tried += 1) {
    await stage.turn('write-back');
    stage.advance(60_000);
  }
  expect((await stage.invoice(id)).write_back).toMatchObject({
    outcome: 'waiting',
    reason: 'The disk is full.',
  });
  Reflect.deleteProperty(stage.moods, 'write');
  await stage.settle('write-back');
  expect(confirmed(id)).toHaveLength(1);
  expect((await stage.invoice(id)).write_back).toMatchObject({ outcome: 'written' });
});

test('a write-back whose worker died after writing is not written twice', async () => {
  const id = await stage.submit('AE');
  await stage.settle();
  const jobs = await stage.claim('write-back');
  await stage.abandon();
  await stage.turn('write-back');
  const { writeBack } = await import('./write-back.ts');
  const commands: string[] = [];
  const late = writeBack(
    stage.context,
    {
      write: async (_tenant, _row, { idempotencyKey }) => {
        commands.push(idempotencyKey);
        return { kind: 'already', target: 'x' };
      },
    },
    jobs[0] as never,
  );
  await expect(late).rejects.toThrow('no longer held');
  expect(commands).toEqual([`${id}/delivered`]);
  expect((await stage.invoice(id)).write_back).toMatchObject({ outcome: 'written' });
});

test('a conflict in the ERP is shown, and not tried again', async () => {
  stage.moods.write = async () => ({ kind: 'conflict', found: 'inv_other' });
  const id = await stage.submit('AE');
  await stage.settle();
  await stage.settle('write-back');
  expect((await stage.invoice(id)).write_back).toMatchObject({
    outcome: 'conflict',
    found: 'inv_other',
  });
});

test('an ERP that is gone for good is told so', async () => {
  stage.moods.write = async () => unreachable('No such host.');
  const id = await stage.submit('AE');
  await stage.settle();
  await stage.turn('write-back');
  stage.advance(31 * 24 * hours);
  await stage.turn('write-back');
  expect((await stage.invoice(id)).write_back).toMatchObject({ outcome: 'given-up' });
  expect(await stage.jobs()).toEqual([]);
});
