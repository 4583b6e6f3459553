import { readFile } from 'node:fs/promises';
import { filtersOf } from '@drawbridge/webhooks/events.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { modules } from '../modules/registry.ts';
import { services } from '../modules/services.ts';
import { openapiFile } from './contract-route.ts';
import { openapiText } from './print.ts';

test.each(services)(
  'the checked-in file of $name is up to date with its routes',
  async ({ name }) => {
    // `npm run control-plane -- openapi --write` updates it.
    expect(await readFile(openapiFile(name), 'utf8')).toBe(openapiText(name));
  },
);

test.each([
  ['/contacts/bulk-import/', ['multipart/form-data', 'text/csv']],
  ['/contacts/bulk-import/preview/', ['multipart/form-data', 'text/csv']],
  ['/voice/api/rate-cards/import/', ['multipart/form-data', 'text/csv']],
  ['/voice/api/rate-cards/import/preview/', ['multipart/form-data', 'text/csv']],
  ['/team-inbox/api/conversations/{id}/attachments/', ['multipart/form-data']],
])('what POST %s takes as a file is described, and how it is refused', (path, types) => {
  const { requestBody, responses } = JSON.parse(openapiText('messaging')).paths[path].post;
  expect(Object.keys(requestBody.content)).toEqual(types);
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['413', '415']));
  expect(responses[429].headers).toHaveProperty('Retry-After');
});

test('a document of an invoice is described as XML, and its model as JSON', () => {
  const { responses } = JSON.parse(openapiText('einvoice')).paths['/v1/invoices/{id}/document'].get;
  expect(Object.keys(responses[200].content)).toEqual(['application/xml', 'application/json']);
});

/** Every body and answer in JSON, with its schema and what the document shows of it. */
const shown = services.flatMap((service) => {
  const document = JSON.parse(openapiText(service.name));
  const own = modules.filter((module) => module.service === service.name);
  return own
    .flatMap((module) => module.describe())
    .flatMap((row) => {
      const operation = document.paths[row.path][row.method];
      const answers = Object.entries(row.responses).map(([status, answer]) => {
        return [status, answer.schema, operation.responses[status].content] as const;
      });
      const body = ['body', row.request?.body, operation.requestBody?.content] as const;
      return [body, ...answers].flatMap(([what, schema, content]) => {
        const json = content?.['application/json'];
        if (schema === undefined || json === undefined) return [];
        return [{ name: `${row.operationId} ${what}`, schema, example: json.example }];
      });
    });
});

test('that an agent is refused at its enrolment is described', () => {
  const { responses } = JSON.parse(openapiText('einvoice')).paths['/v1/agents/enrol'].post;
  expect(responses[401].description).toContain('`invalid_credentials`');
});

test('each request and answer has an example that its schema accepts', () => {
  expect(shown.length).toBeGreaterThan(300);
  for (const { name, schema, example } of shown) {
    expect(example, `${name} has none: add it to examples.ts`).toBeDefined();
    expect(schema.safeParse(example), name).toMatchObject({ success: true });
  }
});

test('a broadcast that is planned by an example is planned after the other instants of examples', () => {
  const planned = shown.flatMap(({ name, example }) =>
    name.endsWith(' body') && example?.schedule_at !== undefined ? [example.schedule_at] : [],
  );
  const past = shown.flatMap(({ example }) => example?.created_at ?? []);
  expect(planned.length).toBeGreaterThan(2);
  for (const each of planned) expect(each > past.toSorted().at(-1)).toBe(true);
});

test('no example says a name in place of a value', () => {
  const bare: string[] = [];
  const look = (value: unknown, member: string, name: string) => {
    if (typeof value === 'string' && value === member) bare.push(`${member} of ${name}`);
    if (typeof value !== 'object' || value === null) return;
    for (const [inner, each] of Object.entries(value)) {
      look(each, Array.isArray(value) ? member : inner, name);
    }
  };
  for (const { name, example } of shown) look(example, '', name);
  expect(bare.filter((each) => !/^(next|previous) of/.test(each))).toEqual([]);
});

test.each(services)('every event of $name is described, with an example', ({ name, webhooks }) => {
  const names = filtersOf(name).filter((filter) => !filter.endsWith('*'));
  expect(new Set(webhooks!.map(({ event }) => event))).toEqual(new Set([...names, 'webhook.test']));
  const described = JSON.parse(openapiText(name)).webhooks;
  for (const { event, schema, example } of webhooks!) {
    expect(schema.safeParse(example), event).toMatchObject({ success: true });
    expect(described[event].post.requestBody.content['application/json'].example).toEqual(example);
  }
});

/** Numbers of a request that are kept as JSON. */
const wide = new Set(['sendWaMessage body $defs TemplateParameter currency amount_1000']);

test('no whole number that a request may hold is larger than its column', () => {
  const unbounded: string[] = [];
  const look = (value: unknown, name: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { type, maximum } = value as { readonly type?: unknown; readonly maximum?: unknown };
    const isBounded = typeof maximum === 'number' && maximum < 2 ** 31;
    if (type === 'integer' && !isBounded && !wide.has(name)) unbounded.push(name);
    for (const [member, inner] of Object.entries(value)) {
      look(inner, member === 'properties' ? name : `${name} ${member}`);
    }
  };
  for (const { request = {}, operationId } of modules.flatMap((module) => module.describe())) {
    for (const [part, schema] of Object.entries(request as Readonly<Record<string, z.ZodType>>)) {
      const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      look(described, `${operationId} ${part}`);
    }
  }
  expect(unbounded).toEqual([]);
});
