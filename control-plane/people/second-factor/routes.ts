import { z } from 'zod';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { RandomBytes } from '../../platform/ids.ts';
import { password } from '../accounts/passwords.ts';
import { countTry } from '../accounts/sign-in.ts';
import { forgetSignIn } from '../accounts/store.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { everyMember, requirePasswordSession } from '../sessions/own-session.ts';
import { prove, proveBoth, wrongCode } from './proof.ts';
import { hashOfRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { code, recoveryCodes, secondFactorSecret, secondFactorView } from './schema.ts';
import type { SecondFactorContext } from './second-factor.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  findSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './store.ts';
import { makeSecret, stepOf, uriOf } from './totp.ts';

export interface SecondFactorRoutesContext extends SecondFactorContext {
  readonly random: RandomBytes;
}

const tag = 'Authentication';

export function secondFactorRoutes(api: PeopleApi, context: SecondFactorRoutesContext): AnyRoute[] {
  return [
    showRoute(api, context),
    beginRoute(api, context),
    confirmRoute(api, context),
    disableRoute(api, context),
    recoveryCodesRoute(api, context),
  ];
}

function showRoute({ paths }: PeopleApi, { db }: SecondFactorRoutesContext) {
  return route({
    method: 'get',
    path: paths.secondFactor,
    operationId: 'showSecondFactor',
    summary: 'See whether you have a second factor',
    tag,
    auth: { scope: everyMember },
    limit: 'read',
    responses: { 200: { description: 'As it is now.', schema: secondFactorView } },
    errors: ['session_needed', 'signed_in_by_provider'],
    isOfWorkspace: true,
    handler: async ({ principal }) => {
      const { userId } = requirePasswordSession(principal);
      const factor = await db.system((tx) => findSecondFactor(tx, userId));
      const confirmed_at = factor?.confirmed_at?.toISOString() ?? null;
      const recovery_codes_left = factor?.recovery_codes_left ?? 0;
      const body = { is_enabled: confirmed_at !== null, confirmed_at, recovery_codes_left };
      return { status: 200, body };
    },
  });
}

const beginRequest = z.strictObject({ password }).meta({ id: 'SecondFactorBegin' });

function beginRoute({ paths }: PeopleApi, context: SecondFactorRoutesContext) {
  const { db, clock, secrets, random } = context;
  return route({
    method: 'post',
    path: paths.secondFactor,
    operationId: 'beginSecondFactor',
    summary: 'Begin a second factor: codes by time (RFC 6238)',
    description:
      'Show the address as a picture to an authenticator app, and confirm with a code of it. Until ' +
      'then nothing changes; begun again, an earlier secret is void.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: beginRequest },
    responses: { 200: { description: 'The secret, shown once.', schema: secondFactorSecret } },
    errors: [
      'session_needed',
      'signed_in_by_provider',
      'wrong_password',
      'too_many_attempts',
      'second_factor_enabled',
    ],
    isOfWorkspace: true,
    handler: async ({ body, principal }) => {
      const { userId, account } = await prove(
        context,
        requirePasswordSession(principal),
        body.password,
      );
      const secret = makeSecret(random);
      const sealed = secrets.seal(secret, userId);
      if (!(await db.system((tx) => beginSecondFactor(tx, userId, sealed, clock())))) {
        throw fail('second_factor_enabled', 'You have one: disable it first.');
      }
      return { status: 200, body: { secret, uri: uriOf(secret, account.email) } };
    },
  });
}

const confirmRequest = z.strictObject({ code }).meta({ id: 'SecondFactorConfirm' });

function confirmRoute({ paths }: PeopleApi, context: SecondFactorRoutesContext) {
  const { db, clock, secrets, random } = context;
  return route({
    method: 'post',
    path: paths.confirmSecondFactor,
    operationId: 'confirmSecondFactor',
    summary: 'Confirm the second factor with a first code',
    description:
      `From then on POST ${paths.token} asks for a code. Your other sessions end, which began without one. ` +
      'The answer has ten recovery codes, each good once in place of a code: keep them safe.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: confirmRequest },
    responses: { 200: { description: 'Recovery codes, shown once.', schema: recoveryCodes } },
    errors: [
      'session_needed',
      'signed_in_by_provider',
      'wrong_code',
      'too_many_attempts',
      'second_factor_not_begun',
    ],
    isOfWorkspace: true,
    handler: async ({ body, principal }) => {
      const { userId, sessionId } = requirePasswordSession(principal);
      const keys = [`session ${sessionId}`];
      await countTry({ db, clock }, keys);
      const factor = await db.system((tx) => findSecondFactor(tx, userId));
      if (factor === undefined || factor.confirmed_at) throw notBegun(paths);
      const { sealed_secret: sealedSecret } = factor;
      const now = clock();
      const step = stepOf(secrets.open(sealedSecret, userId), body.code, now);
      if (step === undefined) throw wrongCode();
      const codes = makeRecoveryCodes(random);
      const recoveryHashes = codes.map(hashOfRecoveryCode);
      const confirmation = { sealedSecret, step, recoveryHashes, sessionId, now };
      const isConfirmed = await db.system((tx) => confirmSecondFactor(tx, userId, confirmation));
      if (!isConfirmed) throw notBegun(paths);
      await db.system((tx) => forgetSignIn(tx, keys));
      return { status: 200, body: { recovery_codes: codes } };
    },
  });
}

const disableRequest = z.strictObject({ password, code }).meta({ id: 'SecondFactorDisable' });

function disableRoute({ paths }: PeopleApi, context: SecondFactorRoutesContext) {
  return route({
    method: 'post',
    path: paths.disableSecondFactor,
    operationId: 'disableSecondFactor',
    summary: 'Disable the second factor',
    description: 'By your password and a code, or a recovery code. What was begun only is dropped.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: disableRequest },
    responses: { 204: { description: `POST ${paths.token} asks for no code any more.` } },
    errors: [
      'session_needed',
      'signed_in_by_provider',
      'wrong_password',
      'wrong_code',
      'too_many_attempts',
    ],
    isOfWorkspace: true,
    handler: async ({ body, principal }) => {
      const { userId } = await proveBoth(context, requirePasswordSession(principal), body);
      await context.db.system((tx) => removeSecondFactor(tx, userId));
      return { status: 204 };
    },
  });
}

const recoveryCodesRequest = z
  .strictObject({ password, code })
  .meta({ id: 'RecoveryCodesRequest' });

function recoveryCodesRoute({ paths }: PeopleApi, context: SecondFactorRoutesContext) {
  return route({
    method: 'post',
    path: paths.recoveryCodes,
    operationId: 'renewRecoveryCodes',
    summary: 'Make recovery codes anew',
    description:
      'By your password and a code. The earlier ones are void at once, whether used or not.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: recoveryCodesRequest },
    responses: { 200: { description: 'Recovery codes, shown once.', schema: recoveryCodes } },
    errors: [
      'session_needed',
      'signed_in_by_provider',
      'wrong_password',
      'wrong_code',
      'too_many_attempts',
      'second_factor_not_begun',
    ],
    isOfWorkspace: true,
    handler: async ({ body, principal }) => {
      const { userId, isGuarded } = await proveBoth(
        context,
        requirePasswordSession(principal),
        body,
      );
      const codes = makeRecoveryCodes(context.random);
      const hashes = codes.map(hashOfRecoveryCode);
      const isRenewed =
        isGuarded && (await context.db.system((tx) => renewRecoveryCodes(tx, userId, hashes)));
      if (!isRenewed) throw notBegun(paths);
      return { status: 200, body: { recovery_codes: codes } };
    },
  });
}

function notBegun({ secondFactor }: PeopleApi['paths']) {
  return fail('second_factor_not_begun', `Begin with POST ${secondFactor}.`);
}
