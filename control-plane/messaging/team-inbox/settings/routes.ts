import { alwaysOpen } from '@drawbridge/messaging/inbox/business-hours.ts';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { type InboxContext, tag } from '../context.ts';
import { settingsRequest, settingsView } from '../schema.ts';
import { findSettings, type InboxSettings, saveSettings } from './store.ts';

const path = '/team-inbox/api/settings/';

export function settingsRoutes(context: InboxContext): AnyRoute[] {
  return [getRoute(context), putRoute(context)];
}

function getRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getInboxSettings',
    summary: 'Read business hours and what is promised',
    description: 'Until they are set, every hour counts and nothing is promised.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    responses: { 200: { description: 'The settings.', schema: settingsView } },
    handler: async ({ principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findSettings(tx, scope));
      return { status: 200, body: show(row) };
    },
  });
}

function putRoute({ db, clock }: InboxContext) {
  return route({
    method: 'put',
    path,
    operationId: 'setInboxSettings',
    summary: 'Set business hours and what is promised',
    description:
      'They hold for what is asked and answered from now on: figures of the past stay as they were. ' +
      'By a role that may: agents are measured by them.',
    tag,
    auth: { scope: 'inbox:manage' },
    limit: 'write',
    request: { body: settingsRequest },
    responses: { 200: { description: 'The settings as they are now.', schema: settingsView } },
    handler: async ({ body, principal, audit }) => {
      const scope = scopeOf(principal);
      const holidays = [...new Set(body.holidays)].sort();
      const row: InboxSettings = { ...body, holidays, updated_at: clock() };
      await db.tenant(scope.tenantId, async (tx) => {
        const before = show(await findSettings(tx, scope));
        await saveSettings(tx, scope, row);
        await audit.record(tx, scope.tenantId, { subject: 'inbox', before, after: show(row) });
      });
      return { status: 200, body: show(row) };
    },
  });
}

function show(row: InboxSettings | undefined) {
  if (row !== undefined) return { ...row, updated_at: row.updated_at.toISOString() };
  const { timeZone: time_zone, weekly: weekly_hours, holidays } = alwaysOpen;
  return {
    time_zone,
    weekly_hours,
    holidays,
    first_response_minutes: null,
    next_response_minutes: null,
    updated_at: null,
  };
}
