import { z } from 'zod';
import { listMembers } from '../../../people/members/store.ts';
import { mayAnswer } from '../../../people/roles/messaging-roles.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { type InboxContext, tag } from '../context.ts';
import { listTeamEver } from './store.ts';

const teammateView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    may_answer: z.boolean().describe('Conversations can be assigned to them.'),
    is_member: z.boolean().describe('False: they have left.'),
  })
  .meta({ id: 'Teammate' });

const query = pageQuery.extend({
  former: z.enum(['true', 'false']).optional().describe('`true`: with those who have left.'),
});

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
      request: { query },
      responses: {
        200: { description: 'A page of members.', schema: pageSchema(teammateView, 'TeamPage') },
      },
      handler: async ({ query: { former, ...asked }, principal: { tenantId } }) => {
        const page = requestedPage(asked, 'usr');
        const rows = await db.tenant(tenantId, async (tx) => {
          if (former === 'true') return listTeamEver(tx, tenantId, page);
          const members = await listMembers(tx, tenantId, page);
          return members.map((member) => ({ ...member, is_member: true }));
        });
        return {
          status: 200,
          body: pageOf(
            page,
            rows,
            (row) => row.user_id,
            ({ user_id, name, role, is_member }) => {
              return { id: user_id, name, may_answer: mayAnswer(role), is_member };
            },
          ),
        };
      },
    }),
  ];
}
