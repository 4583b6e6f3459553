/** What the simulators of the sandbox are taught of an app: a provider would still know it. */
import type { App, Channel, TemplateRegistry } from '../../channels/contract.ts';
import type { AppHistory } from '../../channels/simulation/contract.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listCorrespondents } from '../messages/store.ts';
import { listSubmittedTemplates } from '../templates/store.ts';
import type { AppRow } from './store.ts';

const templatesMax = 1_000;
const peopleMax = 10_000;

export function historyOf(
  db: Db,
  scope: TenantScope,
  row: AppRow,
  app: App,
  channel: Channel,
): Promise<AppHistory> {
  const registry = channel.templates as TemplateRegistry<unknown> | undefined;
  return db.tenant(scope.tenantId, async (tx) => {
    const templates =
      registry === undefined ? [] : await listSubmittedTemplates(tx, scope, [row.id], templatesMax);
    const people =
      channel.access === 'anyone' ? [] : await listCorrespondents(tx, scope, row.id, peopleMax);
    return {
      templates: templates.map(({ provider_id: id, status, definition }) => ({
        id: id!,
        status,
        submission: JSON.parse(registry!.submit(definition, app).body ?? '{}') as object,
      })),
      people: people.map(({ address, last_inbound_at, blocked_at }) => ({
        address,
        wroteAt: last_inbound_at.toISOString(),
        isBlocking: blocked_at !== null,
      })),
    };
  });
}
