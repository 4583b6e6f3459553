import { publicKeyText } from '@drawbridge/link/bytes.ts';
import { openEnrolment, signAnswer } from '@drawbridge/link/enrolment.ts';
import { actionOf } from '@drawbridge/link/findings.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { z } from 'zod';
import type { Db } from '../platform/db/database.ts';
import { commonFail } from '../platform/http/errors.ts';
import { type AnyRoute, route } from '../platform/http/route.ts';
import { type Clock, idPattern, type RandomBytes } from '../platform/ids.ts';
import { enrol, issueToken, tokenLifeSecondsMax } from './enrol.ts';
import { fail } from './errors.ts';
import type { Hub } from './hub.ts';
import type { LinkIdentities } from './identities.ts';
import { linkPath } from './link-endpoint.ts';
import { findSources, type SourceRow } from './source-store.ts';
import { findStatus, type StatusRow } from './status-store.ts';
import { type AgentRow, listAgents, readAgent } from './store.ts';

export interface AgentRoutesContext {
  readonly db: Db;
  readonly hub: Hub;
  /** A new agent trusts the newest of when its token was issued. */
  readonly identities: Pick<LinkIdentities, 'newest' | 'reload' | 'find'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** The most agents of a list, which has no pages because a tenant has few. */
const listMax = 1_000;

const hostname = z.string().min(1).max(253);
const instant = z.iso.datetime();
const agentId = z.string().regex(idPattern('agt'), 'must be the id of an agent');

const agent = z
  .strictObject({
    id: agentId,
    hostname,
    version: z.string(),
    online: z.boolean(),
    enrolled_at: instant,
    last_seen_at: instant.nullable(),
  })
  .meta({ id: 'Agent' });

const count = z.int().min(0);

const source = z
  .strictObject({
    connector: z.string().describe('The name of the connector on the agent'),
    documents: count.describe('Documents that were read and stored, changes counted each time'),
    last_read_at: instant,
    reconciliation: z
      .strictObject({
        at: instant,
        documents: count.describe('Documents that the source has'),
        late: count.describe('Found behind the place that reading had reached'),
        edited: count.describe('Changed without moving past that place'),
        deleted: count.describe('Read once, and not in the source any more'),
        examples: z.array(
          z.strictObject({ kind: z.enum(['late', 'edited', 'deleted']), ref: z.string() }),
        ),
      })
      .nullable()
      .describe('The last comparison of the whole source with what was read of it'),
  })
  .meta({ id: 'AgentSource' });

const condition = {
  state: z.enum(['room', 'full']).describe('`full`: no more is read or taken'),
  detail: z.string(),
};

const status = z
  .strictObject({
    received_at: instant,
    queue: z.strictObject({
      ...condition,
      pending_commands: count.describe('Write-backs to do'),
      oldest_pending_at: instant.nullable(),
      unsent_events: count.describe('Events for the control plane'),
      unsent_documents: count.describe('Documents among them'),
      unsent_bytes: count,
      oldest_unsent_at: instant.nullable(),
    }),
    disk: z.strictObject({ ...condition, free_bytes: count }),
    waiting: z
      .array(z.strictObject({ connector: z.string(), detail: z.string(), since: instant }))
      .describe('Sources that do not take what is to be written'),
    findings: z
      .array(
        z.strictObject({
          component: z.string(),
          target: z.string(),
          status: z.enum(['ok', 'warn', 'fail']),
          detail: z.string(),
          code: z.string().nullable().describe('Null where nothing has to be done'),
          action: z.string().nullable().describe('What helps, as `drawbridge doctor` says it'),
        }),
      )
      .describe('What the doctor of the agent found, the worst first'),
    examined_at: instant.nullable(),
  })
  .meta({ id: 'AgentStatus' });

const agentWithSources = agent
  .extend({
    sources: z.array(source),
    status: status
      .nullable()
      .describe('As the agent last told, at most once a minute; null before it did'),
  })
  .meta({ id: 'AgentWithSources' });

const agentList = z
  .strictObject({
    results: z.array(agent),
    next: z.null(),
    previous: z.null(),
  })
  .meta({ id: 'AgentList' });

const newToken = z
  .strictObject({ token: z.string(), expires_at: instant, hostname: hostname.nullable() })
  .meta({ id: 'EnrolmentToken' });

const enrolment = z
  .strictObject({
    agent_id: agentId,
    link_url: z.string(),
    signature: z.string().describe('By the key for which the request was sealed, of both'),
  })
  .meta({ id: 'Enrolment' });

/** The routes of `/v1/agents`. */
export function agentRoutes(context: AgentRoutesContext): AnyRoute[] {
  return [
    issueTokenRoute(context),
    enrolRoute(context),
    listRoute(context),
    readRoute(context),
    revokeRoute(context),
  ];
}

function issueTokenRoute({ db, random, identities }: AgentRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/agents/enrolment-tokens',
    operationId: 'createEnrolmentToken',
    summary: 'Issue a one-time token by which a host becomes an agent',
    tag: 'Agents',
    auth: { scope: 'agents:write' },
    limit: 'write',
    request: {
      body: z
        .strictObject({
          hostname: hostname.optional().describe('The only host that may use the token'),
          expires_in_seconds: z.int().min(60).max(tokenLifeSecondsMax).default(tokenLifeSecondsMax),
        })
        .prefault({}),
    },
    responses: { 201: { description: 'The token, shown this once', schema: newToken } },
    handler: async ({ body, principal }) => {
      await identities.reload();
      const options = {
        hostname: body.hostname,
        lifeSeconds: body.expires_in_seconds,
        controlPlaneKey: identities.newest().publicKey,
      };
      const { token, expiresAt } = await issueToken(db, random, principal.tenantId, options);
      const expires = expiresAt.toISOString();
      return {
        status: 201,
        body: { token, expires_at: expires, hostname: body.hostname ?? null },
      };
    },
  });
}

function enrolRoute({ db, clock, random, identities }: AgentRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/agents/enrol',
    operationId: 'enrolAgent',
    summary: 'Enrol an agent; the agent itself calls this',
    tag: 'Agents',
    auth: { public: 'The one-time token in the body is the credential.' },
    request: {
      body: z.strictObject({
        control_plane_key: publicKeyText,
        sealed: z
          .base64()
          .max(8_192)
          .describe('Token, key, host and version, sealed for that key: see docs/link.md'),
      }),
    },
    responses: {
      201: {
        description: 'The agent, which trusts that key of the control plane',
        schema: enrolment,
      },
    },
    errors: ['invalid_credentials'],
    handler: async ({ body, audit }) => {
      const { control_plane_key: key, sealed } = body;
      const identity = await identities.find(key);
      if (identity === undefined) return refused();
      const asked = openEnrolment(identity.secretKey, sealed);
      if (asked === undefined) return refused();
      const enrolled = await enrol(db, clock, random, asked, key);
      if (enrolled === undefined) return refused();
      const { id, tenantId } = enrolled;
      const after = { hostname: asked.hostname, public_key: asked.publicKey };
      await db.tenant(tenantId, (tx) => audit.record(tx, tenantId, { subject: id, after }));
      // Relative, because behind a proxy only the agent knows the address by which it got here.
      const answer = { agentId: id, linkUrl: linkPath };
      const signature = signAnswer(identity.secretKey, sealed, answer);
      return { status: 201, body: { agent_id: id, link_url: linkPath, signature } };
    },
  });
}

/** The same for every reason, so that it does not show which tokens exist. */
function refused() {
  return commonFail('invalid_credentials', 'The token is unknown, used, expired or not yours.');
}

function listRoute({ db }: AgentRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/agents',
    operationId: 'listAgents',
    summary: 'List the agents',
    tag: 'Agents',
    auth: { scope: 'agents:read' },
    limit: 'read',
    responses: { 200: { description: 'The agents, oldest first', schema: agentList } },
    handler: async ({ principal: { tenantId } }) => {
      const rows = await db.tenant(tenantId, (tx) => listAgents(tx, tenantId, listMax));
      return { status: 200, body: { results: rows.map(shown), next: null, previous: null } };
    },
  });
}

function readRoute({ db }: AgentRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/agents/{id}',
    operationId: 'getAgent',
    summary: 'Read an agent',
    tag: 'Agents',
    auth: { scope: 'agents:read' },
    limit: 'read',
    request: { params: z.strictObject({ id: z.string() }) },
    responses: { 200: { description: 'The agent, and its sources', schema: agentWithSources } },
    errors: ['agent_not_found'],
    handler: async ({ params: { id }, principal: { tenantId } }) => {
      const [row, sources, told] = await db.tenant(tenantId, async (tx) => [
        await readAgent(tx, tenantId, id),
        await findSources(tx, tenantId, id, limits.sourcesMax),
        await findStatus(tx, tenantId, id),
      ]);
      if (row === undefined) return missing(id);
      const body = { ...shown(row), sources: sources.map(shownSource) };
      return { status: 200, body: { ...body, status: told ? shownStatus(told) : null } };
    },
  });
}

function revokeRoute({ hub }: AgentRoutesContext) {
  return route({
    method: 'delete',
    path: '/v1/agents/{id}',
    operationId: 'revokeAgent',
    summary: 'Revoke an agent and end its link',
    tag: 'Agents',
    auth: { scope: 'agents:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: z.string() }) },
    responses: { 204: { description: 'Revoked' } },
    errors: ['agent_not_found'],
    handler: async ({ params: { id }, principal: { tenantId } }) =>
      (await hub.revoke({ tenantId, agentId: id })) ? { status: 204 } : missing(id),
  });
}

function shown(row: AgentRow): z.infer<typeof agent> {
  return {
    id: row.id,
    hostname: row.hostname,
    version: row.software,
    online: row.online,
    enrolled_at: row.enrolled_at.toISOString(),
    last_seen_at: row.seen_at?.toISOString() ?? null,
  };
}

function shownSource(row: SourceRow): z.infer<typeof source> {
  const { connector: _, ...reconciliation } = row.reconciliation ?? { connector: '' };
  return {
    connector: row.connector,
    documents: row.documents,
    last_read_at: row.received_at.toISOString(),
    reconciliation: 'at' in reconciliation ? reconciliation : null,
  };
}

function shownStatus({ status: told, received_at }: StatusRow): z.infer<typeof status> {
  const findings = told.findings.map(({ code, ...finding }) => {
    const action = code === undefined ? undefined : actionOf(code);
    return { ...finding, code: code ?? null, action: action ?? null };
  });
  return { ...told, findings, received_at: received_at.toISOString() };
}

function missing(id: string) {
  return fail('agent_not_found', `There is no agent ${id}.`);
}
