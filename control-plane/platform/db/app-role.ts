/**
 * The role the application logs in with: it owns nothing and cannot bypass row-level security.
 * When only DATABASE_URL (the owner) is given, the role is `<database>_app` and its password is an
 * HMAC of the owner's: every node derives the same one, nothing is stored, and the owner's cannot
 * be found from it. A role of its own is better than SET ROLE, which SQL that got in could set
 * back. An owner who logs in without a password or may not create roles names DATABASE_APP_URL
 * instead.
 */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type pg from 'pg';

export interface AppRole {
  readonly name: string;
  /**
   * Undefined: an operator made the role (DATABASE_APP_URL), and its password is none of our
   * business.
   */
  readonly password?: string;
  readonly url: string;
}

const scramIterations = 4_096;

/** The role that goes with these connection strings. Throws when none can be derived. */
export function appRoleOf(ownerUrl: string, appUrl?: string): AppRole {
  if (appUrl !== undefined) {
    return { name: decodeURIComponent(new URL(appUrl).username), url: appUrl };
  }
  const url = new URL(ownerUrl);
  if (url.password === '') {
    throw new Error(
      'DATABASE_URL has no password to derive the application role from: set DATABASE_APP_URL',
    );
  }
  const name = `${decodeURIComponent(url.pathname.slice(1)).slice(0, 59)}_app`;
  const password = createHmac('sha256', decodeURIComponent(url.password))
    .update(`login of ${name}`)
    .digest('hex');
  url.username = encodeURIComponent(name);
  url.password = password;
  return { name, password, url: url.href };
}

/**
 * Makes the role when it is ours to make, and brings its password up to date. Runs under the
 * migration lock.
 */
export async function ensureAppRole(owner: pg.Client, role: AppRole): Promise<void> {
  if (role.password === undefined) return;
  const mark = createHash('sha256').update(role.password).digest('hex').slice(0, 16);
  const { rows } = await owner.query(
    `select shobj_description(oid, 'pg_authid') as mark from pg_roles where rolname = $1`,
    [role.name],
  );
  if (rows[0]?.mark === mark) return;
  const name = owner.escapeIdentifier(role.name);
  // A verifier, not the password: statements of this kind end in server logs.
  const secret = owner.escapeLiteral(scramVerifier(role.password));
  const command = rows.length === 0 ? 'create' : 'alter';
  await owner.query(`${command} role ${name} login password ${secret}`);
  await owner.query(`comment on role ${name} is '${mark}'`);
}

/**
 * Gives the role every table and function there is now, and takes the functions from everyone else.
 */
export async function grantToAppRole(owner: pg.Client, role: AppRole): Promise<void> {
  const name = owner.escapeIdentifier(role.name);
  await owner.query(`
    grant usage on schema public to ${name};
    grant select, insert, update, delete on all tables in schema public to ${name};
    grant usage on all sequences in schema public to ${name};
    revoke execute on all routines in schema public from public;
    grant execute on all routines in schema public to ${name};
    revoke all on migration from ${name}`);
}

/** RFC 5803 form of a password, as PostgreSQL stores it. */
function scramVerifier(password: string): string {
  const salt = createHash('sha256').update(`salt of ${password}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, scramIterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${stored}:${server}`;
}
