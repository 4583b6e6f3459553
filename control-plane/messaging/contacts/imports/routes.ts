import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { type AnyRoute, type Input, route } from '../../../platform/http/route.ts';
import { readIdempotencyKey } from '../../../platform/idempotency/key.ts';
import {
  idempotencyHeaders,
  type Made,
  madeHeaders,
  makeOnce,
} from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { fail, invalid } from '../../errors.ts';
import { refuseQueries } from '../directory.ts';
import { placeOf, tag } from '../place.ts';
import { segmentName } from '../schema.ts';
import type { Place } from '../store.ts';
import { type ImportEdge, importQueue } from './apply.ts';
import { csvRecords, fileBytesMax } from './csv-file.ts';
import { type ReadOptions, type ReadRow, rowReader } from './read.ts';
import {
  countRows,
  deleteBroken,
  deleteImport,
  findImport,
  type ImportRow,
  insertErrors,
  insertImport,
  listErrors,
  setState,
  stageRows,
} from './store.ts';

const path = '/contacts/bulk-import/';
const rowsMax = 1_000_000;
const stagedAtOnce = 1_000;
const errorsShownMax = 100_000;
const brokenAfterMs = 3_600_000;

const importView = z
  .strictObject({
    id: z.string(),
    state: z.enum(['uploading', 'running', 'done']),
    rows: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    failed: z.number().int(),
    errors_url: z.string(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ContactImport' });

const query = z.strictObject({
  default_country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .optional()
    .describe('For numbers that are written without one.'),
  segment: segmentName.optional().describe('All contacts of the file enter it.'),
});
const params = z.strictObject({ id: z.string().max(100) });

export function importRoutes(edge: ImportEdge): AnyRoute[] {
  return [uploadRoute(edge), statusRoute(edge), errorsRoute(edge)];
}

function uploadRoute(edge: ImportEdge) {
  return route({
    method: 'post',
    path,
    operationId: 'importContacts',
    summary: 'Make or change many contacts by a CSV file',
    description:
      `A form with the part \`file\`, or a body of text/csv; at most ${fileBytesMax} bytes and ` +
      `${rowsMax} lines. The first line names the columns: \`phone\` is the key, \`name\` and ` +
      '`segments` (separated by |) are themselves, every other column is an attribute. Empty ' +
      'fields change nothing. Lines that cannot be used are left out and listed. Segments that ' +
      'are queries are not entered: they find their contacts by themselves.',
    tag,
    auth: { scope: 'contacts:write' },
    limit: 'write',
    request: { query, headers: idempotencyHeaders },
    responses: {
      202: { description: 'The file is here and being worked on.', schema: importView },
    },
    errors: ['payload_too_large', 'unsupported_media_type', 'idempotency_payload_mismatch'],
    handler: async (input) => {
      const place = placeOf(input.principal);
      const made = await upload(edge, place, input);
      const { row } = made;
      return { status: 202, body: show(row), headers: madeHeaders(`${path}${row.id}/`, made) };
    },
  });
}

type Upload = Pick<
  Input<{ readonly query: typeof query; readonly headers: typeof idempotencyHeaders }, false>,
  'query' | 'headers' | 'raw' | 'signal'
>;

async function upload(edge: ImportEdge, place: Place, given: Upload): Promise<Made<ImportRow>> {
  const { db, clock, random, jobs } = edge;
  const { tenantId } = place;
  const [id, now] = [newId('imp', clock, random), clock()];
  const key = readIdempotencyKey(given.headers['idempotency-key']);
  // Over what the file says: the boundaries of a form are others each time.
  const hash = createHash('sha256').update(JSON.stringify(given.query));
  const { default_country: defaultCountry, segment } = given.query;
  await db.tenant(tenantId, async (tx) => {
    await deleteBroken(tx, tenantId, new Date(now.getTime() - brokenAfterMs));
    if (segment !== undefined) await refuseQueries(tx, place, [segment], 'segment');
    await insertImport(tx, place, id, now);
  });
  try {
    const digest = key === undefined ? undefined : hash;
    await stage(edge, tenantId, id, { defaultCountry, segment }, given, digest);
    const once =
      key === undefined
        ? undefined
        : { route: `POST ${path}`, key, fingerprint: hash.digest('hex') };
    return await db.tenant(tenantId, async (tx) => {
      const made = await makeOnce(tx, place, once, {
        id,
        make: async () => {
          await setState(tx, tenantId, id, 'running', null);
          await jobs.enqueue(tx, tenantId, [{ queue: importQueue, key: id }]);
          return (await findImport(tx, place, id))!;
        },
        find: (known) => findImport(tx, place, known),
      });
      if (made.isReplay) await deleteImport(tx, tenantId, id);
      return made;
    });
  } catch (error) {
    await db.tenant(tenantId, (tx) => deleteImport(tx, tenantId, id));
    throw error;
  }
}

/** Puts the file's lines aside, a transaction for as many as are put at once. */
async function stage(
  { db }: ImportEdge,
  tenantId: string,
  id: string,
  options: ReadOptions,
  { raw, signal }: Upload,
  hash: Hash | undefined,
): Promise<void> {
  let read: ReturnType<typeof rowReader> | undefined;
  let held: ReadRow[] = [];
  let count = 0;
  const put = async () => {
    const [rows, errors] = [held.flatMap(rowOf), held.flatMap(errorsOf)];
    const added = { rows: held.length, created: 0, updated: 0, failed: held.length - rows.length };
    held = [];
    await db.tenant(tenantId, async (tx) => {
      await stageRows(tx, tenantId, id, rows);
      await insertErrors(tx, tenantId, id, errors);
      await countRows(tx, tenantId, id, added);
    });
  };
  for await (const record of csvRecords(raw, signal)) {
    hash?.update(JSON.stringify(record.fields));
    if (read === undefined) {
      read = rowReader(record, options);
      continue;
    }
    count += 1;
    if (count > rowsMax) throw invalid('file', `it has more than ${rowsMax} lines`);
    held.push(read(record));
    if (held.length === stagedAtOnce) await put();
  }
  if (read === undefined) throw invalid('file', 'it is empty');
  await put();
}

const rowOf = (each: ReadRow) => (each.kind === 'row' ? [each.row] : []);
const errorsOf = (each: ReadRow) => (each.kind === 'row' ? [] : [...each.errors]);

function statusRoute({ db }: ImportEdge) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getContactImport',
    summary: 'See how far an import is',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The import.', schema: importView } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const row = await db.tenant(place.tenantId, (tx) => findImport(tx, place, id));
      if (row === undefined) throw notFound(id);
      return { status: 200, body: show(row) };
    },
  });
}

function errorsRoute({ db }: ImportEdge) {
  return route({
    method: 'get',
    path: `${path}{id}/errors/`,
    operationId: 'downloadImportErrors',
    summary: 'Download which lines could not be used, and why',
    tag,
    auth: { scope: 'contacts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'line, field and problem.', mediaType: 'text/csv' } },
    errors: ['import_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const errors = await db.tenant(place.tenantId, async (tx) => {
        if (!(await findImport(tx, place, id))) throw notFound(id);
        return listErrors(tx, place.tenantId, id, errorsShownMax);
      });
      const lines = errors.map(({ line, field, problem }) => {
        return `${line},${quoted(field)},${quoted(problem)}\r\n`;
      });
      const headers = { 'content-type': 'text/csv; charset=utf-8' };
      return { status: 200, body: `line,field,problem\r\n${lines.join('')}`, headers };
    },
  });
}

/** Quoted, and not to be taken for a formula: the field is a column's name from the file. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function notFound(id: string) {
  return fail('import_not_found', `There is no import "${id}".`);
}

function show({ created_at, finished_at, ...row }: ImportRow) {
  return {
    ...row,
    errors_url: `${path}${row.id}/errors/`,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}
