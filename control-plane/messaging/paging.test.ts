import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCursor } from '../platform/http/cursor.ts';
import type { AnyRoute } from '../platform/http/route.ts';
import { messagingModule } from './module.ts';
import { type ServiceKit, startService } from './service.kit.ts';

const routes = messagingModule.describe();

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const isList = ({ method, path, request }: AnyRoute) =>
  method === 'get' && !path.includes('{') && request?.query?.shape?.cursor !== undefined;
const lists = routes.filter(isList).map(({ path }) => path);

test('there are lists', () => expect(lists.length).toBeGreaterThan(20));

test.each(lists)('GET %s refuses the cursor of another list', async (path) => {
  const cursor = toCursor(`other_${'0'.repeat(26)}`);
  const { status, body } = await kit.ask(`GET ${path}?cursor=${cursor}`);
  expect([status, body.errors]).toEqual([
    400,
    { cursor: ['must be the "next" of an earlier page of this list'] },
  ]);
});

const nobodys = 'does-not-exist';
const things = routes.filter(({ auth, request }) => {
  const names = Object.keys(request?.params?.shape ?? {});
  const params = Object.fromEntries(names.map((name) => [name, nobodys]));
  return 'scope' in auth && request?.params?.safeParse(params).success === false;
});

test('there are ids', () => expect(things.length).toBeGreaterThan(50));

test.each(things.map(({ method, path }) => [method.toUpperCase(), path]))(
  '%s %s answers 404 to an unknown id',
  async (method, path) => {
    const url = path.replace(/\{\w+\}/g, nobodys);
    const takesBody = method !== 'GET' && method !== 'DELETE';
    const { status, body } = await kit.ask(`${method} ${url}`, takesBody ? { body: {} } : {});
    expect([status, body.code]).toEqual([404, expect.stringMatching(/_?not_found$/)]);
  },
);
