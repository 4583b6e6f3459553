import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mappings } from '../../../../scripts/demo/mappings.ts';
import { eventually } from '../../../../test/kit/eventually.ts';
import { makeMember } from '../../../people/members/new-member.ts';
import { erpSettings } from '../../erp.kit.ts';
import { type Harness, startHarness } from '../../harness.kit.ts';

interface Caller {
  readonly key: string;
  readonly id: string;
}

let harness: Harness;
let path: string;
/** Two people, a key that the first one made, a key made with that key, and the first key of the installation. */
const callers: Record<string, Caller> = {};
/** The credentials of the same in the live environment. */
const live: Record<string, string> = {};
const agentId = `agt_${'0'.repeat(26)}`;
beforeAll(async () => {
  harness = await startHarness();
  const { platform } = harness.app;
  for (const name of ['anna', 'badr']) {
    const member = { email: `${name}@acme.example`, name, role: null };
    const roles = { ...member, einvoicing_role: 'finance_admin' } as const;
    const { userId } = await makeMember(platform, harness.acme.id, roles);
    const session = await platform.sessions.begin(userId, harness.acme.id, 'sandbox');
    callers[name] = { key: session.access, id: userId };
    live[name] = (await platform.sessions.begin(userId, harness.acme.id, 'live')).access;
  }
  const request = { name: 'robot', scopes: ['*'] };
  const issue = async (by: Caller | undefined) => {
    const { body } = await harness.call('POST /v1/api-keys', request, by);
    return { key: body.key, id: body.id };
  };
  callers["anna's key"] = await issue(callers.anna);
  callers["anna's key's key"] = await issue(callers["anna's key"]);
  callers["nobody's key"] = await issue(undefined);
  const anna = { key: live.anna!, environment: 'live' } as const;
  live["anna's key"] = (await harness.call('POST /v1/api-keys', request, anna)).body.key;
  live["nobody's key"] = harness.acme.keys.live;
  await harness.sql(
    `insert into agent (tenant_id, id, hostname, public_key, software)
     values ($1, $2, 'site', $3, '1') returning id`,
    [harness.acme.id, agentId, `${'A'.repeat(43)}=`],
  );
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'ERP',
    default_profile: 'PINT-AE',
    settings: erpSettings(harness.erp.file),
  });
  path = `/v1/connectors/${body.id}/mapping`;
});

const policy = (mapping: 'one' | 'two', by?: Caller) =>
  harness.call('PUT /v1/approval-policy', { mappings: mapping, live_submission: mapping }, by);
const put = (status: 'proposed' | 'approved', by?: Caller) => {
  const fields = mappings['PINT-AE'].fields.map((field) => ({ ...field, status }));
  return harness.call(`PUT ${path}`, { mapping: { fields } }, by);
};
const approve = (by?: Caller) => harness.call(`POST ${path}/approve`, {}, by);

test.each([
  ['one', 'anna', 'anna', 200],
  ['one', "nobody's key", "nobody's key", 200],
  ['two', 'anna', 'anna', 409],
  ['two', 'anna', "anna's key", 409],
  ['two', "anna's key", 'anna', 409],
  ['two', "anna's key's key", 'anna', 409],
  ['two', 'anna', 'badr', 200],
  ['two', 'badr', "anna's key", 200],
  ['two', "nobody's key", 'anna', 409],
  ['two', 'anna', "nobody's key", 403],
] as const)(
  'where it takes %s, what %s changed, %s approves: %i',
  async (people, changer, approver, status) => {
    await policy('one', callers.anna);
    expect(await policy(people, callers.anna)).toMatchObject({ status: 200 });
    const changed = await put('proposed', callers[changer]);
    const person = changer.startsWith('anna') ? callers.anna : callers[changer];
    expect(changed).toMatchObject({ status: 200, body: { changed_by: person?.id } });
    const answer = await approve(callers[approver]);
    expect(answer).toMatchObject({ status });
    if (status === 409) expect(answer.body.code).toBe('second_person_needed');
    if (status === 403) expect(answer.body.code).toBe('person_required');
    if (status === 200) {
      expect(answer.body).toMatchObject({
        changed_by: person?.id,
        fields: expect.arrayContaining([
          expect.objectContaining({ approved_by: callers[approver]!.id }),
        ]),
      });
    }
  },
);

test('where it takes two, each field takes another person than the one who has put it forward', async () => {
  await policy('one', callers.anna);
  expect(await put('approved', callers.anna)).toMatchObject({ status: 200 });
  await policy('two', callers.anna);
  const change = async (target: string, by?: Caller) => {
    const { fields } = (await harness.call(`GET ${path}`)).body;
    const sent = fields.map(({ sample: _, ...field }: { target: string; sample: unknown }) =>
      field.target === target ? { target, value: 'changed', status: 'proposed' } : field,
    );
    return harness.call(`PUT ${path}`, { mapping: { fields: sent } }, by);
  };
  expect(await change('seller.name', callers.anna)).toMatchObject({ status: 200 });
  expect(await change('buyer.name', callers.badr)).toMatchObject({ status: 200 });
  const one = (target: string, by?: Caller) =>
    harness.call(`POST ${path}/approve`, { targets: [target] }, by);
  for (const person of ['anna', 'badr', "anna's key"]) {
    expect(await approve(callers[person])).toMatchObject({ status: 409 });
  }
  expect(await one('seller.name', callers.anna)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('seller.name') },
  });
  expect(await one('buyer.name', callers.anna)).toMatchObject({ status: 200 });
  expect(await one('seller.name', callers.badr)).toMatchObject({
    status: 200,
    body: { status: 'approved' },
  });
});

test('where it takes two, what nobody has put forward is first put so by a person', async () => {
  await policy('two', callers.anna);
  expect(await approve(callers.anna)).toMatchObject({
    status: 409,
    body: { code: 'second_person_needed', detail: expect.stringContaining('No person') },
  });
  expect(await put('proposed', callers["nobody's key"])).toMatchObject({ status: 200 });
  expect(await approve(callers.anna)).toMatchObject({ status: 409 });
  expect(await put('proposed', callers.anna)).toMatchObject({ status: 200 });
  expect(await put('proposed', callers["nobody's key"])).toMatchObject({ status: 200 });
  expect(await approve(callers.anna)).toMatchObject({ status: 409 });
  expect(await approve(callers.badr)).toMatchObject({ status: 200 });
});

test.each([
  ['lists', { lists: { 'lines[]': { section: 'header' } } }],
  ['joins', { joins: { lines: { parent: 'header', column: 'a', parent_column: 'b' } } }],
])('where other rows are read by %s, what they give is approved anew', async (_, change) => {
  await policy('one', callers.anna);
  expect(await put('approved', callers.anna)).toMatchObject({ status: 200 });
  const { fields } = mappings['PINT-AE'];
  const send = (status: string, by?: Caller) => {
    const mapping = { ...change, fields: fields.map((field) => ({ ...field, status })) };
    return harness.call(`PUT ${path}`, { mapping }, by);
  };
  const request = { name: 'connects', scopes: ['connectors:write', 'connectors:read'] };
  const { key, id } = (await harness.call('POST /v1/api-keys', request, callers.anna)).body;
  expect(await send('approved', { key, id })).toMatchObject({
    status: 403,
    body: { code: 'not_permitted', detail: expect.stringContaining('lines[]') },
  });
  expect(await send('proposed', { key, id })).toMatchObject({ status: 200 });
  const stored = (await harness.call(`GET ${path}`)).body;
  expect(stored.status).toBe('proposed');
  await policy('two', callers.anna);
  expect(await send('approved', callers.anna)).toMatchObject({ status: 409 });
});

test("a key whose maker is no member any more is nobody's", async () => {
  await policy('one', callers.anna);
  const carla = { email: 'carla@acme.example', name: 'carla', role: null };
  const roles = { ...carla, einvoicing_role: 'finance_admin' } as const;
  const { userId } = await makeMember(harness.app.platform, harness.acme.id, roles);
  const session = await harness.app.platform.sessions.begin(userId, harness.acme.id, 'sandbox');
  const request = { name: 'of carla', scopes: ['*'] };
  const as = { key: session.access, id: userId };
  const made = (await harness.call('POST /v1/api-keys', request, as)).body;
  await policy('two', callers.anna);
  expect(await put('proposed', callers.anna)).toMatchObject({ status: 200 });
  const removed = await harness.call(`DELETE /v1/members/${userId}`, undefined, callers.anna);
  expect(removed.status).toBe(204);
  expect(await approve(made)).toMatchObject({ status: 403, body: { code: 'person_required' } });
});

test('where it takes two, nobody puts a mapping that is approved already, and a later change takes another', async () => {
  await policy('two', callers.anna);
  expect(await put('approved', callers.anna)).toMatchObject({ status: 409 });
  expect(await put('proposed', callers.anna)).toMatchObject({ status: 200 });
  expect(await approve(callers.badr)).toMatchObject({ status: 200, body: { status: 'approved' } });
  // The same again is no change.
  expect(await put('approved', callers.badr)).toMatchObject({
    status: 200,
    body: { changed_by: callers.anna!.id },
  });
});

describe('where two begin to submit in the live environment', () => {
  const day = '2026-11-21';
  const held = { submit_from: day, submission: { hold: 'release' } };
  const open = { submission: null };
  type Step = readonly [by: string, change: object, status: number];
  test.each<{
    readonly name: string;
    readonly people?: 'one' | 'two';
    readonly steps: readonly Step[];
  }>([
    {
      name: 'one may at once where it takes one',
      people: 'one',
      steps: [['anna', { submit_from: day }, 200]],
    },
    { name: 'one may not at once', steps: [['anna', { submit_from: day }, 409]] },
    {
      name: 'one begins it held, and does not end the hold',
      steps: [
        ['anna', held, 200],
        ['anna', open, 409],
      ],
    },
    {
      name: 'nor does a key of theirs',
      steps: [
        ["anna's key", held, 200],
        ['anna', open, 409],
      ],
    },
    {
      name: 'nor a key of nobody',
      steps: [
        ['anna', held, 200],
        ["nobody's key", open, 403],
      ],
    },
    {
      name: 'nor a person for a key of nobody',
      steps: [
        ["nobody's key", held, 200],
        ['anna', open, 409],
        ['anna', held, 200],
        ['badr', open, 200],
      ],
    },
    {
      name: 'another person does',
      steps: [
        ['anna', held, 200],
        ['badr', open, 200],
        ['anna', { submit_from: '2026-11-22' }, 200],
      ],
    },
    {
      name: 'what is stopped begins anew',
      steps: [
        ['anna', held, 200],
        ['badr', open, 200],
        ['badr', { submit_from: null }, 200],
        ['anna', { submit_from: day }, 409],
      ],
    },
    {
      name: 'a change of one is no second person for the other',
      steps: [
        ['anna', held, 200],
        ['badr', { submission: { hold: 'approval' } }, 200],
        ['badr', open, 409],
        ['anna', open, 200],
      ],
    },
  ])('$name', async ({ people = 'two', steps }) => {
    await policy('one', callers.anna);
    await policy(people, callers.anna);
    const settings = { connector: 'erp' };
    const request = { pattern: 'agent', kind: 'agent', name: 'ERP', agent_id: agentId, settings };
    const body = { ...request, default_profile: 'PINT-AE' };
    const made = await harness.call('POST /v1/connectors', body, { environment: 'live' });
    expect(made).toMatchObject({ status: 201 });
    for (const [by, change, status] of steps) {
      const caller = { key: live[by]!, environment: 'live' } as const;
      const answer = await harness.call(`PATCH /v1/connectors/${made.body.id}`, change, caller);
      expect({ by, change, ...answer }).toMatchObject({ status });
      if (status === 409) expect(answer.body.code).toBe('second_person_needed');
    }
  });
});

test('a key does not go back to one in the moment in which a person asks for two', async () => {
  await policy('one', callers.anna);
  const { db } = harness.app.platform;
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const asksForTwo = db.tenant(harness.acme.id, async (tx) => {
    await tx.run(`update approval_policy set mappings = 'two' where tenant_id = $1`, [
      harness.acme.id,
    ]);
    await mayCommit;
  });
  const answer = policy('one', callers["anna's key"]);
  await eventually(async () =>
    expect(await harness.sql('select from pg_locks where not granted', [])).not.toEqual([]),
  );
  commit();
  await asksForTwo;
  expect(await answer).toMatchObject({ status: 403, body: { code: 'person_required' } });
});

test('only a person goes back to one, and each change is in the audit log', async () => {
  expect((await harness.call('GET /v1/approval-policy')).status).toBe(200);
  await policy('two', callers.anna);
  expect(await policy('one', callers["anna's key"])).toMatchObject({
    status: 403,
    body: { code: 'person_required' },
  });
  expect(await policy('one', callers.badr)).toMatchObject({
    status: 200,
    body: { mappings: 'one', live_submission: 'one' },
  });
  const { body } = await harness.call('GET /v1/audit-log?limit=1');
  expect(body.results[0]).toMatchObject({
    action: 'putApprovalPolicy',
    subject: 'approval policy',
    actor: expect.objectContaining({ id: callers.badr!.id }),
  });
});

test('what waits for an approval is listed with who has put it forward, until it is approved', async () => {
  await policy('one', callers.anna);
  await policy('two', callers.anna);
  const waiting = async (by?: Caller) => {
    const { body } = await harness.call('GET /v1/approvals', undefined, by);
    return body.results.filter((each: { connector_id: string }) =>
      path.includes(each.connector_id),
    );
  };
  expect(await waiting(callers.anna)).toEqual([]);
  await put('proposed', callers.anna);
  const [{ fields }] = await waiting(callers.badr);
  expect(fields).toBe(mappings['PINT-AE'].fields.length);
  const anna = { id: callers.anna!.id, name: 'anna' };
  const common = { kind: 'mapping', connector_name: 'ERP', profile: 'PINT-AE' };
  expect(await waiting(callers.badr)).toMatchObject([
    { ...common, put_forward_by: [anna], is_yours: false },
  ]);
  expect(await waiting(callers["anna's key"])).toMatchObject([{ is_yours: true }]);
  await approve(callers.badr);
  expect(await waiting(callers.badr)).toEqual([]);
});

test('a live submission that was begun with a hold waits, in live alone, and only where it takes two', async () => {
  const settings = { connector: 'erp' };
  const request = { pattern: 'agent', kind: 'agent', name: 'ERP', agent_id: agentId, settings };
  const body = { ...request, default_profile: 'PINT-AE' };
  const { id } = (await harness.call('POST /v1/connectors', body, { environment: 'live' })).body;
  const waiting = async (environment: 'sandbox' | 'live') => {
    const key = environment === 'live' ? live.badr! : callers.badr!.key;
    const answer = await harness.call('GET /v1/approvals', undefined, { key, environment });
    return answer.body.results.filter((each: { connector_id: string }) => each.connector_id === id);
  };
  await policy('two', callers.anna);
  const held = { submit_from: '2026-11-21', submission: { hold: 'release' } };
  const anna = { key: live.anna!, environment: 'live' } as const;
  await harness.call(`PATCH /v1/connectors/${id}`, held, anna);
  expect(await waiting('live')).toMatchObject([
    {
      kind: 'live_submission',
      submit_from: '2026-11-21',
      put_forward_by: [{ id: callers.anna!.id, name: 'anna' }],
      is_yours: false,
    },
  ]);
  expect(await waiting('sandbox')).toEqual([]);
  await policy('one', callers.anna);
  expect(await waiting('live')).toEqual([]);
});
