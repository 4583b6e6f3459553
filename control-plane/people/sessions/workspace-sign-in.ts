import type { RequestAudit } from '../../platform/audit/request-audit.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RequestCall } from '../../platform/http/route.ts';
import { type SignInOutcome, signIn } from '../accounts/sign-in.ts';
import { type AccountRow, findAccount } from '../accounts/store.ts';
import { recordInWorkspaces } from '../audit-log/every-workspace.ts';
import { fail } from '../errors.ts';
import { membershipsOf } from '../members/store.ts';
import { codeNeeded, wrongCode } from '../second-factor/proof.ts';
import { checkCode, type SecondFactorContext } from '../second-factor/second-factor.ts';
import type { Sessions } from './sessions.ts';

export interface WorkspaceSignInContext extends SecondFactorContext {
  readonly sessions: Sessions;
}

/** What a person typed, and the token of the device that it was typed on. */
interface Typed {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
  readonly tenant_id?: string | undefined;
  readonly device?: string | undefined;
}

type Membership = Awaited<ReturnType<typeof membershipsOf>>[number];

interface WorkspaceSignIn {
  readonly account: AccountRow;
  /** The device, when the account knows it. */
  readonly deviceId: string | undefined;
  /** The workspace that the session is for, and all to which the person may sign in by the password. */
  readonly chosen: Membership;
  readonly all: readonly Membership[];
}

/**
 * Who signs in, and where to. Throws what the person did wrong, which is in the audit logs of all
 * workspaces of the account.
 */
export async function signInToWorkspace(
  context: WorkspaceSignInContext,
  { tenant_id, device: token, code, ...typed }: Typed,
  { countedIp: ip, audit, log }: Pick<RequestCall, 'countedIp' | 'audit' | 'log'>,
): Promise<WorkspaceSignIn> {
  const { db, clock, sessions } = context;
  const device = token === undefined ? undefined : await sessions.devices.read(token);
  const outcome = await signIn({ db, clock }, { ...typed, ip, device }, (userId) =>
    checkCode(context, userId, code),
  );
  if (outcome.kind === 'code_missing') throw refusalOf(outcome.kind);
  if (outcome.kind !== 'signed_in') {
    // Not waited for: how long the answer takes would say whether there is such an account.
    recordRefusal(db, audit, typed.email).catch((err: unknown) => {
      log.error({ err }, 'a refused sign-in is missing in the audit log');
    });
    throw refusalOf(outcome.kind);
  }
  const { account, deviceId } = outcome;
  const all = await db.system((tx) => membershipsOf(tx, account.id));
  const wanted = all.filter((each) => tenant_id === undefined || each.tenant_id === tenant_id);
  if (wanted.length === 0) throw fail('not_a_member', 'You are not a member of this tenant.');
  const chosen = wanted.find(({ may_use_password }) => may_use_password);
  if (chosen === undefined) throw passwordNotAllowed();
  return { account, deviceId, chosen, all: all.filter(({ may_use_password }) => may_use_password) };
}

/** Writes down that the person has signed in to the workspace. */
export async function recordSignIn(
  db: Db,
  audit: RequestAudit,
  { account, chosen: { tenant_id: tenantId } }: WorkspaceSignIn,
): Promise<void> {
  await db.tenant(tenantId, (tx) =>
    audit.record(tx, tenantId, { action: 'signIn', subject: account.id, userId: account.id }),
  );
}

/** The workspace leaves signing in to its identity provider. */
export function passwordNotAllowed() {
  return fail(
    'password_not_allowed',
    'This workspace is not signed in to by password: use its identity provider.',
  );
}

function refusalOf(kind: Exclude<SignInOutcome['kind'], 'signed_in'>) {
  switch (kind) {
    case 'wrong_password':
      return fail('wrong_password', 'E-mail and password do not fit.');
    case 'code_missing':
      return codeNeeded();
    case 'wrong_code':
      return wrongCode();
  }
}

/** In the logs of all workspaces of the account; where there is none, in the log of the host. */
async function recordRefusal(db: Db, audit: RequestAudit, email: string): Promise<void> {
  const refused = { action: 'signIn', outcome: 'refused' } as const;
  const { subject, memberships } = await db.system(async (tx) => {
    const account = await findAccount(tx, email);
    if (account !== undefined) {
      return { subject: account.id, memberships: await membershipsOf(tx, account.id) };
    }
    // Without the address: people type passwords into that field by mistake.
    await audit.recordForHost(tx, refused);
    return { subject: null, memberships: [] };
  });
  await recordInWorkspaces(db, audit, memberships, { ...refused, subject });
}
