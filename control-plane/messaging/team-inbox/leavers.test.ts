import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { type ServiceKit, startService } from '../service.kit.ts';
import { makeMember } from '../token/accounts.ts';
import { ensureConversations, findConversations, lockAssigned } from './conversation-store.ts';
import { startInbox } from './inbox.kit.ts';
import { conversationIdOf } from './item-id.ts';
import { type LeaverPayload, leaverBatch, leaverQueue, unassignLeaver } from './leavers.ts';

let kit: ServiceKit;
let serial = 0;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const place = () => ({ tenantId: kit.tenantId, environment: 'sandbox' }) as const;

async function agent(): Promise<string> {
  const email = `agent-${(serial += 1)}@example.com`;
  const member = { email, name: 'An agent', role: 'agent' } as const;
  return (await makeMember(kit.app.platform, kit.tenantId, member)).userId;
}

/** A conversation that the member has. */
async function given(userId: string): Promise<string> {
  const phone = `+6012777${(serial += 1) + 1_000}`;
  const { body } = await kit.ask('POST /contacts/', { body: { phone } });
  const id = conversationIdOf(body.id);
  const at = new Date();
  const row = {
    ...({ id, contact_id: body.id as string, state: 'closed', snoozed_until: null } as const),
    ...{ assignee_id: userId, opening: 1, opened_at: at, is_answered: true, waiting_since: null },
    ...{ due_at: null, unread: 0, last_item_id: 'msg_1', last_item: '1', last_channel: 'sms' },
    ...{ created_at: at, updated_at: at },
  };
  const { db } = kit.app.platform;
  await db.tenant(kit.tenantId, (tx) => ensureConversations(tx, place(), [row]));
  return id;
}

const assigneeOf = async (id: string) => {
  const { db } = kit.app.platform;
  const [row] = await db.tenant(kit.tenantId, (tx) => findConversations(tx, place(), [id]));
  return row!.assignee_id;
};

test.each([
  ['is removed', 'DELETE', undefined],
  ['gets a role that may not answer', 'PATCH', { role: 'billing' }],
])(
  'what a member had who %s is nobody’s, and the history says by whom',
  async (_, method, body) => {
    const [leaver, stays] = [await agent(), await agent()];
    const [theirs, others] = [await given(leaver), await given(stays)];
    expect((await kit.ask(`${method} /tenants/users/${leaver}/`, { body })).status).toBeLessThan(
      300,
    );
    await expect.poll(() => assigneeOf(theirs), { timeout: 10_000 }).toBeNull();
    expect(await assigneeOf(others)).toBe(stays);
    const history = await kit.ask(`GET /team-inbox/api/conversations/${theirs}/history/`);
    expect(history.body.results).toMatchObject([
      { type: 'unassigned', actor: expect.stringMatching(/^key_/), data: { from: leaver } },
    ]);
  },
);

test('who gets another role that may answer keeps what is theirs', async () => {
  const userId = await agent();
  const id = await given(userId);
  await kit.ask(`PATCH /tenants/users/${userId}/`, { body: { role: 'developer' } });
  const { db } = kit.app.platform;
  const queued = await db.tenant(kit.tenantId, (tx) =>
    tx.rows('select 1 from job where queue = $1 and key like $2', [leaverQueue, `%${userId}`]),
  );
  expect(queued).toEqual([]);
  expect(await assigneeOf(id)).toBe(userId);
});

test('of many some are taken at a time, until there are none', async () => {
  const inbox = await startInbox();
  const { tenantId } = inbox.place;
  for (let n = 0; n <= leaverBatch; n += 1) {
    await inbox.receive(await inbox.contact(), 'hello', new Date());
  }
  const left = () =>
    inbox.edge.db.tenant(tenantId, (tx) => lockAssigned(tx, inbox.place, 'usr_gone', 1_000));
  await inbox.edge.db.tenant(tenantId, (tx) =>
    tx.run("update conversation set assignee_id = 'usr_gone' where tenant_id = $1", [tenantId]),
  );
  const payload: LeaverPayload = { environment: 'sandbox', userId: 'usr_gone', by: 'usr_a' };
  const settled: string[] = [];
  const jobs = {
    complete: async () => void settled.push('complete'),
    reschedule: async () => void settled.push('reschedule'),
  };
  const edge = { ...inbox.edge, jobs: jobs as never };
  const job = { tenantId, payload } as Job<LeaverPayload>;
  await unassignLeaver(edge, job);
  expect(await left()).toHaveLength(1);
  await unassignLeaver(edge, job);
  expect(await left()).toHaveLength(0);
  expect(settled).toEqual(['reschedule', 'complete']);
  await inbox.stop();
}, 60_000);
