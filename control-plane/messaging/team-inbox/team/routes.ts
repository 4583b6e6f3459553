import { z } from 'zod';
import { listMembers } from '../../../people/members/store.ts';
import { mayAnswer } from '../../../people/roles/messaging-roles.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { type InboxContext, tag } from '../context.ts';

const teammateView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    may_answer: z.boolean().describe('Conversations can be assigned to them.'),
  })
  .meta({ id: 'Teammate' });

/** Names of the members, for those who answer: they may not see addresses and roles. */
export function teamRoutes({ db }: InboxContext): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/team-inbox/api/team/',
      operationId: 'listTeam',
      summary: 'List the names of the members, and who may answer',
      tag,
      auth: { scope: 'inbox:read' },
      limit: 'read',
      request: { query: pageQuery },
      responses: {
        200: { description: 'A page of members.', schema: pageSchema(teammateView, 'TeamPage') },
      },
      handler: async ({ query, principal: { tenantId } }) => {
        const page = requestedPage(query, 'usr');
        const rows = await db.tenant(tenantId, (tx) => listMembers(tx, tenantId, page));
        return {
          status: 200,
          body: pageOf(
            page,
            rows,
            (row) => row.user_id,
            ({ user_id, name, role }) => ({ id: user_id, name, may_answer: mayAnswer(role) }),
          ),
        };
      },
    }),
  ];
}
