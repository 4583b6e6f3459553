import { prefixesOf } from '@drawbridge/messaging/call-rate.ts';
import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { fail, invalid } from '../../errors.ts';
import { type CallingContext, tag } from '../context.ts';
import { numberAt } from '../e164-number.ts';
import {
  importRowsMax,
  isNeverValid,
  neverValid,
  rateColumns,
  rateLines,
  readRates,
} from './csv.ts';
import { previewRates } from './preview.ts';
import { importPreview, importView, prefix, rateId, rateRequest, rateView } from './schema.ts';
import {
  deleteRate,
  endRate,
  findIdenticalRates,
  findRateById,
  findTakenBegins,
  insertRates,
  listRates,
  type RateRow,
} from './store.ts';

const path = '/voice/api/rate-cards/';

/** The price of calls by the first digits of the number. */
export function rateRoutes(context: CallingContext): AnyRoute[] {
  return [
    listRoute(context),
    createRoute(context),
    deleteRoute(context),
    importRoute(context),
    previewRoute(context),
  ];
}

function listRoute({ db }: CallingContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listRateCards',
    summary: 'List rates by destination, newest first',
    tag,
    auth: { scope: 'calls:read' },
    limit: 'read',
    request: {
      query: pageQuery.extend({
        prefix: prefix.optional(),
        number: z.string().max(32).optional().describe('Rates whose prefix the number begins with'),
      }),
    },
    responses: { 200: { description: 'A page.', schema: pageSchema(rateView, 'RateCardPage') } },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const filter = {
        prefix: query.prefix ?? null,
        number: query.number === undefined ? null : prefixesOf(numberAt('number', query.number)),
      };
      const page = requestedPage(query, 'rat');
      const rows = await db.tenant(scope.tenantId, (tx) => listRates(tx, scope, filter, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function createRoute(context: CallingContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createRateCard',
    summary: 'Add a rate',
    description:
      'The rate of the longest prefix in force holds; of two with one prefix, the later. Where the ' +
      'host asks a price of its own for voice, that one is paid.',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { body: rateRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The rate.', schema: rateView } },
    errors: ['rate_exists', 'idempotency_payload_mismatch'],
    handler: async ({ body, headers, principal }) => {
      const scope = scopeOf(principal);
      const row = rowOf(context, body, context.clock());
      if (isNeverValid(row)) throw invalid('valid_until', neverValid);
      const made = await context.db.tenant(scope.tenantId, (tx) =>
        makeOnce(tx, scope, onceOf(`POST ${path}`, headers, body), {
          id: row.id,
          make: async () => {
            if ((await insertRates(tx, scope, [row])) === 1) return row;
            throw rateExists(row);
          },
          find: (known) => findRateById(tx, scope, known),
        }),
      );
      return { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
    },
  });
}

function deleteRoute({ db, clock }: CallingContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteRateCard',
    summary: 'End a rate, or remove one that has not begun',
    description:
      'One in force ends now and stays in the list, since calls were charged by it. Numbers without ' +
      'another rate are not called any more.',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: rateId }) },
    responses: { 204: { description: 'It has ended, or is removed.' } },
    errors: ['rate_not_found'],
    handler: async ({ params: { id }, principal, audit }) => {
      const scope = scopeOf(principal);
      const now = clock();
      await db.tenant(scope.tenantId, async (tx) => {
        const before = await findRateById(tx, scope, id);
        const ended = await endRate(tx, scope, id, now);
        const isGone = ended !== undefined || (await deleteRate(tx, scope, id, now));
        if (before === undefined || !isGone) throw rateNotFound(id);
        const after = ended === undefined ? {} : { after: show(ended) };
        await audit.record(tx, scope.tenantId, { subject: id, before: show(before), ...after });
      });
      return { status: 204 };
    },
  });
}

const upload = ['multipart/form-data', 'text/csv'] as const;
const fileText = `A form with the part "file", or text/csv: a line of names (${rateColumns.join(', ')}), then at most ${importRowsMax} rates.`;

function importRoute(context: CallingContext) {
  return route({
    method: 'post',
    path: `${path}import/`,
    operationId: 'importRateCards',
    summary: 'Import rates from CSV',
    description: `${fileText} Either all are added or none.`,
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    upload,
    responses: { 201: { description: 'How many were added.', schema: importView } },
    errors: ['rate_exists'],
    handler: async ({ raw, signal, principal }) => {
      const scope = scopeOf(principal);
      const now = context.clock(); // one instant for all rates without one
      const rows = await readRates(rateLines(raw, signal, (rate) => rowOf(context, rate, now)));
      const created = await context.db.tenant(scope.tenantId, async (tx) => {
        // After a lost answer the client sends the file again, and rates from now on would be added
        // twice.
        const fromNow = rows.filter(({ valid_from }) => valid_from === now);
        const said = await findIdenticalRates(tx, scope, fromNow, now);
        const others = rows.filter(({ id }) => !said.has(id));
        const added = await insertRates(tx, scope, others);
        if (added === others.length) return added;
        const taken = await findTakenBegins(tx, scope, others);
        const other = others.find(({ id }) => taken.get(id)?.isSame === false);
        if (other !== undefined) throw rateExists(other);
        return added;
      });
      const body = { rows: rows.length, created, unchanged: rows.length - created };
      return { status: 201, body };
    },
  });
}

function previewRoute(context: CallingContext) {
  return route({
    method: 'post',
    path: `${path}import/preview/`,
    operationId: 'previewRateCardImport',
    summary: 'Look at a file of rates before it is imported',
    description:
      `${fileText} The answer shows which would be added, and what is wrong with each that cannot. ` +
      'Nothing is written, and the file is not kept: send it to `POST …/import/` when it is right.',
    tag,
    auth: { scope: 'channels:write' },
    unaudited: 'nothing is written',
    limit: 'write',
    upload,
    responses: { 200: { description: 'The preview.', schema: importPreview } },
    handler: async ({ raw, signal, principal }) => {
      const now = context.clock();
      const lines = rateLines(raw, signal, (rate) => rowOf(context, rate, now));
      const body = await previewRates(context.db, scopeOf(principal), lines, now);
      return { status: 200, body };
    },
  });
}

function rateNotFound(id: string) {
  return fail('rate_not_found', `There is no rate "${id}" in force or to come.`);
}

/** The price of a rate is never changed: otherwise a past charge could no longer be explained. */
function rateExists({ prefix, valid_from }: Pick<RateRow, 'prefix' | 'valid_from'>) {
  const at = valid_from.toISOString();
  const detail = `Another rate of ${prefix} begins at ${at}; let this one begin later.`;
  return fail('rate_exists', detail);
}

function rowOf({ random }: CallingContext, body: z.output<typeof rateRequest>, now: Date): RateRow {
  const [first = '60', step = '60'] = body.increment.split('/');
  return {
    id: newId('rat', () => now, random),
    prefix: body.prefix,
    currency: body.currency,
    per_minute: plain(body.per_minute),
    connection_fee: plain(body.connection_fee),
    first_seconds: Number(first),
    step_seconds: Number(step),
    valid_from: body.valid_from === undefined ? now : new Date(body.valid_from),
    valid_until: body.valid_until === null ? null : new Date(body.valid_until),
    created_at: now,
  };
}

/** As the database prints it: without trailing zeros. */
function plain(text: string): string {
  const short = text.replace(/^0+(?=\d)/, '');
  return short.includes('.') ? short.replace(/\.?0+$/, '') : short;
}

function show(row: RateRow) {
  const { first_seconds, step_seconds, valid_from, valid_until, created_at, ...rest } = row;
  return {
    ...rest,
    increment: `${first_seconds}/${step_seconds}`,
    valid_from: valid_from.toISOString(),
    valid_until: valid_until?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
