import { z } from 'zod';
import type { Db } from '../../../platform/db/database.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import type { Clock } from '../../../platform/ids.ts';
import { fail } from '../../errors.ts';
import {
  type ApprovalPolicy,
  findApprovalPolicy,
  lockApprovalPolicy,
  saveApprovalPolicy,
} from './store.ts';

interface ApprovalPolicyContext {
  readonly db: Db;
  readonly clock: Clock;
}

const path = '/v1/approval-policy';

const approvalPolicy = z
  .strictObject({
    mappings: z
      .enum(['one', 'two'])
      .describe(
        'With `two`, a field of a mapping is put forward by one person, also with a key, and approved by another.',
      ),
    live_submission: z
      .enum(['one', 'two'])
      .describe(
        'With `two`, documents are submitted by themselves in the live environment (`submit_from`) once somebody has ' +
          'begun it with a hold (`submission.hold`), and another person has ended the hold.',
      ),
  })
  .describe('How many people it takes to put something into use.')
  .meta({ id: 'ApprovalPolicy' });

/** Whether mappings, and submitting by itself, take a second person. */
export function approvalPolicyRoutes(context: ApprovalPolicyContext): AnyRoute[] {
  return [getRoute(context), putRoute(context)];
}

function getRoute({ db }: ApprovalPolicyContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getApprovalPolicy',
    summary: 'How many people it takes to put something into use',
    tag: 'Mapping',
    auth: { scope: 'connectors:read' },
    limit: 'read',
    responses: { 200: { description: 'What holds now.', schema: approvalPolicy } },
    handler: async ({ principal: { tenantId } }) => ({
      status: 200,
      body: await db.tenant(tenantId, (tx) => findApprovalPolicy(tx, tenantId)),
    }),
  });
}

function putRoute({ db, clock }: ApprovalPolicyContext) {
  return route({
    method: 'put',
    path,
    operationId: 'putApprovalPolicy',
    summary: 'Say how many people it takes to put something into use',
    description:
      'Who may change members may change it. Only a person who has signed in goes back to one.',
    tag: 'Mapping',
    auth: { scope: 'members:write' },
    needsProof: true,
    limit: 'write',
    request: { body: approvalPolicy },
    responses: { 200: { description: 'What holds now.', schema: approvalPolicy } },
    errors: ['person_required'],
    handler: async ({ body, principal: { tenantId, sessionId }, audit }) => {
      await db.tenant(tenantId, async (tx) => {
        const now = clock();
        const before = await lockApprovalPolicy(tx, tenantId, now);
        if (sessionId === undefined && isLess(before, body)) {
          throw fail(
            'person_required',
            'Only a person who has signed in ends the approval by a second person.',
          );
        }
        await saveApprovalPolicy(tx, tenantId, body, now);
        await audit.record(tx, tenantId, { subject: 'approval policy', before, after: body });
      });
      return { status: 200, body };
    },
  });
}

/** Whether something takes fewer people than before. */
function isLess(before: ApprovalPolicy, after: ApprovalPolicy): boolean {
  return (['mappings', 'live_submission'] as const).some(
    (name) => before[name] === 'two' && after[name] === 'one',
  );
}
