import { randomBytes } from 'node:crypto';
import type { Express } from 'express';
import { sqlAt, type TestDb } from '../../test/kit/postgres.ts';
import { type AuditLog, openAuditLog } from '../platform/audit/audit-log.ts';
import { openSuspendedTenants } from '../platform/auth/suspended-tenants.ts';
import { openDb } from '../platform/db/database.ts';
import { buildApp } from '../platform/http/app.ts';
import { listen } from '../platform/http/server.ts';
import type { Service } from '../platform/http/service.ts';
import { BytesUnderWay } from '../platform/limits/bytes-under-way.ts';
import { createLog } from '../platform/log/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { bundleRoutes } from './bundles/routes.ts';
import { errors } from './errors.ts';
import { type Hub, type HubContext, openHub } from './hub.ts';
import { newIdentity, openIdentities } from './identities.ts';
import { addIdentity } from './identity-store.ts';
import { linkPath, linkUpgrade } from './link-endpoint.ts';
import { agentRoutes } from './routes.ts';
import type { DocumentsChanged, DocumentsRead } from './session-persistence.ts';
import {
  type AgentCredentials,
  type DialOptions,
  dial,
  enrolmentBody,
  newKeys,
  type SimulatedAgent,
} from './simulator.ts';

/**
 * A node of a control plane that serves agents only; the bearer token of a request is its tenant's
 * id.
 */
export interface TestNode {
  readonly url: string;
  readonly linkUrl: string;
  readonly hub: Hub;
  readonly changes: DocumentsChanged[];
  readonly batches: DocumentsRead[];
  request(method: string, path: string, tenantId?: string, body?: object): Promise<TestAnswer>;
  /** Makes a new identity of the control plane and returns its public key. */
  rotate(): Promise<string>;
  /** A new agent of the tenant, not yet linked. */
  enrol(tenantId: string): Promise<AgentCredentials>;
  /** Links an agent; resolves when the node has welcomed it. */
  link(credentials: AgentCredentials, dialling?: DialOptions): Promise<SimulatedAgent>;
  close(): Promise<void>;
}

export interface TestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks what it expects
  readonly body: any;
}

/** What the nodes seal with, as DRAWBRIDGE_SECRET_KEY. */
export const secretKey = Buffer.alloc(32, 7).toString('base64');
export const secrets = createSecrets(secretKey);

export async function newTenant(kit: TestDb, id: string): Promise<string> {
  await sqlAt(kit.url, `insert into tenant (id, name) values ($1, 'Test')`, [id]);
  return id;
}

/** Starts a node with its own database pool, on a free port or the given one. */
export async function startNode(
  kit: TestDb,
  port = 0,
  more: Pick<HubContext, 'unfinishedResults'> = {},
): Promise<TestNode> {
  const db = await openDb({ url: kit.appUrl, poolMax: 5 });
  const clock = () => new Date();
  const log = createLog({ level: 'silent' });
  const identities = await openIdentities({ db, secrets, random: randomBytes, log });
  const changes: DocumentsChanged[] = [];
  const batches: DocumentsRead[] = [];
  const suspended = await openSuspendedTenants({ db, log });
  const eventHandlers = {
    linked: async () => {},
    documentsChanged: async (_: unknown, change: DocumentsChanged) => void changes.push(change),
    documentsRead: async (_: unknown, batch: DocumentsRead) => void batches.push(batch),
    commandDone: async () => {},
  };
  const context = { db, log, clock, identities, random: randomBytes, eventHandlers };
  const hub = await openHub({ ...context, suspended, ...more });
  const app = appOf(openAuditLog({ db, clock, random: randomBytes }), [
    ...agentRoutes({ ...context, hub }),
    ...bundleRoutes(context),
  ]);
  const listening = await listen(app, { port, host: '127.0.0.1' });
  listening.server.on('upgrade', linkUpgrade(hub));
  const linkUrl = `${listening.url.replace('http', 'ws')}${linkPath}`;

  return {
    url: listening.url,
    linkUrl,
    hub,
    changes,
    batches,
    ...clientOf(listening.url, linkUrl),
    rotate: () =>
      db.system(async (tx) => {
        const identity = newIdentity(secrets, randomBytes);
        await addIdentity(tx, identity);
        return identity.public_key;
      }),
    async close() {
      await hub.close(0);
      await suspended.close();
      await identities.close();
      await listening.close(0);
      await db.close();
    },
  };
}

type Client = Pick<TestNode, 'request' | 'enrol' | 'link'>;

function clientOf(url: string, linkUrl: string): Client {
  const client: Client = {
    async request(method, path, tenantId, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(tenantId && { authorization: `Bearer ${tenantId}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async enrol(tenantId) {
      const { body } = await client.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
      const keys = newKeys();
      const applicant = enrolmentBody(body.token, keys.publicKey);
      const enrolled = await client.request('POST', '/v1/agents/enrol', undefined, applicant);
      const { agent_id: agentId } = enrolled.body;
      return { ...keys, agentId, controlPlaneKey: applicant.control_plane_key };
    },
    async link(credentials, dialling = {}) {
      const agent = await dial(linkUrl, credentials, randomBytes, dialling);
      const { epoch } = await agent.next('welcome');
      agent.send({ kind: 'ready', epoch });
      return agent;
    },
  };
  return client;
}

function appOf(auditLog: AuditLog, routes: Service['routes']): Express {
  const service: Service = {
    name: 'einvoice',
    title: 'Agents',
    version: '1.0.0',
    description: 'For tests.',
    routes,
    errors,
    authenticate: async ({ authorization = '' }) => ({
      kind: 'accepted',
      principal: {
        tenantId: authorization.replace('Bearer ', ''),
        environment: 'sandbox',
        id: 'key',
        scopes: ['*'],
      },
    }),
  };
  return buildApp([service], {
    bodies: new BytesUnderWay({ tenantMax: 1_000_000, allMax: 1_000_000 }),
    auditLog,
    environmentOf: () => 'sandbox',
    newRequestId: () => 'request',
    stopwatch: () => 0,
    clock: () => new Date(),
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    health: { ready: async () => true } as never,
    checkReplies: true,
  });
}
