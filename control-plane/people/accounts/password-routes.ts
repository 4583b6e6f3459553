import { z } from 'zod';
import type { Environment } from '../../platform/auth/principal.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { PeopleApi } from '../api.ts';
import { recordInWorkspaces } from '../audit-log/every-workspace.ts';
import { fail } from '../errors.ts';
import type { Mailer } from '../mail.ts';
import { membershipsOf } from '../members/store.ts';
import { hashOfToken, oneTimeToken } from '../one-time-token.ts';
import { everyMember, requirePasswordSession } from '../sessions/own-session.ts';
import { deviceAnswer } from '../sessions/schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { email } from './email.ts';
import {
  beginPasswordReset,
  type PasswordResetContext,
  resetHours,
  resetLink,
} from './password-reset.ts';
import {
  changePassword,
  findOwnAccount,
  isPasswordReset,
  resetPassword,
} from './password-store.ts';
import { hashPassword, isPassword, newPassword, password } from './passwords.ts';
import { countTry, networkKey } from './sign-in.ts';

export interface PasswordRoutesContext extends PasswordResetContext {
  readonly sessions: Sessions;
  readonly mailer: Mailer;
  /** The host's page where people choose a new password. */
  readonly resetPage: string | undefined;
  readonly publicUrl: (environment: Environment) => string;
}

const tag = 'Authentication';
/** Mails on their way at once; of more nobody is told, and people ask again. */
const mailsMax = 50;

const changed = z.strictObject({ device: deviceAnswer }).meta({ id: 'PasswordChanged' });

export function passwordRoutes(api: PeopleApi, context: PasswordRoutesContext): AnyRoute[] {
  return [changeRoute(api, context), forgotRoute(api, context), resetRoute(api, context)];
}

const changeRequest = z
  .strictObject({ password, new_password: newPassword })
  .meta({ id: 'PasswordChange' });

function changeRoute({ paths }: PeopleApi, { db, clock, sessions }: PasswordRoutesContext) {
  return route({
    method: 'post',
    path: paths.password,
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'All your other sessions end, and other devices are unknown until they sign in.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: changeRequest },
    responses: { 200: { description: 'It holds from now on.', schema: changed } },
    errors: ['session_needed', 'signed_in_by_provider', 'wrong_password', 'too_many_attempts'],
    isOfWorkspace: true,
    handler: async ({ body, principal }) => {
      const { tenantId, userId, sessionId } = requirePasswordSession(principal);
      // Whoever found an open session may not guess the password in it.
      await countTry({ db, clock }, [`session ${sessionId}`]);
      const account = await db.tenant(tenantId, (tx) => findOwnAccount(tx, userId));
      const isRight = await isPassword(body.password, account?.password_hash);
      if (!account || !isRight) throw wrongPassword();
      const newHash = await hashPassword(body.new_password);
      const change = { account, newHash, sessionId, now: clock() };
      if (!(await db.system((tx) => changePassword(tx, change)))) throw wrongPassword();
      const device = await sessions.devices.issue({ ...account, password_hash: newHash });
      return { status: 200, body: { device } };
    },
  });
}

function wrongPassword() {
  return fail('wrong_password', 'This is not your password.');
}

const forgotRequest = z.strictObject({ email }).meta({ id: 'PasswordForgotten' });

function forgotRoute({ paths }: PeopleApi, context: PasswordRoutesContext) {
  let underWay = 0;
  return route({
    method: 'post',
    path: paths.forgotPassword,
    operationId: 'requestPasswordReset',
    summary: 'Ask for a mail with a link to choose a new password',
    description:
      'The answer is the same whether or not somebody has the address. The link is good once and for ' +
      'an hour; no more than three are open at a time.',
    tag,
    auth: { public: 'whoever reads the mail is the person; the answer tells nothing' },
    request: { body: forgotRequest },
    responses: { 202: { description: 'If somebody has the address, a mail is on its way.' } },
    errors: ['too_many_attempts'],
    isOfWorkspace: true,
    handler: async ({ body, countedIp, environment, log }) => {
      if (countedIp !== undefined) await countTry(context, [`${networkKey(countedIp)} forgot`]);
      // Not waited for: how long the answer takes would tell whether there is such an account.
      if (underWay < mailsMax) {
        underWay += 1;
        mailReset(context, body.email, `${context.publicUrl(environment)}${paths.resetPassword}`)
          .catch((err: unknown) => log.warn({ err }, 'a new password could not be mailed'))
          .finally(() => {
            underWay -= 1;
          });
      } else log.warn('too many mails for new passwords are on their way: one was left out');
      return { status: 202 };
    },
  });
}

async function mailReset(
  context: PasswordRoutesContext,
  to: string,
  address: string,
): Promise<void> {
  const token = await beginPasswordReset(context, to, 'mail');
  if (token === undefined) return;
  const link = resetLink(context.resetPage, token);
  const how =
    link === undefined
      ? [
          'To choose one, send this token with new_password to',
          `POST ${address} within ${resetHours} hour:`,
          '',
          token,
        ]
      : [`To choose one, open this link within ${resetHours} hour:`, '', link];
  const text = [
    'A new password was asked for at this address.',
    ...how,
    '',
    'If you did not ask for it, there is nothing to do: your password stays as it is.',
    '',
  ];
  await context.mailer.send({ to, subject: 'Choose a new password', text: text.join('\n') });
}

const resetRequest = z
  .strictObject({ token: oneTimeToken, new_password: newPassword })
  .meta({ id: 'PasswordReset' });

function resetRoute({ paths }: PeopleApi, { db, clock, sessions }: PasswordRoutesContext) {
  return route({
    method: 'post',
    path: paths.resetPassword,
    operationId: 'resetPassword',
    summary: 'Choose a new password by the token of a mail or of the host',
    description: 'The token is good once. All your sessions end; a second factor stays.',
    tag,
    auth: { public: 'the one-time token of the mail is the credential' },
    request: { body: resetRequest },
    responses: { 200: { description: `POST ${paths.token} signs in with it.`, schema: changed } },
    errors: ['reset_not_found'],
    isOfWorkspace: true,
    handler: async ({ body: { token, new_password }, audit }) => {
      const [hash, now] = [hashOfToken(token), clock()];
      // Before the password is hashed, which takes 19 MiB and a thread.
      if (!(await db.system((tx) => isPasswordReset(tx, hash, now)))) throw unknownToken();
      const newHash = await hashPassword(new_password);
      const account = await db.system((tx) => resetPassword(tx, hash, newHash, now));
      if (account === undefined) throw unknownToken();
      const { id } = account;
      const memberships = await db.system((tx) => membershipsOf(tx, id));
      await recordInWorkspaces(db, audit, memberships, { subject: id, userId: id });
      return { status: 200, body: { device: await sessions.devices.issue(account) } };
    },
  });
}

function unknownToken() {
  return fail('reset_not_found', 'This token is unknown, used or expired: ask for another one.');
}
