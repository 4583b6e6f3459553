/** For tests of this folder: a database with a tenant, contacts and messages as the intake writes them. */
import { randomBytes } from 'node:crypto';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createTenant } from '../../platform/auth/issue.ts';
import { insertMany } from '../../platform/db/insert.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId, newUuid } from '../../platform/ids.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import { insertContact, type Place } from '../contacts/store.ts';
import type { MessageRow } from '../messages/message-row.ts';
import type { InboxEdge } from './edge.ts';
import { type InboxHooks, inboxHooks } from './intake.ts';

export interface InboxKit extends TestDb {
  readonly place: Place;
  readonly edge: InboxEdge;
  readonly hooks: InboxHooks;
  /** Places that were told to have changed. */
  readonly changed: Place[];
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

/** A new tenant on a database that is there. */
export async function withInbox(kit: TestDb): Promise<InboxKit> {
  const { db } = kit;
  const tenantId = await createTenant(db, 'Inbox', { clock: now, random: randomBytes });
  const place: Place = { tenantId, environment: 'sandbox' };
  const changed: Place[] = [];
  const jobs = await openJobs({
    ...{ db, log: createLog({ level: 'silent' }), metrics: createMetrics() },
    newClaimId: () => newUuid(now, randomBytes),
  });
  const edge: InboxEdge = {
    ...{ db, jobs, clock: now, random: randomBytes },
    changed: (at) => void changed.push(at),
  };
  const hooks = inboxHooks(edge);
  const write = async (row: MessageRow, hook: 'received' | 'queued') => {
    await db.tenant(place.tenantId, async (tx) => {
      await insertMessage(tx, place, row);
      await hooks[hook](tx, place, [row]);
    });
    return row;
  };
  return {
    ...kit,
    ...{ place, edge, hooks, changed },
    contact: async (name = 'Asha', phone) => {
      const id = newId('con', now, randomBytes);
      const row = { id, name, phone: phone ?? null, attributes: {}, created_at: now() };
      await db.tenant(place.tenantId, (tx) => insertContact(tx, place, row));
      return id;
    },
    receive: (contactId, text, at, more) =>
      write({ ...messageRow(contactId, text, at), ...more }, 'received'),
    send: (contactId, text, at, more) =>
      write(
        {
          ...messageRow(contactId, text, at),
          ...{ direction: 'out', status: 'queued', author: 'usr_a', ...more },
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
    ...{ id: newId('msg', () => at, randomBytes), channel: 'wa', direction: 'in', app_id: 'app_1' },
    ...{ contact_id: contactId, address: '+971501234567', broadcast_id: null },
    ...{ content: { kind: 'text', text }, preview: text, status: 'received' },
    ...{ provider_id: null, reply_to: null, ttl_seconds: null, registration: null },
    ...{ due_at: null, attempts: 0, error_code: null, error_detail: null, price: null },
    ...{
      currency: null,
      hold_released_at: null,
      author: null,
      created_at: at,
      sent_at: null,
      delivered_at: null,
    },
    ...{ read_at: null, failed_at: null },
  };
}

export async function insertMessage(tx: Tx, place: Place, row: MessageRow): Promise<void> {
  const { tenantId: tenant_id, environment } = place;
  const values = Object.entries({ ...row, tenant_id, environment });
  const written = Object.fromEntries(values.filter(([name]) => name in types));
  await insertMany(tx, 'message', types, [written as Record<keyof typeof types, unknown>]);
}
