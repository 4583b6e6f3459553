/** The OpenAPI 3.1 document of a service, from its rows: `describe(service, servers)`. */
import { z } from 'zod';
import type { commonErrors, ErrorRow } from './errors.ts';
import { type ExampleTable, exampleOf, exampleValue } from './openapi-examples.ts';
import type { AnyRoute, RequestSchemas, UploadType } from './route.ts';
import type { Service } from './service.ts';

/** An address of the service, for its document. */
export interface ServerRow {
  readonly url: string;
  readonly description: string;
}

type Json = Record<string, unknown>;

/** The part of a service that its description needs. */
export interface Described
  extends Pick<Service, 'title' | 'version' | 'description' | 'routes' | 'errors'> {
  readonly webhooks?: readonly WebhookRow[];
  readonly examples?: ExampleTable;
}

/** What is sent to customers of an event. */
export interface WebhookRow {
  readonly event: string;
  readonly summary: string;
  readonly schema: z.ZodObject;
  readonly example: unknown;
}

const everyRoute: readonly (keyof typeof commonErrors)[] = [
  'invalid_request',
  'internal_error',
  'unavailable',
];
const keyedRoute: readonly (keyof typeof commonErrors)[] = [
  'missing_credentials',
  'invalid_credentials',
  'revoked_credentials',
  'wrong_environment',
  'ip_not_allowed',
  'tenant_suspended',
  'not_permitted',
];
const uploadRoute: readonly (keyof typeof commonErrors)[] = [
  'payload_too_large',
  'unsupported_media_type',
];
const bodiedRoute: readonly (keyof typeof commonErrors)[] = ['malformed_json', ...uploadRoute];

const noExamples: ExampleTable = { shapes: {}, values: {} };

/** The OpenAPI document of a service, from the rows of its routes. */
export function describe(service: Described, servers: readonly ServerRow[]): Json {
  const components = new Map<string, Json>();
  components.set('Error', errorSchema(service));
  const paths: Record<string, Json> = {};
  for (const row of service.routes) {
    paths[row.path] = { ...paths[row.path], [row.method]: operation(row, service, components) };
  }
  const { title, version, description } = service;
  const webhooks = Object.fromEntries(
    (service.webhooks ?? []).map((row) => [row.event, { post: webhook(row, components) }]),
  );
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers,
    security: [{ key: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      examples: errorExamples(service),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-drawbridge-live-session',
          description:
            'Of a person in a browser, by POST /v1/session; taken from our own pages only.',
        },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const signatureHeaders: readonly (readonly [name: string, description: string])[] = [
  ['webhook-id', 'The same for every attempt: drop those that you have seen.'],
  ['webhook-timestamp', 'When it was signed, in seconds.'],
  ['webhook-signature', 'By Standard Webhooks.'],
  ['x-signature', 'As in the body; one of each live secret.'],
];

function webhook(
  { event, summary, schema, example }: WebhookRow,
  components: Map<string, Json>,
): Json {
  return {
    summary,
    operationId: `on ${event}`,
    security: [],
    parameters: signatureHeaders.map(([name, description]) => {
      return { name, in: 'header', required: true, description, schema: { type: 'string' } };
    }),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: jsonSchema(schema, 'output', components), example },
      },
    },
    responses: {
      '2XX': { description: 'It is taken.' },
      default: { description: 'It is sent again later: see docs/webhooks.md.' },
    },
  };
}

/** An example of each error. */
function errorExamples({ errors }: Described): Json {
  return Object.fromEntries(
    Object.entries(errors).map(([code, { title }]) => [
      code,
      { value: { detail: `${title}.`, code, request_id: 'req_01k3w9v2x4m6n8p0q2r4s6t8v0' } },
    ]),
  );
}

function errorSchema({ errors }: Described): Json {
  return {
    type: 'object',
    description: 'What went wrong.',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'string', description: 'A sentence for a person.' },
      code: { type: 'string', enum: Object.keys(errors), description: 'A code for programs.' },
      request_id: { type: 'string' },
      errors: {
        type: 'object',
        description: 'Messages by field, on a 400.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
  };
}

function operation(row: AnyRoute, service: Described, components: Map<string, Json>): Json {
  const about: ExampleOf = (schema, json, what) =>
    exampleOf(schema, json, `${row.operationId} ${what}`, {
      components,
      table: service.examples ?? noExamples,
    });
  const schemas = (row.request ?? {}) as RequestSchemas;
  const isPublic = 'public' in row.auth;
  return {
    operationId: row.operationId,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(row.tag === undefined ? {} : { tags: [row.tag] }),
    ...(isPublic ? { security: [] } : { 'x-permission': row.auth.scope }),
    parameters: (['params', 'query', 'headers'] as const).flatMap((part) =>
      parameters(part, schemas[part], components, service.examples ?? noExamples),
    ),
    ...(schemas.body ? { requestBody: requestBody(schemas.body, components, about) } : {}),
    ...(row.upload ? { requestBody: uploadBody(row, service.examples ?? noExamples) } : {}),
    responses: { ...answers(row, components, about), ...refusals(row, service) },
  };
}

/** An example of a body or an answer of an operation. */
type ExampleOf = (schema: z.ZodType, json: Json, what: string) => unknown;

const places = { params: 'path', query: 'query', headers: 'header' } as const;

function parameters(
  part: keyof typeof places,
  schema: z.ZodObject | undefined,
  components: Map<string, Json>,
  table: ExampleTable,
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...rest } = jsonSchema(field as z.ZodType, 'input', components);
    const isOptional = (field as z.ZodType).safeParse(undefined).success;
    return {
      name: part === 'headers' ? headerName(name) : name,
      in: places[part],
      required: part === 'params' || !isOptional,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(part === 'params' ? { example: exampleValue(rest, name, { components, table }) } : {}),
    };
  });
}

/** `idempotency-key` → `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

function requestBody(schema: z.ZodType, components: Map<string, Json>, about: ExampleOf): Json {
  const json = jsonSchema(schema, 'input', components);
  return {
    required: !schema.safeParse(undefined).success,
    content: { 'application/json': { schema: json, example: about(schema, json, 'body') } },
  };
}

const uploads: Readonly<Record<UploadType, Json>> = {
  'multipart/form-data': {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  },
  'text/csv': { type: 'string' },
};

function uploadBody({ upload = [], operationId }: AnyRoute, { shapes }: ExampleTable): Json {
  const file = shapes[`${operationId} file`];
  const examples: Readonly<Record<UploadType, unknown>> = {
    'multipart/form-data': { file },
    'text/csv': file,
  };
  const content = Object.fromEntries(
    upload.map((type) => [type, { schema: uploads[type], example: examples[type] }]),
  );
  return { required: true, content };
}

function answers({ responses }: AnyRoute, components: Map<string, Json>, about: ExampleOf): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, schema, mediaType }]) => {
      const json = schema && jsonSchema(schema, 'output', components);
      const shape = schema && json ? { schema: json, example: about(schema, json, status) } : {};
      const types = [mediaType ?? (schema ? 'application/json' : [])].flat();
      const content = Object.fromEntries(types.map((type) => [type, shape]));
      return [status, { description, ...(types.length > 0 ? { content } : {}) }];
    }),
  );
}

const retryAfter = {
  'Retry-After': { description: 'Whole seconds.', schema: { type: 'integer', minimum: 1 } },
  'Retry-After-Ms': { description: 'To the millisecond.', schema: { type: 'integer', minimum: 1 } },
};

/** One entry for each status, which names the codes; a status that the row declares is kept. */
function refusals(row: AnyRoute, { errors }: Described): Json {
  const codes = new Set<string>([
    ...everyRoute,
    ...('public' in row.auth ? [] : keyedRoute),
    ...(row.request?.params ? ['not_found'] : []),
    ...(row.request?.body ? bodiedRoute : []),
    ...(row.upload ? uploadRoute : []),
    ...(row.needsProof ? ['proof_needed'] : []),
    ...(row.limit === undefined ? [] : ['rate_limited']),
    ...(row.errors ?? []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => known(errors, code, row).status);
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !(status in row.responses))
      .map(([status, told]) => [
        status,
        {
          description: told
            .map((code) => `\`${code}\`: ${known(errors, code, row).title}.`)
            .join('\n'),
          ...(status === 429 ? { headers: retryAfter } : {}),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                told.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ]),
  );
}

function known(errors: Described['errors'], code: string, row: AnyRoute): ErrorRow {
  const found = errors[code];
  if (!found) throw new Error(`${row.operationId} names the error ${code}, which no table has`);
  return found;
}

/** A schema in OpenAPI's dialect; those with an id go to the components and are referred to. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Map<string, Json>,
): Json {
  // zod refers to a schema by its id only from within another one.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), { io });
  for (const [id, { id: _, ...definition }] of Object.entries($defs)) {
    const there = components.get(id);
    const moved = moveReferences(definition);
    if (there && JSON.stringify(there) !== JSON.stringify(moved)) {
      throw new Error(`two schemas, or the input and the output of one, are both called ${id}`);
    }
    components.set(id, moved);
  }
  return moveReferences(properties?.it as Json);
}

function moveReferences<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
