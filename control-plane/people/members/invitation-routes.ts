import { z } from 'zod';
import { pageOf } from '../../platform/http/cursor.ts';
import { commonFail } from '../../platform/http/errors.ts';
import { pageQuery, pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { retryAfter } from '../../platform/http/retry-after.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { forgetKeys } from '../../platform/idempotency/claim.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword, newPassword } from '../accounts/passwords.ts';
import { signIn } from '../accounts/sign-in.ts';
import { addAccount, findAccount } from '../accounts/store.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { brandOf } from '../mail-brand.ts';
import { hashOfToken, makeToken, oneTimeToken } from '../one-time-token.ts';
import { requireGrants } from '../roles/grant.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { memberRoles } from '../roles/schema.ts';
import { type MemberRoutesContext, tag } from './context.ts';
import { invitationView, inviteRequest, personName } from './schema.ts';
import {
  addMember,
  deleteInvitation,
  findInvitation,
  findMemberByEmail,
  findOpenInvitation,
  type InvitationRow,
  listInvitations,
  saveInvitation,
  takeInvitation,
} from './store.ts';

const openDays = 7;
/** Of a workspace: the mails go to whom it likes, from the host's own server. */
const mailsPerMinute = 30;

export function invitationRoutes(api: PeopleApi, context: MemberRoutesContext): AnyRoute[] {
  return [
    inviteRoute(api, context),
    listRoute(api, context),
    withdrawRoute(api, context),
    acceptRoute(api, context),
  ];
}

function inviteRoute(
  { service, paths }: PeopleApi,
  { db, clock, random, mailer, limits, secrets }: MemberRoutesContext,
) {
  return route({
    method: 'post',
    path: paths.invitations,
    operationId: 'inviteMember',
    summary: 'Invite a teammate by mail',
    description: 'Valid once, for seven days. A new invitation replaces the earlier one.',
    tag,
    auth: { scope: 'members:write' },
    needsProof: true,
    limit: 'write',
    request: { body: inviteRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The invitation was sent.', schema: invitationView } },
    errors: [
      'role_too_strong',
      'already_member',
      'mail_unavailable',
      'idempotency_payload_mismatch',
    ],
    isOfWorkspace: true,
    handler: async ({ body, principal, headers, log, audit }) => {
      const { email, role, einvoicing_role } = body;
      const { tenantId, id: invited_by } = principal;
      const member = await db.tenant(tenantId, async (tx) => {
        await requireGrants(tx, { service, principal }, { role, einvoicing_role });
        return findMemberByEmail(tx, tenantId, email);
      });
      if (member) throw fail('already_member', 'The person with this address is already a member.');
      const counted = await limits.count(`invitations ${tenantId}`, {
        max: mailsPerMinute,
        windowMs: 60_000,
      });
      if (!counted.isGranted) {
        const detail = `At most ${mailsPerMinute} invitations a minute are mailed.`;
        throw commonFail('rate_limited', detail, { headers: retryAfter(counted.retryAfterMs) });
      }
      const [now, token] = [clock(), makeToken(random)];
      const row: InvitationRow = {
        id: newId('ivt', () => now, random),
        email,
        role,
        einvoicing_role,
        invited_by,
        created_at: now,
        expires_at: new Date(now.getTime() + openDays * 86_400_000),
      };
      const made = await db.tenant(tenantId, (tx) =>
        makeOnce(tx, principal, onceOf(`POST ${paths.invitations}`, headers, body), {
          id: row.id,
          make: async () => {
            await saveInvitation(tx, tenantId, row, hashOfToken(token));
            await audit.record(tx, tenantId, { subject: row.id, after: show(row) });
            return row;
          },
          find: (id) => findOpenInvitation(tx, tenantId, id),
        }),
      );
      const answer = { status: 201, body: show(made.row), headers: madeHeaders(undefined, made) };
      if (made.isReplay) return answer;
      // After the commit, because a mail cannot be recalled. If it fails, the caller invites again.
      const { sender, domain } = await db.tenant(tenantId, (tx) => brandOf(tx, secrets, tenantId));
      const text = invitationMail(rolesOf(body), token, paths.acceptInvitation, domain);
      const mail = { to: email, sender, ...text };
      await mailer.send(mail).catch(async (err: unknown) => {
        log.warn({ err }, 'an invitation could not be mailed');
        await db.tenant(tenantId, (tx) => forgetKeys(tx, tenantId, [row.id]));
        throw fail('mail_unavailable', 'The mail could not be sent: invite again later.');
      });
      return answer;
    },
  });
}

function rolesOf({ role, einvoicing_role }: MemberRoles): string {
  const inMessaging = role === null ? [] : [`${role} in messaging`];
  const inEinvoicing = einvoicing_role === null ? [] : [`${einvoicing_role} in e-invoicing`];
  return [...inMessaging, ...inEinvoicing].join(' and ');
}

function invitationMail(
  roles: string,
  token: string,
  acceptPath: string,
  domain: string | undefined,
) {
  const at = domain === undefined ? '' : `https://${domain}`;
  return {
    subject: 'You are invited to a workspace',
    text: [
      `You are invited to join a workspace as ${roles}.`,
      `To accept within ${openDays} days, send this token with your name and a password of yours`,
      `to POST ${at}${acceptPath}. If you have an account already, send the password you have.`,
      '',
      token,
      '',
      ...(domain === undefined ? [] : [`Members sign in at ${at}/console/`, '']),
    ].join('\n'),
  };
}

function listRoute({ paths }: PeopleApi, { db }: MemberRoutesContext) {
  return route({
    method: 'get',
    path: paths.invitations,
    operationId: 'listInvitations',
    summary: 'List invitations that nobody has accepted yet',
    tag,
    auth: { scope: 'members:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(invitationView, 'InvitationPage') },
    },
    handler: async ({ query, principal: { tenantId } }) => {
      const page = requestedPage(query, 'ivt');
      const rows = await db.tenant(tenantId, (tx) => listInvitations(tx, tenantId, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function withdrawRoute({ service, paths }: PeopleApi, { db }: MemberRoutesContext) {
  return route({
    method: 'delete',
    path: paths.invitation,
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    request: { params: z.strictObject({ id: z.string().max(100) }) },
    responses: { 204: { description: 'Its token is void.' } },
    errors: ['invitation_not_found', 'role_too_strong'],
    isOfWorkspace: true,
    handler: async ({ params: { id }, principal, audit }) => {
      const { tenantId } = principal;
      await db.tenant(tenantId, async (tx) => {
        const invited = await findOpenInvitation(tx, tenantId, id);
        if (!invited) throw fail('invitation_not_found', `There is no invitation "${id}".`);
        await requireGrants(tx, { service, principal }, invited);
        await deleteInvitation(tx, tenantId, id);
        await audit.record(tx, tenantId, { subject: id, before: show(invited) });
      });
      return { status: 204 };
    },
  });
}

const acceptRequest = z
  .strictObject({
    token: oneTimeToken,
    name: personName,
    password: newPassword,
  })
  .meta({ id: 'AcceptRequest' });

const accepted = z
  .strictObject({
    tenant_id: z.string(),
    user_id: z.string(),
    email: z.string(),
    ...memberRoles,
  })
  .meta({ id: 'AcceptedInvitation' });

function acceptRoute({ paths }: PeopleApi, context: MemberRoutesContext) {
  return route({
    method: 'post',
    path: paths.acceptInvitation,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description: 'A person with an account gives its password; others choose one.',
    tag,
    auth: { public: 'the one-time token of the mail is the credential' },
    request: { body: acceptRequest },
    responses: {
      201: {
        description: `The person is a member now: POST ${paths.token} signs in.`,
        schema: accepted,
      },
    },
    errors: ['invitation_not_found', 'wrong_password', 'too_many_attempts'],
    isOfWorkspace: true,
    handler: async ({ body: { token, name, password }, countedIp: ip, audit }) => {
      const { db, clock, random } = context;
      const [hash, now] = [hashOfToken(token), clock()];
      const invited = await db.system((tx) => findInvitation(tx, hash, now));
      if (invited === undefined) throw unknownToken();
      const { tenant_id: tenantId, email } = invited;
      const isKnown = await db.system((tx) => findAccount(tx, email));
      // No session begins here, so no second factor is asked for.
      const outcome = isKnown
        ? await signIn(context, { email, password, ip }, async () => 'unneeded')
        : undefined;
      const known = outcome?.kind === 'signed_in' ? outcome.account : undefined;
      if (isKnown && !known) throw fail('wrong_password', 'This is not your password.');
      const fresh = known ? undefined : await hashPassword(password);
      const id = known?.id ?? newId('usr', clock, random);
      const taken = await db.tenant(tenantId, async (tx) => {
        const used = await takeInvitation(tx, hash, now);
        if (used === undefined) throw unknownToken();
        if (fresh !== undefined) {
          await addAccount(tx, { id, email, name, password_hash: fresh, created_at: now });
        }
        await addMember(tx, tenantId, { ...used, userId: id, now });
        await audit.record(tx, tenantId, { subject: id, userId: id, after: used });
        return used;
      });
      return { status: 201, body: { ...taken, user_id: id } };
    },
  });
}

function unknownToken() {
  return fail('invitation_not_found', 'This invitation is unknown, used, withdrawn or expired.');
}

function show({ created_at, expires_at, ...row }: InvitationRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
