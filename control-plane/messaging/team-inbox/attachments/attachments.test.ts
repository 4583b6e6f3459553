import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRoute } from '../../../platform/http/route.ts';
import { createLog } from '../../../platform/log/log.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { deleteContacts } from '../../contacts/store.ts';
import { type InboxKit, startInbox } from '../inbox.kit.ts';
import { conversationIdOf } from '../item-id.ts';
import { attachmentRoutes } from './routes.ts';

let kit: InboxKit;
let contact: string;
beforeAll(async () => {
  kit = await startInbox();
});
afterAll(() => kit.stop());

const form = [
  '--B',
  'content-disposition: form-data; name="file"; filename="a.txt"',
  '',
  'text',
  '--B--',
  '',
].join('\r\n');

async function upload(objects: Partial<Objects>, sent = form) {
  contact = await kit.contact();
  await kit.receive(contact, 'hello', new Date());
  const all = {
    place: '',
    put: async () => {},
    get: async () => undefined,
    remove: async () => {},
  };
  const routes: AnyRoute[] = attachmentRoutes({ ...kit.context, objects: { ...all, ...objects } });
  const { tenantId, environment } = kit.scope;
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  return routes
    .find(({ method }) => method === 'post')!
    .handler({
      params: { id: conversationIdOf(contact) },
      headers,
      log: createLog({ level: 'silent' }),
      principal: { tenantId, environment, id: 'usr_a', scopes: [] },
      raw: Object.assign(Readable.from([Buffer.from(sent)]), { headers }),
      signal: AbortSignal.timeout(10_000),
    } as never);
}

test('a form with two files is refused before either is kept', async () => {
  const put = () => Promise.reject(new Error('kept'));
  const part = form.slice(0, form.indexOf('--B--'));
  await expect(upload({ put }, part + form)).rejects.toMatchObject({
    status: 400,
    message: 'file: occurs twice: send one file at a time',
  });
});

test('a conversation deleted during an upload is not found, the bytes are deleted', async () => {
  const removed: string[] = [];
  const put = async () => {
    const { tenantId } = kit.scope;
    await kit.db.tenant(tenantId, (tx) => deleteContacts(tx, kit.scope, [contact]));
  };
  const remove = async (key: string) => void removed.push(key);
  const outcome = upload({ put, remove });
  await expect(outcome).rejects.toMatchObject({ status: 404, code: 'conversation_not_found' });
  expect(removed).toHaveLength(1);
});
