/**
 * A real Dovecot for tests: `const server = await startDovecot();` starts one on a free port of
 * 127.0.0.1 with mailboxes in a temporary folder. Call `dovecotUnavailable()` first, because the
 * binaries are the host's.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-ports.ts';

const run = promisify(execFile);
const dovecot = '/usr/sbin/dovecot';
const startWaitMs = 30_000;

export interface TestDovecot {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Ends the server with all its sessions; the mailboxes stay. */
  halt(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
  /** Numbers all messages of a mailbox anew: another UIDVALIDITY, other UIDs. The server is halted. */
  renumber(): Promise<void>;
  /** Sessions that are logged in. */
  sessions(): Promise<number>;
  stop(): Promise<void>;
}

/** What to start it with. */
export interface DovecotOptions {
  /** PEM files of a certificate and its key: then the port speaks TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Asked of tokens, which are appended to it: then users log in with tokens too. */
  readonly introspectionUrl?: string;
}

/** Why no Dovecot can be started here, or undefined when one can. */
export function dovecotUnavailable(): string | undefined {
  return existsSync(dovecot) && existsSync('/usr/lib/dovecot/imap')
    ? undefined
    : 'Dovecot is not installed (dovecot-imapd)';
}

/** Starts a server; throws when it does not come up. */
export async function startDovecot(options: DovecotOptions = {}): Promise<TestDovecot> {
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-dovecot-'));
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot
    ? { uid: 65_534, gid: 65_534, name: 'nobody' }
    : { ...userInfo(), name: userInfo().username };
  const mail = join(home, 'mail');
  await mkdir(mail);
  // As root the server reads the mailboxes as another user, who must be able to enter.
  await chmod(home, 0o755);
  if (isRoot) await chown(mail, owner.uid, owner.gid);
  const port = await freePort();
  const credentials = { user: 'erp', password: 'p4ss word' };
  await writeFile(
    join(home, 'users'),
    `${credentials.user}:{PLAIN}${credentials.password}:${owner.uid}:${owner.gid}::${mail}\n`,
  );
  await writeFile(
    join(home, 'oauth2.conf'),
    `introspection_url = ${options.introspectionUrl ?? ''}
introspection_mode = get
username_attribute = username
active_attribute = active
active_value = true
`,
  );
  const config = join(home, 'dovecot.conf');
  await writeFile(config, configOf(home, mail, port, owner.name, options));
  let server: ChildProcess | undefined;
  const halt = async () => {
    const halted = server;
    server = undefined;
    if (halted === undefined || halted.exitCode !== null || halted.signalCode !== null) return;
    const ended = new Promise((resolve) => halted.once('exit', resolve));
    halted.kill('SIGTERM');
    await ended;
    // Sessions may outlive the server for a moment, and would still answer.
    try {
      if (halted.pid !== undefined) process.kill(-halted.pid, 'SIGKILL');
    } catch {
      // None is left.
    }
  };
  const resume = async () => {
    // In the foreground, so that a test run that is killed does not leave it behind.
    const setpriv = '/usr/bin/setpriv';
    const inGroup = { stdio: 'ignore', detached: true } as const;
    const args = ['-F', '-c', config];
    server = existsSync(setpriv)
      ? spawn(setpriv, ['--pdeathsig', 'TERM', dovecot, ...args], inGroup)
      : spawn(dovecot, args, inGroup);
    await answers(port, server, join(home, 'log'));
  };
  await resume();
  return {
    host: '127.0.0.1',
    port,
    ...credentials,
    halt,
    resume,
    async renumber() {
      await halt();
      // The list of UIDs is kept beside the messages; without it and the index they get new ones.
      for (const file of [
        'dovecot-uidlist',
        'dovecot-uidvalidity',
        'dovecot.index',
        'dovecot.index.log',
        'dovecot.index.cache',
      ]) {
        await rm(join(mail, file), { force: true });
      }
      await run('find', [mail, '-name', 'dovecot-uidvalidity.*', '-delete']);
      await resume();
    },
    async sessions() {
      const { stdout } = await run('/usr/bin/doveadm', ['-c', config, 'who', '-1']).catch(() => ({
        stdout: '',
      }));
      return stdout.split('\n').filter((line) => line.startsWith(credentials.user)).length;
    },
    async stop() {
      await halt();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function configOf(
  home: string,
  mail: string,
  port: number,
  owner: string,
  { tls, introspectionUrl }: DovecotOptions,
): string {
  const group = execFileSync('id', ['-gn', owner], { encoding: 'utf8' }).trim();
  const listener = tls === undefined ? 'imap' : 'imaps';
  const other = tls === undefined ? 'imaps' : 'imap';
  return `
base_dir = ${home}/run
state_dir = ${home}/state
log_path = ${home}/log
instance_name = ${home}
protocols = imap
listen = 127.0.0.1
default_internal_user = ${owner}
default_internal_group = ${group}
default_login_user = ${owner}
first_valid_uid = 1
first_valid_gid = 1
disable_plaintext_auth = no
auth_mechanisms = plain login${introspectionUrl === undefined ? '' : ' xoauth2 oauthbearer'}
mail_location = maildir:${mail}
mail_max_userip_connections = 100
ssl = ${tls === undefined ? 'no' : 'yes'}
${tls === undefined ? '' : `ssl_cert = <${tls.certificate}\nssl_key = <${tls.key}\n`}
${
  introspectionUrl === undefined
    ? ''
    : `passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${home}/oauth2.conf
}`
}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${home}/users
}
userdb {
  driver = passwd-file
  args = username_format=%u ${home}/users
}
namespace inbox {
  inbox = yes
  separator = /
}
service imap-login {
  chroot =
  inet_listener ${listener} {
    address = 127.0.0.1
    port = ${port}
    ssl = ${tls === undefined ? 'no' : 'yes'}
  }
  inet_listener ${other} {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
}

async function answers(port: number, server: ChildProcess, log: string): Promise<void> {
  for (let waited = 0; waited < startWaitMs; waited += 50) {
    if (server.exitCode !== null) break;
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isThere) return;
    await delay(50);
  }
  const said = await readFile(log, 'utf8').catch(() => '');
  throw new Error(`dovecot did not start: ${said.slice(-2_000)}`);
}
