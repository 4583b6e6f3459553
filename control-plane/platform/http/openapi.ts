/** The OpenAPI 3.1 document of a service, from its rows: `describe(service, servers)`. */
import { z } from 'zod';
import type { commonErrors, ErrorRow } from './errors.ts';
import type { AnyRoute, RequestSchemas, UploadType } from './route.ts';
import type { Service } from './service.ts';

/** An address of the service, for its document. */
export interface ServerRow {
  readonly url: string;
  readonly description: string;
}

type Json = Record<string, unknown>;

/** The part of a service that its description needs. */
export type Described = Pick<Service, 'title' | 'version' | 'description' | 'routes' | 'errors'>;

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

/** The OpenAPI document of a service, from the rows of its routes. */
export function describe(service: Described, servers: readonly ServerRow[]): Json {
  const components = new Map<string, Json>();
  components.set('Error', errorSchema(service));
  const paths: Record<string, Json> = {};
  for (const row of service.routes) {
    paths[row.path] = { ...paths[row.path], [row.method]: operation(row, service, components) };
  }
  const { title, version, description } = service;
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers,
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
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
  const schemas = (row.request ?? {}) as RequestSchemas;
  const isPublic = 'public' in row.auth;
  return {
    operationId: row.operationId,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(row.tag === undefined ? {} : { tags: [row.tag] }),
    ...(isPublic ? { security: [] } : { 'x-permission': row.auth.scope }),
    parameters: (['params', 'query', 'headers'] as const).flatMap((part) =>
      parameters(part, schemas[part], components),
    ),
    ...(schemas.body ? { requestBody: requestBody(schemas.body, components) } : {}),
    ...(row.upload ? { requestBody: uploadBody(row.upload) } : {}),
    responses: { ...answers(row, components), ...refusals(row, service) },
  };
}

const places = { params: 'path', query: 'query', headers: 'header' } as const;

function parameters(
  part: keyof typeof places,
  schema: z.ZodObject | undefined,
  components: Map<string, Json>,
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
    };
  });
}

/** `idempotency-key` → `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

function requestBody(schema: z.ZodType, components: Map<string, Json>): Json {
  return {
    required: !schema.safeParse(undefined).success,
    content: { 'application/json': { schema: jsonSchema(schema, 'input', components) } },
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

function uploadBody(types: readonly UploadType[]): Json {
  const content = Object.fromEntries(types.map((type) => [type, { schema: uploads[type] }]));
  return { required: true, content };
}

function answers({ responses }: AnyRoute, components: Map<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, schema, mediaType }]) => {
      const shape = schema ? { schema: jsonSchema(schema, 'output', components) } : {};
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
    ...(row.limit === undefined ? [] : ['rate_limited']),
    ...(row.errors ?? []),
  ]);
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, title } = known(errors, code, row);
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${title}.`]);
  }
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !(status in row.responses))
      .map(([status, lines]) => [
        status,
        {
          description: lines.join('\n'),
          ...(status === 429 ? { headers: retryAfter } : {}),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
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
