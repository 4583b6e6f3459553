import { reportLanguages } from '@drawbridge/messaging/broadcast/report-mail.ts';
import { z } from 'zod';
import { scopeOf } from '../../../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../../../platform/http/route.ts';
import type { BroadcastContext } from '../../context.ts';
import { findReportSettings, type ReportSettings, saveReportSettings } from './store.ts';

const path = '/broadcast/report-settings/';
const tag = 'Broadcast';

const request = z
  .strictObject({
    mail_to_creator: z
      .boolean()
      .describe('Whether the person who made a broadcast gets a mail some time after its end'),
    language: z.enum(reportLanguages).default('en'),
  })
  .meta({ id: 'BroadcastReportSettingsRequest' });

const view = z
  .strictObject({
    mail_to_creator: z.boolean(),
    language: z.enum(reportLanguages),
    updated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BroadcastReportSettings' });

/** Whether reports of broadcasts are mailed. */
export function reportSettingsRoutes(context: BroadcastContext): AnyRoute[] {
  return [getRoute(context), putRoute(context)];
}

function getRoute({ db }: BroadcastContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getBroadcastReportSettings',
    summary: 'Read whether reports of broadcasts are mailed',
    tag,
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    responses: { 200: { description: 'The settings.', schema: view } },
    handler: async ({ principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findReportSettings(tx, scope));
      return { status: 200, body: show(row) };
    },
  });
}

function putRoute({ db, clock }: BroadcastContext) {
  return route({
    method: 'put',
    path,
    operationId: 'setBroadcastReportSettings',
    summary: 'Set whether reports of broadcasts are mailed',
    description:
      'A quarter of an hour after its end the person who made a broadcast gets its counts, failures by reason and ' +
      'clicks; for one that an API key made nobody does. Until this is set, reports are mailed in English.',
    tag,
    auth: { scope: 'broadcasts:write' },
    limit: 'write',
    request: { body: request },
    responses: { 200: { description: 'The settings as they are now.', schema: view } },
    handler: async ({ body, principal, audit }) => {
      const scope = scopeOf(principal);
      const row = { ...body, updated_at: clock() };
      await db.tenant(scope.tenantId, async (tx) => {
        const before = show(await findReportSettings(tx, scope));
        await saveReportSettings(tx, scope, row);
        const change = { before, after: show(row) };
        await audit.record(tx, scope.tenantId, { subject: 'broadcast reports', ...change });
      });
      return { status: 200, body: show(row) };
    },
  });
}

function show(row: ReportSettings | undefined) {
  if (row === undefined)
    return { mail_to_creator: true, language: 'en' as const, updated_at: null };
  return { ...row, updated_at: row.updated_at.toISOString() };
}
