/**
 * The role the application logs in with: it owns nothing and cannot bypass row-level security.
 * When only DATABASE_URL (the owner) is given, the role is `<database>_app` and its password is an
 * HMAC of the owner's: every node derives the same one, nothing is stored, and the owner's cannot
 * be computed from it. A separate role is safer than SET ROLE, which injected SQL could reset. An
 * owner who logs in without a password or may not create roles sets DATABASE_APP_URL instead.
 */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import pg from 'pg';

/** The role of the application, and the connection string with it. */
export interface AppRole {
  readonly name: string;
  /**
   * Undefined when an operator made the role (DATABASE_APP_URL): then its password is not changed.
   */
  readonly password?: string;
  /** Connection string of the role, through the pooler when there is one. */
  readonly url: string;
  /** The same without a pooler. */
  readonly directUrl: string;
}

/** Limits of a statement and of an idle transaction, for a role that has none. */
const timeLimitsMs = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };

const scramIterations = 4_096;

/**
 * The application's role for these connection strings; `poolerUrl` is the owner's through a pooler.
 * Throws when none can be derived.
 */
export function appRoleOf(ownerUrl: string, appUrl?: string, poolerUrl?: string): AppRole {
  if (appUrl !== undefined) {
    const { username, password } = new URL(appUrl);
    return {
      name: decodeURIComponent(username),
      url: appUrl,
      directUrl: poolerUrl === undefined ? appUrl : withLogin(ownerUrl, username, password),
    };
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
  const username = encodeURIComponent(name);
  const directUrl = withLogin(ownerUrl, username, password);
  const pooled = poolerUrl === undefined ? directUrl : withLogin(poolerUrl, username, password);
  return { name, password, url: pooled, directUrl };
}

function withLogin(url: string, username: string, password: string): string {
  return Object.assign(new URL(url), { username, password }).href;
}

/**
 * Makes the role unless an operator made it, and sets its password. Runs under the migration lock.
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
  // A verifier, not the password: servers write such statements into their logs.
  const secret = owner.escapeLiteral(scramVerifier(role.password));
  const command = rows.length === 0 ? 'create' : 'alter';
  await owner.query(`${command} role ${name} login password ${secret}`);
  await owner.query(`comment on role ${name} is '${mark}'`);
}

/** What a table's comment takes from the role. */
const takenBy: Readonly<Record<string, string>> = {
  'written by functions': 'insert, update, delete, truncate',
  'append-only': 'update, delete, truncate',
};

/**
 * Grants the role all tables and functions, and revokes the functions from everyone else. A table may
 * say by its comment that the role has less: see `takenBy`.
 */
export async function grantToAppRole(owner: pg.Client, role: AppRole): Promise<void> {
  const name = owner.escapeIdentifier(role.name);
  const { rows } = await owner.query<{ name: string; comment: string }>(
    `select oid::regclass::text as name, obj_description(oid, 'pg_class') as comment from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and obj_description(oid, 'pg_class') = any ($1)`,
    [Object.keys(takenBy)],
  );
  const revokes = rows.map(
    (table) => `revoke ${takenBy[table.comment]} on ${table.name} from ${name};`,
  );
  // One query, and so one transaction: the role never has more than it is to have.
  await owner.query(`
    grant usage on schema public to ${name};
    grant select, insert, update, delete on all tables in schema public to ${name};
    grant usage on all sequences in schema public to ${name};
    revoke execute on all routines in schema public from public;
    grant execute on all routines in schema public to ${name};
    revoke all on migration from ${name};
    ${revokes.join('\n')}`);
}

/**
 * Gives the role its time limits in this database, unless it has others. They are settings of the
 * role, because poolers refuse them as parameters of a connection.
 */
export async function ensureTimeLimits({ directUrl }: AppRole): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl });
  client.on('error', () => {}); // a lost connection also fails its statement
  await client.connect();
  try {
    const { rows } = await client.query<{ name: keyof typeof timeLimitsMs; database: string }>(
      `select name, current_database() as database from pg_settings
       where name = any($1) and setting = '0'`,
      [Object.keys(timeLimitsMs)],
    );
    for (const { name, database } of rows) {
      const at = client.escapeIdentifier(database);
      // A role may change its own settings, so this works for a role of an operator too.
      await client.query(
        `alter role current_user in database ${at} set ${name} = ${timeLimitsMs[name]}`,
      );
    }
  } finally {
    await client.end();
  }
}

/** The SCRAM verifier of a password (RFC 5803), as PostgreSQL stores it. */
function scramVerifier(password: string): string {
  const salt = createHash('sha256').update(`salt of ${password}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, scramIterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${stored}:${server}`;
}
