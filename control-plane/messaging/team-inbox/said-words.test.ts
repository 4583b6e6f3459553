import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder, sqlAt, startPostgres } from '../../../test/kit/postgres.ts';
import { createTenant } from '../../platform/auth/issue.ts';
import { openDb } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/ids.ts';
import { insertContact } from '../contacts/store.ts';
import { moveMessages } from '../messages/people-store.ts';
import { type InboxKit, insertMessage, messageRow, startInbox } from './inbox.kit.ts';

let kit: InboxKit;
beforeAll(async () => {
  kit = await startInbox();
});
afterAll(() => kit.stop());

const at = new Date(Date.UTC(2026, 10, 23, 8));
const inTenant = <T>(work: (tx: Tx) => Promise<T>) => kit.db.tenant(kit.place.tenantId, work);

/** Which of the words may have been said with the contact; undefined: nothing was. */
async function saidOf(contactId: string, words: readonly string[]): Promise<string[] | undefined> {
  const row = await inTenant((tx) =>
    tx.row<{ said: string[] }>(
      `select array(select word from unnest($2::text[]) word
         where s.words is null or word_hash(word) = any (s.words)) as said
       from said_words s where contact_id = $1`,
      [contactId, words],
    ),
  );
  return row?.said;
}

/** Ids of messages with the words, looked for in each conversation. */
const found = (words: string) =>
  inTenant(async (tx) => {
    const rows = await tx.rows<{ id: string }>(
      'select find_inbox_conversations($1, null, $2, null, null, null, null, 5) as id',
      [kit.place.environment, words],
    );
    return rows.map(({ id }) => id);
  });

test('words of messages in both directions are noted, those of broadcasts are not', async () => {
  const contact = await kit.contact();
  await kit.send(contact, 'campaign', at, { broadcast_id: 'brd_1' });
  expect(await saidOf(contact, ['campaign'])).toBeUndefined();
  await kit.receive(contact, 'Where is my parcel?', at);
  await kit.send(contact, '发票 on its way', at);
  const words = ['campaign', 'parcel', 'where', '票', 'way', 'invoice'];
  expect(await saidOf(contact, words)).toEqual(['parcel', 'where', '票', 'way']);
});

test('of two who say something to a contact at once both are heard', async () => {
  const contact = await kit.contact();
  const say = (text: string, wait: Promise<void>) =>
    inTenant(async (tx) => {
      await insertMessage(tx, kit.place, messageRow(contact, text, at));
      await wait;
    });
  const { promise, resolve } = Promise.withResolvers<void>();
  const said = [say('one', promise), say('two', promise)];
  resolve();
  await Promise.all(said);
  await say('three', promise);
  expect(await saidOf(contact, ['one', 'two', 'three', 'four'])).toEqual(['one', 'two', 'three']);
});

test('what was said with one contact was said with the one that it is merged into', async () => {
  const [from, into] = [await kit.contact(), await kit.contact()];
  const message = await kit.receive(from, 'pomegranate', at);
  await kit.receive(into, 'hello', at);
  expect(await found('pomegranate')).toEqual([message.id]);
  await inTenant(async (tx) => {
    await moveMessages(tx, kit.place, { from, into });
    await tx.run('delete from contact where id = $1', [from]);
  });
  expect(await saidOf(from, [])).toBeUndefined();
  expect(await saidOf(into, ['pomegranate', 'hello', 'kiwi'])).toEqual(['pomegranate', 'hello']);
  expect(await found('pomegranate')).toEqual([message.id]);
});

test('with too many words it is known of none that it was not said', async () => {
  const contact = await kit.contact();
  const words = Array.from({ length: 1_700 }, (_, n) => `many${n}`);
  for (let from = 0; from < words.length; from += 200) {
    await kit.receive(contact, words.slice(from, from + 200).join(' '), at);
  }
  expect(await saidOf(contact, ['many7', 'never'])).toEqual(['many7', 'never']);
  const message = await kit.receive(contact, 'tangerine', at);
  expect(await found('tangerine')).toEqual([message.id]);
  expect(await found('never')).toEqual([]);
});

test('a contact that goes away before the words are noted takes them along', async () => {
  const contact = await kit.contact();
  await inTenant(async (tx) => {
    await insertMessage(tx, kit.place, messageRow(contact, 'last words', at));
    await tx.run('delete from contact where id = $1', [contact]);
  });
  expect(await saidOf(contact, [])).toBeUndefined();
});

test('another tenant knows nothing of it', async () => {
  const contact = await kit.contact();
  await kit.receive(contact, 'secret', at);
  const { clock, random } = kit.edge;
  const other = await createTenant(kit.db, `Other ${newId('x', clock, random)}`, { clock, random });
  const count = await kit.db.tenant(other, (tx) =>
    tx.row<{ count: number }>('select count(*)::int as count from said_words'),
  );
  expect(count).toEqual({ count: 0 });
});

test('what was said before the words were noted is noted by the migration', async () => {
  const { url, stop } = await startPostgres();
  const older = await mkdtemp(join(tmpdir(), 'older-'));
  try {
    await cp(migrationsFolder, older, {
      recursive: true,
      filter: (name) => !/\/2[1-9]\d-/.test(name),
    });
    const { role } = await migrate({ url, folder: older });
    const db = await openDb({ url: role.url, poolMax: 2 });
    const { clock, random } = kit.edge;
    const tenantId = await createTenant(db, 'Older', { clock, random });
    const place = { tenantId, environment: 'live' } as const;
    const broadcast = { broadcast_id: 'brd_1' };
    await db.tenant(tenantId, async (tx) => {
      const contact = { name: 'Asha', phone: null, attributes: {}, created_at: at };
      await insertContact(tx, place, { id: 'con_old', ...contact });
      await insertContact(tx, place, { id: 'con_silent', ...contact });
      await insertMessage(tx, place, messageRow('con_old', 'an older word', at));
      await insertMessage(tx, place, { ...messageRow('con_old', 'campaign', at), ...broadcast });
      await insertMessage(tx, place, messageRow('con_gone', 'lost', at));
    });
    await db.close();
    await migrate({ url, folder: migrationsFolder });
    const noted = await sqlAt(
      url,
      `select contact_id, cardinality(words) as count, word_hash('older') = any (words) as older
       from said_words`,
    );
    expect(noted).toEqual([{ contact_id: 'con_old', count: 3, older: true }]);
  } finally {
    await stop();
    await rm(older, { recursive: true });
  }
});
