import { parseJsonPath } from '@drawbridge/records/json-path.ts';
import { z } from 'zod';
import { oauthSettings } from '../outbound/oauth.ts';
import { confirmationColumns } from '../stored-confirmation.ts';

const name = z.string().min(1).max(256);
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,4000}$/, 'must be printable ASCII');

const jsonPath = z
  .string()
  .max(500)
  .refine((path) => parseJsonPath(path) !== undefined, {
    message: "must be a path such as $.data.items, $['odd name'] or $.rows[0]",
  });

const path = z
  .string()
  .max(2_000)
  .regex(/^\/[^\s#]*$/, 'must begin with / and hold neither blanks nor #');

const paging = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('none') }),
  z.strictObject({
    by: z.literal('link'),
    next: jsonPath
      .optional()
      .describe('Where the address of the next page is; the header Link (rel=next) when left out'),
  }),
  z.strictObject({
    by: z.literal('page'),
    parameter: name.default('page'),
    first: z.int().min(0).max(1).default(1).describe('Number of the first page'),
  }),
  z.strictObject({ by: z.literal('offset'), parameter: name.default('offset') }),
  z.strictObject({
    by: z.literal('cursor'),
    parameter: name.default('cursor'),
    next: jsonPath.describe('Where the value for the next page is'),
  }),
]);
export type Paging = z.infer<typeof paging>;

const pagingSetting = paging
  .default({ by: 'none' })
  .describe('How further pages are asked for: by link, page, offset or cursor');

/** Settings of an ERP that answers JSON over HTTP. */
export const httpSettings = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine((value) => URL.parse(value)?.username === '' && URL.parse(value)?.search === '', {
      message: 'Give user and password in auth, and parameters in query',
    })
    .meta({ title: 'Address', examples: ['https://erp.example.com/api'] })
    .describe('Address of the API, to which the paths are added'),
  auth: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({
        type: z.literal('header'),
        name: headerName.default('Authorization').describe('Name of the header'),
        value: headerValue.meta({ secret: true }).describe('Its value, as Bearer and the key'),
      }),
      z.strictObject({
        type: z.literal('basic'),
        user: name.describe('User'),
        password: z.string().max(1_000).meta({ secret: true }).describe('Password of that user'),
      }),
      z.strictObject({ type: z.literal('oauth2'), client: oauthSettings }),
    ])
    .default({ type: 'none' })
    .meta({ title: 'Sign-in' })
    .describe('How requests are signed in: none, header, basic or oauth2'),
  headers: z
    .record(headerName, headerValue)
    .default({})
    .meta({ title: 'Further headers', advanced: true })
    .describe('Further headers of each request; no secrets'),
  ca: z
    .string()
    .max(100_000)
    .optional()
    .meta({ title: 'Trusted certificates (PEM)', advanced: true })
    .describe('Certificates, as PEM, that are trusted for this server'),
  requestsPerMinute: z
    .int()
    .min(1)
    .max(60_000)
    .optional()
    .meta({ advanced: true })
    .describe('At most so many requests a minute; no limit but that of the server when left out'),
  list: z
    .strictObject({
      path: path.meta({ examples: ['/invoices'] }).describe('Path of the list'),
      query: z.record(name, z.string().max(2_000)).default({}).describe('Parameters of each page'),
      records: jsonPath.default('$').describe('Where the array of records is'),
      ref: jsonPath.default('$.id').describe('Where a record says what it is called'),
      paging: pagingSetting,
      changes: z
        .strictObject({
          parameter: name.default('updated_since'),
          field: jsonPath.default('$.updated_at').describe('When a record changed'),
          format: z
            .enum(['iso', 'naive', 'date', 'seconds'])
            .default('iso')
            .describe(
              'iso: 2026-01-31T09:00:00.000Z; naive: 2026-01-31 09:00:00 by the clock of the server; ' +
                'date: 2026-01-31; seconds: since 1970',
            ),
          overlapSeconds: z
            .int()
            .min(0)
            .max(604_800)
            .default(300)
            .describe('Asked for again each time, for what was committed late'),
        })
        .optional()
        .describe('How changed records are asked for; only new ones are found when left out'),
    })
    .meta({ title: 'List of documents' })
    .describe('Where documents are listed'),
  read: z
    .strictObject({
      path: path
        .refine((value) => value.includes('{ref}'), { message: 'must hold {ref}' })
        .meta({ examples: ['/invoices/{ref}'] })
        .describe('Path of one document, with {ref}'),
      record: jsonPath.default('$').describe('Where the document is in the answer'),
    })
    .meta({ title: 'One document' })
    .describe('Where one document is read'),
  children: z
    .record(
      z.string().min(1).max(64).meta({ title: 'Section' }),
      z.strictObject({
        path: path.describe('Path of the rows, with {ref} or {column} of the header'),
        records: jsonPath.default('$').describe('Where the array of rows is'),
        paging: pagingSetting,
      }),
    )
    .default({})
    .meta({ title: 'Further requests for a document', advanced: true })
    .describe('Sections that are read by further requests, as lines'),
  writeBack: z
    .discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('none') }),
      z.strictObject({
        mode: z.literal('request'),
        method: z.enum(['PUT', 'POST', 'PATCH']).default('PUT'),
        path: path.describe('Path of a confirmation, with {ref}'),
        sandboxPath: path
          .optional()
          .describe("That of the sandbox's; they are not written when left out"),
        readable: z
          .boolean()
          .default(true)
          .describe('Whether GET of that path answers what is stored (404: nothing)'),
        names: z
          .partialRecord(z.enum(confirmationColumns), name)
          .default({})
          .describe('What the members are called there; those left out keep their names'),
      }),
    ])
    .default({ mode: 'none' })
    .meta({ title: 'Confirmations', advanced: true })
    .describe('request: a request a confirmation, with an Idempotency-Key; or none'),
});
export type HttpSettings = z.infer<typeof httpSettings>;
