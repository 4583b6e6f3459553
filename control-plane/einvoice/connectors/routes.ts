import { connectorKind, connectorKinds } from '@drawbridge/connectors/registry.ts';
import { testReading } from '@drawbridge/connectors/tested-reading.ts';
import { namesKnownFields } from '@drawbridge/input-faults/issue-words.ts';
import { profileIds } from '@drawbridge/profiles/registry.ts';
import { z } from 'zod';
import { readAgent } from '../../agents/store.ts';
import { type Environment, type Principal, permits } from '../../platform/auth/principal.ts';
import { requireProof } from '../../platform/auth/proof.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { invalidRequest } from '../../platform/http/input.ts';
import { pageQuery, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { maskedPath, maskSettings } from '../../platform/secrets/masked.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { fail } from '../errors.ts';
import { lockVerdicts } from '../pipeline/store.ts';
import { listingJob } from '../received/source-listing.ts';
import { actorOf, requireSecondForSubmitting } from './approval-policy/second-person.ts';
import { type OpenConnectors, openSettings, sealSettings } from './open-connectors.ts';
import { connectorNotFound, requireConnector } from './required.ts';
import {
  connectorId,
  connectorPage,
  connectorPatch,
  connectorRequest,
  connector as connectorSchema,
  testResult,
} from './schema.ts';
import {
  type ConnectorRow,
  findConnectors,
  hideConnector,
  insertConnector,
  listConnectors,
  lockConnector,
  updateConnector,
} from './store.ts';

export interface ConnectorRoutesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly secrets: Secrets;
  readonly open: OpenConnectors;
}

const tag = 'Connectors';
const params = z.strictObject({ id: connectorId });
const testTimeoutMs = 20_000;
const availableKinds = `There are: ${connectorKinds.map(({ kind }) => kind).join(', ')}.`;

export function connectorRoutes(context: ConnectorRoutesContext): AnyRoute[] {
  return [
    createRoute(context),
    listRoute(context),
    getRoute(context),
    patchRoute(context),
    deleteRoute(context),
    testRoute(context),
  ];
}

function createRoute(context: ConnectorRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/connectors',
    operationId: 'createConnector',
    summary: 'Bind an ERP to the service',
    tag,
    auth: { scope: 'connectors:write' },
    limit: 'write',
    request: { body: connectorRequest, headers: idempotencyHeaders },
    responses: {
      201: { description: 'The connector, and what to do next.', schema: connectorSchema },
    },
    errors: ['agent_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, environment, headers, audit }) => {
      const { db, clock, random, secrets } = context;
      const { tenantId } = principal;
      const settings = checkSettings(body.pattern, body.kind, body.settings);
      await context.open.requireAllowedPlaces(tenantId, body.kind, settings);
      refuseAgent(body.pattern, body.agent_id);
      if (body.pattern === 'agent' && body.agent_id === undefined) {
        throw invalid('agent_id', 'is missing: which bridge agent reads this source?');
      }
      const id = newId('cnx', clock, random);
      const now = clock();
      const draft: ConnectorRow = {
        id,
        pattern: body.pattern,
        kind: body.kind,
        name: body.name,
        agent_id: body.agent_id ?? null,
        default_profile: body.default_profile ?? null,
        duplicates: body.duplicates,
        settings: sealSettings(secrets, id, settings),
        submit_from: {},
        receives: {},
        submission: {},
        live_set_by: null,
        created_at: now,
        updated_at: now,
      };
      const made = await db.tenant(tenantId, (tx) =>
        makeOnce(tx, principal, onceOf('POST /v1/connectors', headers, body), {
          id,
          make: async () => {
            await requireAgent(tx, tenantId, body.agent_id);
            await insertConnector(tx, tenantId, draft);
            const after = show(context, draft, environment);
            await audit.record(tx, tenantId, { subject: id, after });
            return draft;
          },
          find: async (known) => (await findConnectors(tx, tenantId, [known]))[0],
        }),
      );
      return {
        status: 201,
        headers: madeHeaders(`/v1/connectors/${made.row.id}`, made),
        body: { ...show(context, made.row, environment), next: nextSteps(made.row) },
      };
    },
  });
}

/** The calls to make between a new connector and its first submission. */
function nextSteps({
  id,
  kind,
  default_profile,
}: Pick<ConnectorRow, 'id' | 'kind' | 'default_profile'>) {
  const profile = default_profile ?? profileIds[0];
  return [
    { why: 'See that the source answers.', call: `POST /v1/connectors/${id}/test` },
    ...(connectorKind(kind)?.layout === undefined
      ? []
      : [
          {
            why: 'See what the source holds, and how its invoices may be read.',
            call: `POST /v1/connectors/${id}/discover`,
          },
        ]),
    {
      why: 'See which columns are proposed for which fields, and what is missing.',
      call: `GET /v1/connectors/${id}/mapping?profile=${profile}`,
    },
    {
      why: 'Approve the mapping: until then submissions are rejected.',
      call: `POST /v1/connectors/${id}/mapping/approve`,
    },
    { why: 'Submit the first document.', call: 'POST /v1/invoices' },
  ];
}

function listRoute(context: ConnectorRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/connectors',
    operationId: 'listConnectors',
    summary: 'List connectors, newest first',
    tag,
    auth: { scope: 'connectors:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: { 200: { description: 'A page of connectors.', schema: connectorPage } },
    handler: async ({ query, principal: { tenantId }, environment }) => {
      const page = requestedPage(query, 'cnx');
      const rows = await context.db.tenant(tenantId, (tx) => listConnectors(tx, tenantId, page));
      const shown = (row: ConnectorRow) => show(context, row, environment);
      return { status: 200, body: pageOf(page, rows, (row) => row.id, shown) };
    },
  });
}

function getRoute(context: ConnectorRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/connectors/{id}',
    operationId: 'getConnector',
    summary: 'Read a connector',
    tag,
    auth: { scope: 'connectors:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The connector.', schema: connectorSchema } },
    errors: ['connector_not_found'],
    handler: async ({ params: { id }, principal: { tenantId }, environment }) => ({
      status: 200,
      body: show(context, await readConnector(context.db, tenantId, id), environment),
    }),
  });
}

function patchRoute(context: ConnectorRoutesContext) {
  return route({
    method: 'patch',
    path: '/v1/connectors/{id}',
    operationId: 'updateConnector',
    summary: 'Change a connector',
    description:
      'Fields that are left out stay; `settings` is replaced as a whole. `layout` puts its members in place of those of ' +
      'the settings (those that it leaves out take their default), and keeps where the source is and the secrets.',
    tag,
    auth: { scope: 'connectors:write' },
    limit: 'write',
    request: { params, body: connectorPatch },
    responses: { 200: { description: 'The connector as it is now.', schema: connectorSchema } },
    errors: [
      'connector_not_found',
      'agent_not_found',
      'person_required',
      'proof_needed',
      'second_person_needed',
    ],
    handler: async ({ params: { id }, body, principal, environment, audit }) => {
      const { db, clock, secrets } = context;
      const { tenantId } = principal;
      const before = await readConnector(db, tenantId, id);
      refuseAgent(before.pattern, body.agent_id);
      refuseTwoSettings(body);
      refuseSubmitting(before, body);
      refuseEndingApproval(before, body, principal, clock());
      let replaced: string | null = null;
      if (body.settings !== undefined) {
        const settings = checkSettings(before.pattern, before.kind, body.settings);
        await context.open.requireAllowedPlaces(tenantId, before.kind, settings);
        replaced = sealSettings(secrets, id, settings);
      }
      const row = await db.tenant(tenantId, async (tx) => {
        await requireAgent(tx, tenantId, body.agent_id);
        const held = found(await lockConnector(tx, tenantId, id), id);
        refuseTwoKinds(held, body, environment);
        const settings =
          body.layout === undefined ? replaced : withLayout(secrets, held, body.layout);
        const { import_to: importTo } = body.receives ?? {};
        if (importTo !== undefined) await requireConnector(tx, tenantId, importTo);
        // Once this has committed, no verdict is recorded by the policy before.
        if (body.submission !== undefined) await lockVerdicts(tx, tenantId);
        const change = {
          name: body.name ?? null,
          agent_id: body.agent_id ?? null,
          default_profile: body.default_profile ?? null,
          duplicates: body.duplicates ?? null,
          settings,
          submit_from: body.submit_from === undefined ? null : { [environment]: body.submit_from },
          receives: body.receives === undefined ? null : { [environment]: body.receives },
          submission: body.submission === undefined ? null : { [environment]: body.submission },
          live_set_by: await setLive(tx, principal, id, body),
        };
        const after = found(await updateConnector(tx, tenantId, id, change, clock()), id);
        if (body.receives && before.pattern !== 'agent') {
          await context.jobs.enqueue(tx, tenantId, [listingJob(environment, id)]);
        }
        await audit.record(tx, tenantId, {
          subject: id,
          before: show(context, before, environment),
          after: show(context, after, environment),
        });
        return after;
      });
      return { status: 200, body: show(context, row, environment) };
    },
  });
}

function deleteRoute(context: ConnectorRoutesContext) {
  return route({
    method: 'delete',
    path: '/v1/connectors/{id}',
    operationId: 'deleteConnector',
    summary: 'Remove a connector',
    description: 'What was submitted through it stays readable; its settings are erased.',
    tag,
    auth: { scope: 'connectors:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['connector_not_found'],
    handler: async ({ params: { id }, principal: { tenantId }, environment, audit }) => {
      const { db, clock, open } = context;
      const before = show(context, await readConnector(db, tenantId, id), environment);
      await db.tenant(tenantId, async (tx) => {
        if ((await hideConnector(tx, tenantId, id, clock())) === 0) throw connectorNotFound(id);
        await audit.record(tx, tenantId, { subject: id, before });
      });
      await open.closeConnector(id);
      return { status: 204 };
    },
  });
}

function testRoute({ db, open }: ConnectorRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/connectors/{id}/test',
    operationId: 'testConnector',
    summary: 'Test the connection to the source, and read its newest documents',
    tag,
    auth: { scope: 'connectors:write' },
    unaudited: 'it changes nothing',
    limit: 'write',
    request: { params },
    responses: { 200: { description: 'The answer of the source.', schema: testResult } },
    errors: ['connector_not_found'],
    handler: async ({ params: { id }, principal: { tenantId } }) => {
      const row = await readConnector(db, tenantId, id);
      const connector = await open.use(tenantId, row);
      const outcome = await testReading(connector, AbortSignal.timeout(testTimeoutMs));
      const body =
        outcome.kind === 'ok'
          ? {
              ok: true,
              detail: outcome.detail,
              sample_refs: outcome.sampleRefs,
              ...(outcome.writeBack && { write_back: `waiting, ${outcome.writeBack.message}` }),
            }
          : { ok: false, detail: outcome.fault.message, code: outcome.fault.code };
      return { status: 200, body };
    },
  });
}

/** Refuses an agent for a pattern that does not use one, because the caller expects it to read. */
function refuseAgent(pattern: string, agentId: string | undefined): void {
  if (pattern === 'agent' || agentId === undefined) return;
  throw invalid('agent_id', 'is only for the pattern "agent", where a bridge agent reads');
}

function refuseTwoSettings({ settings, layout }: z.infer<typeof connectorPatch>): void {
  if (settings === undefined || layout === undefined) return;
  throw invalid('layout', 'cannot stand beside "settings", of which it is a part');
}

/** Only an agent reports documents, and only a profile says what to make of them. */
function refuseSubmitting(
  { pattern, default_profile }: ConnectorRow,
  body: z.infer<typeof connectorPatch>,
): void {
  if (body.submit_from === undefined || body.submit_from === null) return;
  if (pattern !== 'agent') {
    throw invalid(
      'submit_from',
      'is only for the pattern "agent": no other source tells of changes',
    );
  }
  if (default_profile === null && body.default_profile === undefined) {
    throw invalid('submit_from', 'needs a "default_profile": the documents are submitted for it');
  }
}

/** A source holds documents of one kind: the tenant's own, or those of its suppliers. */
function refuseTwoKinds(
  { submit_from, receives }: ConnectorRow,
  body: z.infer<typeof connectorPatch>,
  environment: Environment,
): void {
  if (!body.receives && !body.submit_from) return;
  const submitFrom = body.submit_from === undefined ? submit_from[environment] : body.submit_from;
  const received = body.receives === undefined ? receives[environment] : body.receives;
  if (!submitFrom || !received) return;
  const [field, other] = body.receives ? ['receives', 'submit_from'] : ['submit_from', 'receives'];
  throw invalid(field!, `cannot stand beside "${other}"`);
}

/** One person must not end that there be two: it takes one who may approve. */
function refuseEndingApproval(
  { submission }: ConnectorRow,
  body: z.infer<typeof connectorPatch>,
  principal: Principal,
  now: Date,
): void {
  const hold = submission[principal.environment]?.hold;
  if (body.submission === undefined || hold !== 'approval') return;
  if (body.submission?.hold === 'approval') return;
  if (principal.sessionId === undefined || !permits(principal, 'invoices:approve')) {
    throw fail(
      'person_required',
      'Only a person with the permission invoices:approve, signed in, ends the approval by a second person.',
    );
  }
  requireProof(principal, now);
}

/** Who changes how documents are submitted in the live environment, if that is changed and may be. */
async function setLive(
  tx: Tx,
  principal: Principal,
  id: string,
  { submit_from: from, submission }: z.infer<typeof connectorPatch>,
): Promise<string | null> {
  const { tenantId, environment } = principal;
  if (environment !== 'live' || (from === undefined && submission === undefined)) return null;
  // What is compared must not change until this is written.
  const now = found(await lockConnector(tx, tenantId, id), id);
  const before = { submitFrom: now.submit_from.live, hold: now.submission.live?.hold };
  const after = {
    submitFrom: from === undefined ? before.submitFrom : from,
    hold: submission === undefined ? before.hold : submission?.hold,
  };
  const actor = await actorOf(tx, principal);
  const change = { before, after, setBy: now.live_set_by };
  await requireSecondForSubmitting(tx, tenantId, actor, change);
  return actor;
}

/** Settings as the kind reads them. Refuses a kind that is unknown or of another pattern. */
function checkSettings(pattern: string, name: string, settings: unknown): unknown {
  const kind = connectorKind(name);
  if (kind === undefined) {
    throw fail('invalid_request', `"kind" is none that there is. ${availableKinds}`, {
      body: { errors: { kind: ['is none that there is'] } },
    });
  }
  if (kind.pattern !== pattern) {
    throw invalid('pattern', `must be "${kind.pattern}" for the kind "${name}"`);
  }
  const shown = maskedPath(settings);
  if (shown !== undefined) {
    throw invalid(`settings.${shown}`, 'holds the mask of a secret: send the secret again');
  }
  return parseSettings(name, settings);
}

function parseSettings(name: string, settings: unknown): unknown {
  const parsed = connectorKind(name)!.settings.safeParse(settings, { error: namesKnownFields });
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ ...issue, path: ['settings', ...issue.path] })),
  );
}

/** The settings of a connector with another layout, sealed: where the source is and who logs in stay. */
function withLayout(
  secrets: Secrets,
  row: ConnectorRow,
  layout: Readonly<Record<string, unknown>>,
): string {
  const members = connectorKind(row.kind)?.layout;
  if (members === undefined) {
    const instead =
      row.pattern === 'agent'
        ? 'the bridge agent holds the settings of its sources'
        : `a source of the kind "${row.kind}" has none`;
    throw invalid('layout', `cannot be set: ${instead}`);
  }
  const other = Object.keys(layout).find((member) => !members.includes(member));
  if (other !== undefined) {
    throw invalid(`layout.${other}`, `is not one of ${members.join(', ')}: send "settings" whole`);
  }
  const settings = JSON.parse(openSettings(secrets, row)) as object;
  // What the layout leaves out is of another one.
  const kept = Object.entries(settings).filter(([member]) => !members.includes(member));
  const changed = parseSettings(row.kind, { ...Object.fromEntries(kept), ...layout });
  return sealSettings(secrets, row.id, changed);
}

async function requireAgent(tx: Tx, tenantId: string, id: string | undefined): Promise<void> {
  if (id !== undefined && (await readAgent(tx, tenantId, id)) === undefined) {
    throw fail('agent_not_found', `There is no agent "${id}". GET /v1/agents lists yours.`);
  }
}

/** The connector, or 404, also when it is of another tenant. */
export async function readConnector(db: Db, tenantId: string, id: string): Promise<ConnectorRow> {
  return db.tenant(tenantId, (tx) => requireConnector(tx, tenantId, id));
}

function found(row: ConnectorRow | undefined, id: string): ConnectorRow {
  if (row === undefined) throw connectorNotFound(id);
  return row;
}

function invalid(field: string, problem: string) {
  return fail('invalid_request', `"${field}" ${problem}.`, {
    body: { errors: { [field]: [problem] } },
  });
}

function show({ secrets }: ConnectorRoutesContext, row: ConnectorRow, environment: Environment) {
  const kind = connectorKind(row.kind)!;
  const submitFrom = row.submit_from[environment];
  const receives = row.receives[environment];
  const submission = row.submission[environment];
  return {
    id: row.id,
    pattern: row.pattern,
    kind: row.kind,
    name: row.name,
    ...(row.agent_id === null ? {} : { agent_id: row.agent_id }),
    ...(row.default_profile === null ? {} : { default_profile: row.default_profile }),
    duplicates: row.duplicates,
    ...(submitFrom === undefined ? {} : { submit_from: submitFrom }),
    ...(receives === undefined ? {} : { receives }),
    ...(submission === undefined ? {} : { submission }),
    settings: maskSettings(kind.settings, JSON.parse(openSettings(secrets, row))),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
