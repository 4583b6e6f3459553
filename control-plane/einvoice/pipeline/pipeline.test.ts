import { busy } from '@drawbridge/concurrency/semaphore.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hideConnector } from '../connectors/store.ts';
import {
  emiratesReceiver,
  hours,
  type PipelineHarness,
  startPipelineHarness,
  unreachable,
} from './pipeline.kit.ts';

let harness: PipelineHarness;
beforeAll(async () => {
  harness = await startPipelineHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.reset());

const confirmed = (id: string) =>
  harness.erp.rows(`select status, uin from einv_status_sandbox where invoice_id = '${id}'`);

const toSubmitted = ['received', 'validating', 'validated', 'submitted'];

test.each([
  ['AE', 'delivered'],
  ['BE', 'delivered'],
  ['MY', 'cleared'],
] as const)(
  'a document of %s ends %s, with one event for each transition and one confirmation',
  async (company, end) => {
    const id = await harness.submit(company);
    await harness.runAllJobs();
    expect(await harness.states(id)).toEqual([...toSubmitted, end]);
    expect((await harness.jobs()).filter(({ queue }) => queue === 'invoice')).toEqual([]);
    await harness.runAllJobs('write-back');
    const { uin, write_back } = await harness.invoice(id);
    expect(confirmed(id)).toEqual([{ status: end, uin }]);
    expect(write_back).toMatchObject({ outcome: 'written', status: end });
    await harness.runDueJobs('write-back');
    await harness.runAllJobs('forward');
    expect((await harness.jobs()).filter(({ queue }) => queue !== 'acknowledge')).toEqual([]);
  },
);

test('a cleared document carries its identifier, and passes both stages', async () => {
  const id = await harness.submit('MY');
  await harness.runAllJobs();
  const { uin, checks } = await harness.invoice(id);
  expect(uin).toMatch(/^[0-9A-Z]{26}$/);
  expect(checks).toEqual({
    schema: 'passed',
    business_rules: 'passed',
    authority_clearance: 'passed',
  });
  const { document, final } = await harness.content(id);
  expect(document).not.toContain(uin);
  expect(final).toMatch(
    new RegExp(`<cbc:ID>${uin}</cbc:ID>\\s*<cbc:DocumentTypeCode>938</cbc:DocumentTypeCode>`),
  );
  expect(harness.logged.join('')).not.toContain('fails its checks');
});

describe('a note that names the number of the invoice it corrects, and no identifier', () => {
  const note = { DOC_KIND: 'C', CORRECTS_DATE: null, DUE_DATE: null };
  const submitNote = (number: string) =>
    harness.submit('MY', { change: { header: { ...note, CORRECTS_NO: number } } });

  test('has that of the invoice, and waits while it has none', async () => {
    const invoice = await harness.submit('MY');
    const { source_ref } = await harness.invoice(invoice);
    const id = await submitNote(source_ref);
    await harness.runDueJobs();
    const job = (await harness.jobs()).find(({ key }) => key === id);
    expect(job?.payload.waitsBecause).toBe(`It corrects ${invoice}, which has no verdict yet.`);
    await harness.runAllJobs();
    const { uin } = await harness.invoice(invoice);
    expect(await harness.states(id)).toEqual([...toSubmitted, 'cleared']);
    expect((await harness.content(id)).document).toMatch(
      new RegExp(`<cbc:ID>${source_ref}</cbc:ID>\\s*<cbc:UUID>${uin}</cbc:UUID>`),
    );
  });

  test('is rejected for it when the invoice was never submitted', async () => {
    const id = await submitNote(await harness.erp.add('MY'));
    await harness.runAllJobs();
    const { state, errors } = await harness.invoice(id);
    expect([state, errors.map(({ field }) => field)]).toEqual([
      'rejected',
      ['preceding_invoices[1].uin'],
    ]);
  });

  test('is rejected when the invoice was', async () => {
    const invoice = await harness.submit('MY', { change: { header: { CUST_NO: 'C-41017' } } });
    const id = await submitNote((await harness.invoice(invoice)).source_ref);
    await harness.runAllJobs();
    expect((await harness.invoice(invoice)).state).toBe('rejected');
    expect((await harness.invoice(id)).state).toBe('rejected');
  });
});

test('a hundred documents of three profiles settle, each at its authority once', async () => {
  const companies = ['AE', 'BE', 'MY'] as const;
  const ids = await Promise.all(
    Array.from({ length: 99 }, (_, index) => harness.submit(companies[index % 3]!)),
  );
  await harness.runAllJobs();
  for (const id of ids) {
    expect((await harness.invoice(id)).state).toMatch(/^(delivered|cleared)$/);
    expect(await copies(id)).toBe(1);
  }
});

const copies = async (id: string): Promise<number> => {
  const { submission_key, number } = await harness.invoice(id);
  return (
    harness.peppol.deliveries(submission_key).length + harness.myinvois.documents(number!).length
  );
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
  const faults = company === 'MY' ? harness.myinvois : harness.peppol;
  faults.fault({ call: 'submit', kind, times: 1 });
  const id = await harness.submit(company);
  await harness.runDueJobs();
  const { state, sent_at, authority_status } = await harness.invoice(id);
  expect(state).toBe('validated');
  // Only a document that may have arrived is looked up before it is sent again.
  expect(sent_at === null).toBe(kind === 503 || kind === 429);
  expect(authority_status).toMatch(kind === 503 || kind === 429 ? /^retry: / : /^unknown: /);
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([
    ...toSubmitted,
    company === 'MY' ? 'cleared' : 'delivered',
  ]);
  expect(await copies(id)).toBe(1);
});

test.each(['MY', 'AE'] as const)(
  '%s: sent by a clock that was a year ahead, it settles once that is set right',
  async (company) => {
    const faults = company === 'MY' ? harness.myinvois : harness.peppol;
    faults.fault({ call: 'submit', kind: 500, times: 1 });
    const id = await harness.submit(company);
    await harness.runDueJobs();
    await harness.sql("update invoice set sent_at = sent_at + interval '1 year' where id = $1", [
      id,
    ]);
    const begun = harness.clock().getTime();
    await harness.runAllJobs();
    expect(harness.clock().getTime() - begun).toBeLessThan(24 * hours);
    expect(await copies(id)).toBe(1);
  },
);

test('after an outage of an hour the document is sent; the delays grow meanwhile', async () => {
  harness.myinvois.fault({ call: 'submit', kind: 503, times: 15 });
  const begun = harness.clock().getTime();
  const id = await harness.submit('MY');
  await harness.runAllJobs();
  expect(harness.clock().getTime() - begun).toBeGreaterThan(0.5 * hours);
  expect(await copies(id)).toBe(1);
});

test('a 429 is obeyed', async () => {
  harness.myinvois.fault({ call: 'submit', kind: 429, times: 1, retryAfterSeconds: 90 });
  await harness.submit('MY');
  await harness.runDueJobs();
  const [job] = await harness.jobs();
  expect(job!.run_at.getTime() - harness.clock().getTime()).toBe(90_000);
});

test.each(['AE', 'MY'] as const)('%s: a worker that dies after sending', async (company) => {
  const id = await harness.submit(company);
  const jobs = await harness.claim();
  // The answer comes when the worker no longer holds the job, so it is not saved.
  const { submit } = harness.context.authorities;
  harness.context.authorities.submit = async (...call) => {
    const outcomes = await submit.apply(harness.context.authorities, call);
    harness.context.authorities.submit = submit;
    await harness.expireLeases();
    return outcomes;
  };
  const { advance } = await import('./advance.ts');
  await advance(harness.context, jobs, new AbortController().signal);
  expect((await harness.invoice(id)).state).toBe('validated');
  expect(harness.logged.join('')).toContain('another worker has the job');
  // By then the authority has forgotten that it received these bytes.
  harness.advance(hours);
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([
    ...toSubmitted,
    company === 'MY' ? 'cleared' : 'delivered',
  ]);
  expect(await copies(id)).toBe(1);
});

test.each(['AE', 'MY'] as const)('%s: a worker that dies before sending', async (company) => {
  const id = await harness.submit(company);
  const jobs = await harness.claim();
  harness.context.authorities.submit = () => {
    Reflect.deleteProperty(harness.context.authorities, 'submit');
    return Promise.reject(new Error('died'));
  };
  const { advance } = await import('./advance.ts');
  await expect(advance(harness.context, jobs, new AbortController().signal)).rejects.toThrow(
    'died',
  );
  await harness.expireLeases();
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([
    ...toSubmitted,
    company === 'MY' ? 'cleared' : 'delivered',
  ]);
  expect(await copies(id)).toBe(1);
});

test('a worker that lost its lease sends nothing', async () => {
  const id = await harness.submit('MY');
  harness.myinvois.fault({ call: 'submit', kind: 503, times: 1 });
  await harness.runDueJobs();
  harness.advance(60_000);
  const jobs = await harness.claim();
  await harness.expireLeases();
  await harness.runDueJobs();
  expect((await harness.invoice(id)).state).toBe('submitted');
  const { resumeSubmissions } = await import('./submission/resume.ts');
  const stale = { ...(await harness.invoice(id)), state: 'validated' as const, sent_at: null };
  const sending = resumeSubmissions(harness.context, harness.tenantId, [
    { job: jobs[0]!, invoice: stale },
  ]);
  await expect(sending).resolves.toBeUndefined();
  expect(harness.logged.join('')).toContain('another worker has the job');
  expect(await copies(id)).toBe(1);
});

test('a document that the access point has lost is sent again', async () => {
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  expect((await harness.invoice(id)).state).toBe('submitted');
  harness.peppol.fault({ call: 'status', kind: 404, times: 1 });
  harness.advance(120_000);
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([...toSubmitted, 'delivered']);
  expect(await copies(id)).toBe(1);
});

test('a refusal after submission is a rejection in the authority’s own codes', async () => {
  const change = { header: { DOC_NO: 'MY-9-CF404' } };
  const id = await harness.submit('MY', { change });
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([...toSubmitted, 'rejected']);
  const { errors, checks, authority_status } = await harness.invoice(id);
  expect(errors).toMatchObject([{ rule: 'PINT-MY-CF404', severity: 'fatal' }]);
  expect(errors[0]).toHaveProperty('translations.ms');
  expect(checks.authority_clearance).toBe('failed');
  expect(authority_status).toBe('refused');
  await harness.runAllJobs('write-back');
  expect(confirmed(id)).toEqual([{ status: 'rejected', uin: null }]);
});

test('what was corrected after a rejection takes its place in the ERP', async () => {
  harness.peppol.receiver(emiratesReceiver, 'mls-rejects');
  const rejected = await harness.submit('AE');
  await harness.runAllJobs();
  await harness.runAllJobs('write-back');
  expect(confirmed(rejected)).toMatchObject([{ status: 'rejected' }]);
  harness.peppol.receiver(emiratesReceiver, 'accepts');
  const { source_ref } = await harness.invoice(rejected);
  const id = await harness.submit('AE', { ref: source_ref });
  await harness.runAllJobs();
  await harness.runAllJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({ outcome: 'written' });
  expect(confirmed(rejected)).toEqual([]);
  expect(confirmed(id)).toMatchObject([{ status: 'delivered' }]);
});

test('a receiver that rejects, or is not registered', async () => {
  harness.peppol.receiver(emiratesReceiver, 'mls-rejects');
  const rejected = await harness.submit('AE');
  await harness.runAllJobs();
  expect((await harness.invoice(rejected)).errors.map(({ rule }) => rule)).toEqual([
    'PINT-AE-BV',
    'PINT-AE-SV',
  ]);
  harness.peppol.receiver(emiratesReceiver, 'unregistered');
  const unregistered = await harness.submit('AE');
  await harness.runAllJobs();
  expect(await harness.states(unregistered)).toEqual([...toSubmitted, 'rejected']);
  expect((await harness.invoice(unregistered)).errors).toMatchObject([
    { rule: 'PINT-AE-SMP:NOT_REGISTERED' },
  ]);
});

test('the same document sent to MyInvois by two submissions is one document there', async () => {
  const first = await harness.submit('MY', { ref: 'MY-2026-1187' });
  await harness.runAllJobs();
  const again = await harness.submit('MY', { ref: 'MY-2026-1187' });
  await harness.runAllJobs();
  const [one, other] = [await harness.invoice(first), await harness.invoice(again)];
  expect(other).toMatchObject({ state: 'cleared', uin: one.uin, duplicate_of: first });
  const valid = harness.myinvois
    .documents('MY-2026-1187')
    .filter(({ status }) => status === 'Valid');
  expect(valid).toHaveLength(1);
});

test('a receiver that never answers is asked at growing intervals and at last no more', async () => {
  harness.peppol.receiver(emiratesReceiver, 'mls-never');
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  for (const [afterMs, restMs] of [
    [5 * 60_000, 30_000],
    [hours, 195_000],
    [48 * hours, hours],
  ] as const) {
    await harness.passTrying(afterMs);
    await harness.runDueJobs();
    const [job] = await harness.jobs();
    expect(job!.run_at.getTime() - harness.clock().getTime()).toBe(restMs);
  }
  await harness.passTrying(700 * hours);
  await harness.runDueJobs();
  expect(await harness.jobs()).toEqual([]);
  const { state, authority_status } = await harness.invoice(id);
  expect(state).toBe('submitted');
  expect(authority_status).toMatch(/^unanswered: /);
  expect(await copies(id)).toBe(1);
});

test('polling is not a failure: the next wait is a second, also after many questions', async () => {
  harness.myinvois.set({ validationDelayMs: 3_000_000 });
  const id = await harness.submit('MY');
  for (let asked = 0; asked < 12; asked += 1) {
    await harness.runDueJobs();
    const [job] = await harness.jobs();
    expect(job!.payload).not.toHaveProperty('failures');
    expect(job!.payload).not.toHaveProperty('firstFailedAt');
    harness.advance(job!.run_at.getTime() - harness.clock().getTime());
  }
  expect((await harness.invoice(id)).authority_status).toBe('pending');
});

test('invoices sent shortly after each other are asked about at the same moment', async () => {
  harness.myinvois.set({ validationDelayMs: 3_000_000 });
  for (const sinceLastMs of [100, 300]) {
    harness.advance(sinceLastMs);
    await harness.submit('MY');
    await harness.runDueJobs();
  }
  const [first, second] = await harness.jobs();
  expect(first!.run_at).toEqual(second!.run_at);
});

test('with refused credentials the invoice waits, and says why, until they are corrected', async () => {
  const { peppol } = harness.endpoints;
  const token = peppol!.credentials.token!;
  peppol!.credentials.token = 'wrong';
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  expect(await harness.invoice(id)).toMatchObject({
    state: 'validated',
    authority_status: expect.stringMatching(/^misconfigured: /),
  });
  peppol!.credentials.token = token;
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([...toSubmitted, 'delivered']);
});

test('without an endpoint a validated invoice waits, says why, and goes on once there is one', async () => {
  const { peppol } = harness.endpoints;
  Reflect.deleteProperty(harness.endpoints, 'peppol');
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  expect(await harness.invoice(id)).toMatchObject({
    state: 'validated',
    sent_at: null,
    authority_status: 'waiting: no endpoint is configured for this authority',
  });
  harness.endpoints.peppol = peppol!;
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([...toSubmitted, 'delivered']);
});

test('when the endpoint is removed submitted invoices stay as they are', async () => {
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  const { peppol } = harness.endpoints;
  Reflect.deleteProperty(harness.endpoints, 'peppol');
  harness.advance(10_000);
  await harness.runDueJobs();
  const { state, sent_at } = await harness.invoice(id);
  expect([state, sent_at === null]).toEqual(['submitted', false]);
  harness.endpoints.peppol = peppol!;
  await harness.runAllJobs();
  expect(await copies(id)).toBe(1);
});

test('a source that is down and comes back only delays the invoice', async () => {
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  const id = await harness.submit('AE');
  for (let tried = 0; tried < 5; tried += 1) {
    await harness.runDueJobs();
    harness.advance(60_000);
  }
  expect(await harness.states(id)).toEqual(['received', 'validating']);
  Reflect.deleteProperty(harness.standIns, 'read');
  await harness.runAllJobs();
  expect(await harness.states(id)).toEqual([...toSubmitted, 'delivered']);
});

test('a source that is down for longer than the limit is a rejection', async () => {
  harness.standIns.read = async (_tenant, _row, refs) =>
    refs.map(() => unreachable('Port closed.'));
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  await harness.passTrying(71 * hours);
  await harness.runDueJobs();
  expect((await harness.invoice(id)).state).toBe('validating');
  await harness.passTrying(2 * hours);
  await harness.runDueJobs();
  expect(await harness.states(id)).toEqual(['received', 'validating', 'rejected']);
  expect((await harness.invoice(id)).errors).toMatchObject([
    {
      rule: 'PINT-AE-SOURCE-UNAVAILABLE',
      message: 'The source did not answer for 72 hours. Last: Port closed.',
    },
  ]);
});

test('time in which nobody tried is no time in which the source was down', async () => {
  const down = vi.fn(async () => [unreachable()]);
  harness.standIns.read = down;
  const id = await harness.submit('AE');
  await harness.runDueJobs();
  // A tenant that is suspended for three weeks.
  harness.advance(500 * hours);
  await harness.runDueJobs();
  expect(down).toHaveBeenCalledTimes(2);
  expect((await harness.invoice(id)).state).toBe('validating');
  await harness.passTrying(70 * hours);
  await harness.runDueJobs();
  expect((await harness.invoice(id)).state).toBe('validating');
  await harness.passTrying(2 * hours);
  await harness.runDueJobs();
  expect((await harness.invoice(id)).state).toBe('rejected');
});

test('the limit counts from the first failure, not from the submission', async () => {
  const id = await harness.submit('AE');
  harness.advance(100 * hours);
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => unreachable());
  await harness.runDueJobs();
  expect((await harness.invoice(id)).state).toBe('validating');
});

test.each([
  [{ kind: 'missing' }, 'PINT-AE-SOURCE-NOT-FOUND'],
  [
    { kind: 'unusable', fault: { code: 'many_rows', message: 'Two match.', retry: 'never' } },
    'PINT-AE-SOURCE-many_rows',
  ],
] as const)('a source that answers %j rejects it', async (outcome, rule) => {
  harness.standIns.read = async (_tenant, _row, refs) => refs.map(() => outcome);
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  expect((await harness.invoice(id)).errors).toMatchObject([{ rule }]);
});

test('a write-back waits for its source and is then written once', async () => {
  harness.standIns.write = async () => unreachable('The disk is full.');
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  for (let tried = 0; tried < 4; tried += 1) {
    await harness.runDueJobs('write-back');
    harness.advance(60_000);
  }
  expect((await harness.invoice(id)).write_back).toMatchObject({
    outcome: 'waiting',
    reason: 'The disk is full.',
  });
  Reflect.deleteProperty(harness.standIns, 'write');
  await harness.runAllJobs('write-back');
  expect(confirmed(id)).toHaveLength(1);
  expect((await harness.invoice(id)).write_back).toMatchObject({ outcome: 'written' });
});

test('a write-back whose worker died after writing is not written twice', async () => {
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  const jobs = await harness.claim('write-back');
  await harness.expireLeases();
  await harness.runDueJobs('write-back');
  const { writeBack } = await import('./write-back/write-back.ts');
  const commands: string[] = [];
  const late = writeBack(
    harness.context,
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
  expect((await harness.invoice(id)).write_back).toMatchObject({ outcome: 'written' });
});

test('write-backs of one source are done in turn, and keep those of another one waiting for nothing', async () => {
  const other = await harness.addConnector(harness.tenantId);
  for (let count = 0; count < 5; count += 1) await harness.submit('AE');
  const elsewhere = await harness.submit('AE', { connectorId: other });
  await harness.runAllJobs();
  const held = Promise.withResolvers<void>();
  const written: string[] = [];
  let [underWay, most] = [0, 0];
  harness.standIns.write = async (_tenant, { id }, { confirmation }) => {
    if (id !== other) {
      underWay += 1;
      most = Math.max(most, underWay);
      await held.promise;
      underWay -= 1;
    }
    written.push(confirmation.invoiceId);
    return { kind: 'written', target: 'x' };
  };
  const done = harness.runDueJobs('write-back');
  await expect.poll(() => written).toEqual([elsewhere]);
  held.resolve();
  await done;
  expect(written).toHaveLength(6);
  expect(most).toBe(1);
  expect(await harness.jobs()).toEqual([]);
});

test('what a busy source cannot take comes later, without being tried one by one', async () => {
  const ids = [await harness.submit('AE'), await harness.submit('AE'), await harness.submit('AE')];
  await harness.runAllJobs();
  const { writeAllBack } = await import('./write-back/write-back.ts');
  let asked = 0;
  const run = async (): Promise<typeof busy> => {
    asked += 1;
    return busy;
  };
  const concurrency = { ...harness.context.concurrency, sources: { run } };
  harness.advance(31 * 24 * hours);
  const jobs = await harness.claim('write-back');
  const write = async () => expect.fail('the source is busy');
  await writeAllBack({ ...harness.context, concurrency }, { write }, jobs as never);
  expect(asked).toBe(1);
  await harness.runAllJobs('write-back');
  for (const id of ids) expect(confirmed(id)).toHaveLength(1);
});

test('a conflict in the ERP is shown, and not tried again', async () => {
  harness.standIns.write = async () => ({ kind: 'conflict', found: 'inv_other' });
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  await harness.runAllJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({
    outcome: 'conflict',
    reason: expect.stringContaining('inv_other'),
    found: 'inv_other',
  });
});

test('a write-back to an ERP that never answers is given up, and the invoice says so', async () => {
  harness.standIns.write = async () => unreachable('No such host.');
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  // Nobody tries meanwhile, also not for the first time.
  for (const days of [31, 31]) {
    harness.advance(days * 24 * hours);
    await harness.runDueJobs('write-back');
    expect((await harness.invoice(id)).write_back).toMatchObject({ outcome: 'waiting' });
  }
  await harness.passTrying(31 * 24 * hours);
  await harness.runDueJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({ outcome: 'given-up' });
  expect(await harness.jobs()).toEqual([]);
});

test('a write-back whose connector was deleted is given up, and the invoice says why', async () => {
  const id = await harness.submit('AE');
  await harness.runAllJobs();
  harness.standIns.write = async () => unreachable();
  await harness.runDueJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({ outcome: 'waiting' });
  const { tenantId, connectorId } = harness;
  await harness.context.db.tenant(tenantId, (tx) =>
    hideConnector(tx, tenantId, connectorId, harness.clock()),
  );
  await harness.runAllJobs('write-back');
  expect((await harness.invoice(id)).write_back).toMatchObject({
    outcome: 'given-up',
    reason: expect.stringContaining('connector was deleted'),
    status: 'delivered',
  });
});
