/** What the routes of endpoints and of their deliveries share. */
import type { Service } from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import { fromCursor } from '../../platform/http/cursor.ts';
import type { ApiError, ErrorExtra } from '../../platform/http/errors.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Seal } from '../endpoint-secrets.ts';
import { type EndpointRow, findEndpoint } from '../endpoint-store.ts';
import type { Probes } from '../probe.ts';

/** What tells the endpoints of one service from those of the other. */
export interface WebhookFace {
  readonly service: Service;
  /** The path below the list's, as the service writes its paths; empty: the list's own. */
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
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly seal: Seal;
  readonly probes: Probes;
  /** The setting `webhookAllowPrivate`: an endpoint made at the sandbox address may be http on this machine. */
  readonly allowLoopback: boolean;
}

/** Whose endpoint, and where it is asked for. */
export interface Asking {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** The endpoint, or 404: one of another tenant is as missing as one that never was. */
export async function readEndpoint(
  face: WebhookFace,
  db: Db,
  { tenantId, environment }: Asking,
  id: string,
): Promise<EndpointRow> {
  const row = await db.tenant(tenantId, (tx) => findEndpoint(tx, tenantId, face.service, id));
  const isElsewhere = row?.environment != null && row.environment !== environment;
  return found(face, isElsewhere ? undefined : row, id);
}

/** What a page begins after; throws 400 where `fromCursor` finds nothing. */
export function readCursor(
  face: WebhookFace,
  cursor: string | undefined,
  keys: string,
): string | undefined {
  const after = cursor === undefined ? undefined : fromCursor(cursor, keys);
  if (cursor !== undefined && after === undefined) {
    throw invalid(face, 'cursor', 'must be the "next" of an earlier page of this list');
  }
  return after;
}

/** The row, or 404. */
export function found(face: WebhookFace, row: EndpointRow | undefined, id: string): EndpointRow {
  if (row === undefined) throw notFound(face, id);
  return row;
}

export function notFound(face: WebhookFace, id: string) {
  const list = face.path('');
  return face.fail(
    'webhook_endpoint_not_found',
    `There is no endpoint "${id}". GET ${list} lists yours.`,
  );
}

/** The 400 for one field. */
export function invalid(face: WebhookFace, field: string, problem: string) {
  return face.fail('invalid_request', `"${field}" ${problem}.`, {
    body: { errors: { [field]: [problem] } },
  });
}
