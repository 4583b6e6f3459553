import { type Actor, actorKindOf } from '../audit/actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Recorded, RequestAudit } from '../audit/request-audit.ts';
import type { Environment, Principal, RefusalCode } from '../auth/principal.ts';
import type { Clock } from '../ids.ts';
import type { AnyRoute, Reply } from './route.ts';

/** Between two events of one key that is refused for one reason: who goes on trying fills no log. */
const refusalEveryMs = 3_600_000;
const refusalsMax = 10_000;

/** Whose key was refused, and why. */
export interface RefusedKey {
  readonly tenantId: string;
  readonly id: string;
  readonly code: RefusalCode;
}

/** Records keys of ours that are refused: revoked, expired, or used from elsewhere. */
export function openRefusalAudit(log: AuditLog, clock: Clock) {
  const recorded = new Map<string, number>();
  return async ({ tenantId, id, code }: RefusedKey, from: Omit<Actor, 'kind' | 'id'>) => {
    const now = clock().getTime();
    const name = `${id} ${code}`;
    if (now - (recorded.get(name) ?? Number.NEGATIVE_INFINITY) < refusalEveryMs) return;
    recorded.delete(name);
    recorded.set(name, now);
    if (recorded.size > refusalsMax) recorded.delete(recorded.keys().next().value!);
    const actor: Actor = { ...from, kind: 'key', id };
    const after = { code };
    await log.write(tenantId, actor, { action: 'useKey', subject: id, outcome: 'refused', after });
  };
}

/** The request that is recorded. */
export interface AuditedRequest {
  readonly row: AnyRoute;
  readonly service: string;
  readonly principal: Principal | undefined;
  readonly environment: Environment;
  readonly ip: string;
  readonly requestId: string;
}

export interface OpenRequestAudit extends RequestAudit {
  /**
   * Records what a handler changed and did not record itself: that it was done, and to what. Reads are
   * not recorded, nor what a row names a reason for.
   */
  finish(params: Readonly<Record<string, string>>, reply: Reply): Promise<void>;
}

export function openRequestAudit(log: AuditLog, request: AuditedRequest): OpenRequestAudit {
  const { row, principal } = request;
  let isRecorded = false;
  const actionOf = ({ action, userId: _, ...rest }: Recorded) => ({
    ...rest,
    action: action ?? row.operationId,
  });
  return {
    record: (tx, tenantId, recorded) => {
      isRecorded = true;
      return log.record(tx, tenantId, actorOf(request, recorded.userId), actionOf(recorded));
    },
    recordForHost: (tx, { aboutTenant, ...recorded }) =>
      log.recordForHost(tx, actorOf(request, recorded.userId), {
        ...actionOf(recorded),
        aboutTenant,
      }),
    finish: async (params, reply) => {
      if (isRecorded || principal === undefined || !isChange(row, reply)) return;
      const subject = subjectOf(params, reply);
      await log.write(principal.tenantId, actorOf(request), { action: row.operationId, subject });
    },
  };
}

function isChange({ method, unaudited }: AnyRoute, { status, headers }: Reply): boolean {
  const isReplay = headers?.['idempotency-replayed'] !== undefined;
  return method !== 'get' && unaudited === undefined && status < 400 && !isReplay;
}

/** The things that the path names, or the id of what was made. */
function subjectOf(params: Readonly<Record<string, string>>, { body }: Reply): string | null {
  const named = Object.values(params).join(' ');
  if (named !== '') return named;
  const made = body as { readonly id?: unknown } | undefined;
  return typeof made?.id === 'string' ? made.id : null;
}

function actorOf(request: AuditedRequest, userId?: string): Actor {
  const { principal, environment, ip, requestId, service } = request;
  const id = principal?.id ?? userId ?? null;
  return {
    kind: id === null ? 'nobody' : actorKindOf(id),
    id,
    // Members and sessions are of the workspace, whichever API they are asked for at.
    service: request.row.isOfWorkspace ? null : service,
    environment,
    ip,
    requestId,
  };
}
