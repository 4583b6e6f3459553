import { bundleFile, bundleLimits } from '@drawbridge/link/bundle.ts';
import { z } from 'zod';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import { readAgent } from '../store.ts';
import { type BundlesContext, nextBundle, takeBundle } from './bundles.ts';
import { type BundleRow, listBundles, readFile } from './store.ts';

/** The most bundles of a list. */
const listMax = 1_000;

const instant = z.iso.datetime();
const params = z.strictObject({ id: z.string() });

const carried = z
  .strictObject({
    direction: z.enum(['from_agent', 'to_agent']),
    number: z.int(),
    digest: z.string().describe('SHA-256 of its signature, in hex; the agent shows the same'),
    messages: z.int(),
    made_at: instant,
    taken_at: instant.nullable().describe('null: on its way'),
  })
  .meta({ id: 'CarriedBundle' });

const carriedList = z
  .strictObject({
    results: z.array(carried),
    next: z.null(),
    previous: z.null(),
  })
  .meta({ id: 'CarriedBundleList' });

const receipt = z
  .strictObject({ number: z.int(), digest: z.string(), messages: z.int() })
  .meta({ id: 'BundleReceipt' });

const refusals = [
  'bundle_outgoing',
  'bundle_foreign',
  'bundle_tampered',
  'bundle_replayed',
  'bundle_forked',
  'bundle_out_of_order',
  'bundle_retired_key',
  'bundle_unreadable',
] as const;

/** The routes of `/v1/agents/{id}/bundles`. */
export function bundleRoutes(context: BundlesContext): AnyRoute[] {
  return [takeRoute(context), nextRoute(context), listRoute(context), fileRoute(context)];
}

function takeRoute(context: BundlesContext) {
  return route({
    method: 'post',
    path: '/v1/agents/{id}/bundles',
    operationId: 'takeBundle',
    summary: 'Take a bundle that was carried here from an agent',
    description:
      'Bundles are taken once and in order; a refusal changes nothing and names its reason.',
    tag: 'Agents',
    auth: { scope: 'agents:write' },
    limit: 'write',
    bodyBytesMax: bundleLimits.fileBytesMax,
    request: { params, body: bundleFile },
    responses: { 201: { description: 'What was taken', schema: receipt } },
    errors: ['agent_not_found', ...refusals],
    handler: async ({ params: { id }, body, principal: { tenantId } }) => {
      const outcome = await takeBundle(context, { tenantId, agentId: id }, body);
      if (outcome.kind === 'unknown') return missing(id);
      if (outcome.kind === 'refused') return refused(outcome);
      const { kind: _, ...taken } = outcome;
      return { status: 201, body: taken };
    },
  });
}

function nextRoute(context: BundlesContext) {
  return route({
    method: 'post',
    path: '/v1/agents/{id}/bundles/next',
    operationId: 'makeBundle',
    summary: 'Make the next bundle to an agent, with all that waits for it',
    description: 'Asked again before anything new waits, it answers the same bundle.',
    tag: 'Agents',
    auth: { scope: 'agents:write' },
    limit: 'write',
    request: { params },
    responses: { 200: { description: 'The bundle, to be saved as a file', schema: bundleFile } },
    errors: ['agent_not_found', 'bundle_empty', 'bundle_retired_key'],
    handler: async ({ params: { id }, principal: { tenantId } }) => {
      const outcome = await nextBundle(context, { tenantId, agentId: id });
      if (outcome.kind === 'unknown') return missing(id);
      if (outcome.kind === 'refused') return refused(outcome);
      if (outcome.kind === 'empty') return fail('bundle_empty', 'Nothing waits to be carried.');
      return { status: 200, body: outcome.file };
    },
  });
}

function listRoute({ db }: BundlesContext) {
  return route({
    method: 'get',
    path: '/v1/agents/{id}/bundles',
    operationId: 'listBundles',
    summary: 'List the bundles of an agent, both ways, the newest of each first',
    tag: 'Agents',
    auth: { scope: 'agents:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'What came, and what is on its way', schema: carriedList } },
    errors: ['agent_not_found'],
    handler: async ({ params: { id }, principal: { tenantId } }) => {
      const rows = await db.tenant(tenantId, async (tx) =>
        (await readAgent(tx, tenantId, id)) === undefined
          ? undefined
          : listBundles(tx, tenantId, id, listMax),
      );
      if (rows === undefined) return missing(id);
      return { status: 200, body: { results: rows.map(shown), next: null, previous: null } };
    },
  });
}

function fileRoute({ db }: BundlesContext) {
  return route({
    method: 'get',
    path: '/v1/agents/{id}/bundles/{number}',
    operationId: 'getBundle',
    summary: 'Read a bundle to an agent again, if it was lost on its way',
    tag: 'Agents',
    auth: { scope: 'agents:read' },
    limit: 'read',
    request: {
      params: z.strictObject({ id: z.string(), number: z.coerce.number().pipe(z.int32().min(1)) }),
    },
    responses: { 200: { description: 'The same bundle as before', schema: bundleFile } },
    errors: ['bundle_not_found'],
    handler: async ({ params: { id, number }, principal: { tenantId } }) => {
      const file = await db.tenant(tenantId, (tx) => readFile(tx, tenantId, id, number));
      if (file) return { status: 200, body: file };
      const why = file === null ? 'the agent has taken it' : 'it was never made';
      return fail('bundle_not_found', `There is no bundle ${number} to carry: ${why}.`);
    },
  });
}

function shown({ acknowledges: _, ...row }: BundleRow): z.infer<typeof carried> {
  return {
    ...row,
    made_at: row.made_at.toISOString(),
    taken_at: row.taken_at?.toISOString() ?? null,
  };
}

function missing(id: string) {
  return fail('agent_not_found', `There is no agent ${id}.`);
}

type Refusal = Extract<Awaited<ReturnType<typeof takeBundle>>, { kind: 'refused' }>;

function refused({ refusal, detail }: Refusal) {
  return fail(`bundle_${refusal}`, `The bundle is refused: ${detail}.`);
}
