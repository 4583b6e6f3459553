/**
 * For tests of this folder: a database with a tenant, contacts and messages in the form of the
 * intake.
 */
import { randomBytes } from 'node:crypto';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createTenant } from '../../platform/auth/issue.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { insertMany } from '../../platform/db/insert.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId, newUuid } from '../../platform/ids.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import { insertContact } from '../contacts/store.ts';
import type { MessageRow } from '../messages/message-row.ts';
import type { InboxContext } from './context.ts';
import { type InboxHooks, inboxHooks } from './messages/hooks.ts';

export interface InboxKit extends TestDb {
  readonly scope: TenantScope;
  readonly context: InboxContext;
  readonly hooks: InboxHooks;
  /** The scopes that were reported as changed. */
  readonly changed: TenantScope[];
  contact(name?: string, phone?: string): Promise<string>;
  /** A message that the person sent. */
  receive(
    contactId: string,
    text: string,
    at: Date,
    more?: Partial<MessageRow>,
  ): Promise<MessageRow>;
  /** A message of ours. */
  send(contactId: string, text: string, at: Date, more?: Partial<MessageRow>): Promise<MessageRow>;
}

const types = {
  id: 'text',
  tenant_id: 'uuid',
  environment: 'text',
  channel: 'text',
  direction: 'text',
  app_id: 'text',
  contact_id: 'text',
  address: 'text',
  broadcast_id: 'text',
  content: 'jsonb',
  preview: 'text',
  status: 'text',
  author: 'text',
  created_at: 'timestamptz',
} as const;

export async function startInbox(): Promise<InboxKit> {
  return withInbox(await startDb());
}

const now = () => new Date();

/** A new tenant in an existing database. */
export async function withInbox(kit: TestDb): Promise<InboxKit> {
  const { db } = kit;
  const tenantId = await createTenant(db, 'Inbox', { clock: now, random: randomBytes });
  const scope: TenantScope = { tenantId, environment: 'sandbox' };
  const changed: TenantScope[] = [];
  const jobs = await openJobs({
    db,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    newClaimId: () => newUuid(now, randomBytes),
  });
  const context: InboxContext = {
    db,
    jobs,
    clock: now,
    random: randomBytes,
    changed: (at) => void changed.push(at),
  };
  const hooks = inboxHooks(context);
  const write = async (row: MessageRow, hook: 'received' | 'queued') => {
    await db.tenant(scope.tenantId, async (tx) => {
      await insertMessage(tx, scope, row);
      await hooks[hook](tx, scope, [row]);
    });
    return row;
  };
  return {
    ...kit,
    scope,
    context,
    hooks,
    changed,
    contact: async (name = 'Asha', phone) => {
      const id = newId('con', now, randomBytes);
      const row = { id, name, phone: phone ?? null, attributes: {}, created_at: now() };
      await db.tenant(scope.tenantId, (tx) => insertContact(tx, scope, row));
      return id;
    },
    receive: (contactId, text, at, more) =>
      write({ ...messageRow(contactId, text, at), ...more }, 'received'),
    send: (contactId, text, at, more) =>
      write(
        {
          ...messageRow(contactId, text, at),
          direction: 'out',
          status: 'queued',
          author: 'usr_a',
          ...more,
        },
        'queued',
      ),
    stop: async () => {
      await jobs.close();
      await kit.stop();
    },
  };
}

/** A text that a person sent by `wa`. */
export function messageRow(contactId: string | null, text: string, at: Date): MessageRow {
  return {
    id: newId('msg', () => at, randomBytes),
    channel: 'wa',
    direction: 'in',
    app_id: 'app_1',
    contact_id: contactId,
    address: '+971501234567',
    broadcast_id: null,
    content: { kind: 'text', text },
    preview: text,
    status: 'received',
    provider_id: null,
    reply_to: null,
    ttl_seconds: null,
    registration: null,
    due_at: null,
    attempts: 0,
    error_code: null,
    error_detail: null,
    price: null,
    currency: null,
    hold_released_at: null,
    author: null,
    created_at: at,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
  };
}

export async function insertMessage(tx: Tx, scope: TenantScope, row: MessageRow): Promise<void> {
  const { tenantId: tenant_id, environment } = scope;
  const values = Object.entries({ ...row, tenant_id, environment });
  const written = Object.fromEntries(values.filter(([name]) => name in types));
  await insertMany(tx, 'message', types, [written as Record<keyof typeof types, unknown>]);
}
