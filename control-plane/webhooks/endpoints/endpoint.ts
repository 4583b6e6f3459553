/** Shared by the routes of endpoints and of their deliveries. */
import type { Service } from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ApiError, ErrorExtra } from '../../platform/http/errors.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Seal } from '../endpoint-secrets.ts';
import { type EndpointRow, findEndpoint } from '../endpoint-store.ts';
import type { TestDeliveries } from '../test-deliveries.ts';

/** What differs between the webhook endpoints of the two services. */
export interface WebhookApi {
  readonly service: Service;
  /** The path of the list followed by `below`, in the form of the service's paths. */
  readonly path: (below: string) => string;
  /** Whether an endpoint belongs to the environment it was made in, or gets both. */
  readonly isOfOneEnvironment: boolean;
  readonly fail: (
    code: 'webhook_endpoint_not_found' | 'delivery_not_found' | 'invalid_request',
    detail: string,
    extra?: ErrorExtra,
  ) => ApiError;
}

export interface WebhookRoutesContext {
  readonly db: Db;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly seal: Seal;
  readonly testDeliveries: TestDeliveries;
  /**
   * The setting `webhookAllowPrivate`: an endpoint made at the sandbox address may be http on this
   * machine.
   */
  readonly allowLoopback: boolean;
}

/** The tenant and environment in which an endpoint is looked for. */
export interface EndpointScope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** The endpoint, or 404, also when it is of another tenant. */
export async function readEndpoint(
  api: WebhookApi,
  db: Db,
  { tenantId, environment }: EndpointScope,
  id: string,
): Promise<EndpointRow> {
  const row = await db.tenant(tenantId, (tx) => findEndpoint(tx, tenantId, api.service, id));
  const isElsewhere = row?.environment != null && row.environment !== environment;
  return found(api, isElsewhere ? undefined : row, id);
}

/** The row, or 404. */
export function found(api: WebhookApi, row: EndpointRow | undefined, id: string): EndpointRow {
  if (row === undefined) throw notFound(api, id);
  return row;
}

export function notFound(api: WebhookApi, id: string) {
  const list = api.path('');
  return api.fail(
    'webhook_endpoint_not_found',
    `There is no endpoint "${id}". GET ${list} lists yours.`,
  );
}

/** The 400 for one field. */
export function invalid(api: WebhookApi, field: string, problem: string) {
  return api.fail('invalid_request', `"${field}" ${problem}.`, {
    body: { errors: { [field]: [problem] } },
  });
}
