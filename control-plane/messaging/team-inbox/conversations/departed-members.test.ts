import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import { makeMember } from '../../../people/members/new-member.ts';
import { removeMember } from '../../../people/members/store.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { startInbox } from '../inbox.kit.ts';
import { conversationIdOf } from '../item-id.ts';
import {
  type DepartedMemberPayload,
  departedMemberQueue,
  unassignBatch,
  unassignDepartedMember,
} from './departed-members.ts';
import { ensureConversations, findConversations, lockAssigned } from './store.ts';

let kit: ServiceKit;
let serial = 0;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const scope = () => ({ tenantId: kit.tenantId, environment: 'sandbox' }) as const;

async function agent(): Promise<string> {
  const email = `agent-${(serial += 1)}@example.com`;
  const member = { email, name: 'An agent', role: 'agent' } as const;
  return (await makeMember(kit.app.platform, kit.tenantId, member)).userId;
}

/** A conversation that is assigned to the member. */
async function given(userId: string): Promise<string> {
  const phone = `+6012777${(serial += 1) + 1_000}`;
  const { body } = await kit.ask('POST /contacts/', { body: { phone } });
  const id = conversationIdOf(body.id);
  const at = new Date();
  const row = {
    id,
    contact_id: body.id as string,
    state: 'closed' as const,
    snoozed_until: null,
    assignee_id: userId,
    opening: 1,
    opened_at: at,
    is_answered: true,
    waiting_since: null,
    due_at: null,
    unread: 0,
    last_item_id: 'msg_1',
    last_item: '1',
    last_channel: 'sms',
    created_at: at,
    updated_at: at,
  };
  const { db } = kit.app.platform;
  await db.tenant(kit.tenantId, (tx) => ensureConversations(tx, scope(), [row]));
  return id;
}

const assigneeOf = async (id: string) => {
  const { db } = kit.app.platform;
  const [row] = await db.tenant(kit.tenantId, (tx) => findConversations(tx, scope(), [id]));
  return row!.assignee_id;
};

test.each([
  ['is removed', 'DELETE', undefined],
  ['gets a role that may not answer', 'PATCH', { role: 'billing' }],
])(
  'when a member %s, their conversations are unassigned, and the history says by whom',
  async (_, method, body) => {
    const [leaver, stays] = [await agent(), await agent()];
    const [theirs, others] = [await given(leaver), await given(stays)];
    expect((await kit.ask(`${method} /tenants/users/${leaver}/`, { body })).status).toBeLessThan(
      300,
    );
    await expect.poll(() => assigneeOf(theirs)).toBeNull();
    expect(await assigneeOf(others)).toBe(stays);
    const history = await kit.ask(`GET /team-inbox/api/conversations/${theirs}/history/`);
    expect(history.body.results).toMatchObject([
      { type: 'unassigned', actor: expect.stringMatching(/^key_/), data: { from: leaver } },
    ]);
  },
);

test('a member whose other role may also answer keeps their conversations', async () => {
  const userId = await agent();
  const id = await given(userId);
  await kit.ask(`PATCH /tenants/users/${userId}/`, { body: { role: 'developer' } });
  const { db } = kit.app.platform;
  const queued = await db.tenant(kit.tenantId, (tx) =>
    tx.rows('select 1 from job where queue = $1 and key like $2', [
      departedMemberQueue,
      `%${userId}`,
    ]),
  );
  expect(queued).toEqual([]);
  expect(await assigneeOf(id)).toBe(userId);
});

test('nobody is assigned a conversation who is being removed at the same moment', async () => {
  const [leaver, stays] = [await agent(), await agent()];
  const id = await given(stays);
  const { db } = kit.app.platform;
  const [removed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const removing = db.tenant(kit.tenantId, async (tx) => {
    await removeMember(tx, kit.tenantId, leaver);
    removed.resolve();
    await goOn.promise;
  });
  await removed.promise;
  const body = { assignee_id: leaver };
  const assigning = kit.ask(`PATCH /team-inbox/api/conversations/${id}/`, { body });
  const waiting = 'select pid from pg_locks where not granted';
  try {
    await expect.poll(() => sqlAt(kit.ownerUrl, waiting)).toHaveLength(1);
  } finally {
    goOn.resolve();
    await removing;
  }
  expect((await assigning).status).toBe(400);
  expect(await assigneeOf(id)).toBe(stays);
});

test('many are unassigned in batches, until none is left', async () => {
  const inbox = await startInbox();
  const { tenantId } = inbox.scope;
  for (let n = 0; n <= unassignBatch; n += 1) {
    await inbox.receive(await inbox.contact(), 'hello', new Date());
  }
  const left = () =>
    inbox.context.db.tenant(tenantId, (tx) => lockAssigned(tx, inbox.scope, 'usr_gone', 1_000));
  await inbox.context.db.tenant(tenantId, (tx) =>
    tx.run("update conversation set assignee_id = 'usr_gone' where tenant_id = $1", [tenantId]),
  );
  const payload: DepartedMemberPayload = {
    environment: 'sandbox',
    userId: 'usr_gone',
    by: 'usr_a',
  };
  const settled: string[] = [];
  const jobs = {
    complete: async () => void settled.push('complete'),
    reschedule: async () => void settled.push('reschedule'),
  };
  const context = { ...inbox.context, jobs: jobs as never };
  const job = { tenantId, payload } as Job<DepartedMemberPayload>;
  await unassignDepartedMember(context, job);
  expect(await left()).toHaveLength(1);
  await unassignDepartedMember(context, job);
  expect(await left()).toHaveLength(0);
  expect(settled).toEqual(['reschedule', 'complete']);
  await inbox.stop();
}, 60_000);
