import { createHash } from 'node:crypto';
import { z } from 'zod';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { forgetKeys } from '../../platform/idempotency/claim.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { fail } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import { isRole } from '../rbac.ts';
import { hashPassword, newPassword } from '../token/passwords.ts';
import { signIn } from '../token/sign-in.ts';
import { addAccount, findAccount } from '../token/store.ts';
import { type TenantRoutesContext, tag } from './context.ts';
import { requireGrant } from './members.ts';
import {
  addMember,
  deleteInvitation,
  findInvitation,
  findInvitationRole,
  findMemberByEmail,
  findOpenInvitation,
  type InvitationRow,
  listInvitations,
  saveInvitation,
  takeInvitation,
} from './people-store.ts';
import { invitationView, inviteRequest, personName } from './schema.ts';

const openDays = 7;
const invitePath = '/tenants/members/invite/';
const acceptPath = '/tenants/members/accept/';

export function invitationRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [inviteRoute(context), listRoute(context), withdrawRoute(context), acceptRoute(context)];
}

function inviteRoute({ db, clock, random, mailer }: TenantRoutesContext) {
  return route({
    method: 'post',
    path: invitePath,
    operationId: 'inviteMember',
    summary: 'Invite a teammate by mail',
    description: 'Good once and for seven days. Inviting again voids the earlier invitation.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    request: { body: inviteRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The invitation is on its way.', schema: invitationView } },
    errors: [
      'role_too_strong',
      'already_member',
      'mail_unavailable',
      'idempotency_payload_mismatch',
    ],
    handler: async ({ body, principal, headers, log }) => {
      const { email, role } = body;
      requireGrant(principal, role);
      const { tenantId, id: invited_by } = principal;
      const member = await db.tenant(tenantId, (tx) => findMemberByEmail(tx, tenantId, email));
      if (member) throw fail('already_member', 'Whoever has this address is a member already.');
      const [now, token] = [clock(), Buffer.from(random(32)).toString('base64url')];
      const row: InvitationRow = {
        ...{ id: newId('ivt', () => now, random), email, role, invited_by, created_at: now },
        expires_at: new Date(now.getTime() + openDays * 86_400_000),
      };
      const made = await db.tenant(tenantId, (tx) =>
        makeOnce(tx, principal, onceOf(`POST ${invitePath}`, headers, body), {
          id: row.id,
          make: async () => {
            await saveInvitation(tx, tenantId, row, hashOf(token));
            return row;
          },
          find: (id) => findOpenInvitation(tx, tenantId, id),
        }),
      );
      const answer = { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
      if (made.isReplay) return answer;
      // After the commit: a mail is not taken back. One that did not go out is asked for again.
      const mail = { to: email, ...invitationMail(role, token) };
      await mailer.send(mail).catch(async (err: unknown) => {
        log.warn({ err }, 'an invitation could not be mailed');
        await db.tenant(tenantId, (tx) => forgetKeys(tx, tenantId, [row.id]));
        throw fail('mail_unavailable', 'The mail could not be sent: invite again in a while.');
      });
      return answer;
    },
  });
}

function invitationMail(role: string, token: string) {
  return {
    subject: 'You are invited to a messaging workspace',
    text: [
      `You are invited to join a workspace in the role ${role}.`,
      `To accept within ${openDays} days, send this token with your name and a password of yours`,
      `to POST ${acceptPath}. If you have an account already, send the password you have.`,
      '',
      token,
      '',
    ].join('\n'),
  };
}

function listRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path: '/tenants/members/invite/',
    operationId: 'listInvitations',
    summary: 'List invitations that nobody has accepted yet',
    tag,
    auth: { scope: 'members:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(invitationView, 'InvitationPage') },
    },
    handler: async ({ query: { cursor, limit }, principal: { tenantId } }) => {
      const after = afterCursor(cursor, 'ivt');
      const rows = await db.tenant(tenantId, (tx) =>
        listInvitations(tx, tenantId, after, limit + 1),
      );
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

function withdrawRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'delete',
    path: '/tenants/members/invite/{id}/',
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: z.string().max(100) }) },
    responses: { 204: { description: 'Its token is void.' } },
    errors: ['invitation_not_found', 'role_too_strong'],
    handler: async ({ params: { id }, principal }) => {
      const { tenantId } = principal;
      await db.tenant(tenantId, async (tx) => {
        const invited = await findInvitationRole(tx, tenantId, id);
        if (!invited) throw fail('invitation_not_found', `There is no invitation "${id}".`);
        requireGrant(principal, invited.role);
        await deleteInvitation(tx, tenantId, id);
      });
      return { status: 204 };
    },
  });
}

const acceptRequest = z
  .strictObject({
    token: z.string().regex(/^[\w-]{43}$/, 'must be the token of the mail'),
    name: personName,
    password: newPassword,
  })
  .meta({ id: 'AcceptRequest' });

const accepted = z
  .strictObject({ tenant_id: z.string(), user_id: z.string(), email: z.string(), role: z.string() })
  .meta({ id: 'AcceptedInvitation' });

function acceptRoute(context: TenantRoutesContext) {
  return route({
    method: 'post',
    path: acceptPath,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'Whoever has an account proves it by its password; others choose one.',
    tag,
    auth: { public: 'the one-time token of the mail is the credential' },
    request: { body: acceptRequest },
    responses: { 201: { description: 'A member now: POST /token/ signs in.', schema: accepted } },
    errors: ['invitation_not_found', 'wrong_password', 'too_many_attempts'],
    handler: async ({ body: { token, name, password }, ip }) => {
      const { db, clock, random } = context;
      const [hash, now] = [hashOf(token), clock()];
      const invited = await db.system((tx) => findInvitation(tx, hash, now));
      if (invited === undefined) throw unknownToken();
      const { tenant_id: tenantId, email } = invited;
      const isKnown = await db.system((tx) => findAccount(tx, email));
      const account = isKnown ? await signIn(db, { email, password, ip }) : undefined;
      if (isKnown && !account) throw fail('wrong_password', 'This is not your password.');
      const fresh = account ? undefined : await hashPassword(password);
      const id = account?.id ?? newId('usr', clock, random);
      const taken = await db.tenant(tenantId, async (tx) => {
        const used = await takeInvitation(tx, hash, now);
        if (used === undefined || !isRole(used.role)) throw unknownToken();
        if (fresh !== undefined) {
          await addAccount(tx, { id, email, name, password_hash: fresh, created_at: now });
        }
        await addMember(tx, tenantId, { userId: id, role: used.role, now });
        return used;
      });
      return { status: 201, body: { tenant_id: tenantId, user_id: id, email, role: taken.role } };
    },
  });
}

function unknownToken() {
  return fail('invitation_not_found', 'This invitation is unknown, used, withdrawn or over.');
}

/** A plain hash is enough: the token has 256 random bits. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function show({ created_at, expires_at, ...row }: InvitationRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
