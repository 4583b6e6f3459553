/** The keyring of the system: libsecret on Linux, the keychain of macOS, on Windows the registry sealed by DPAPI. */
import { spawnSync } from 'node:child_process';

/** Every answer is "no" where there is none. */
export interface SystemKeyring {
  read(name: string): string | undefined;
  write(name: string, secret: string): boolean;
  remove(name: string): boolean;
}

/** A command line; what it reads goes by standard input, because every user of a host sees arguments. */
interface KeyringCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
}

/** How a system's keyring is asked. Names are letters, digits, `.`, `_` and `-`. */
interface KeyringCommands {
  /** Prints the secret, in the form that `secretOf` reads. */
  read(name: string): KeyringCommand;
  write(name: string, secret: string): KeyringCommand;
  remove(name: string): KeyringCommand;
  secretOf(printed: string): string;
}

const service = 'drawbridge';

const linux: KeyringCommands = {
  read: (name) => ({ program: 'secret-tool', args: ['lookup', ...attributes(name)] }),
  write: (name, secret) => ({
    program: 'secret-tool',
    args: ['store', '--label', `Drawbridge ${name}`, ...attributes(name)],
    input: secret,
  }),
  remove: (name) => ({ program: 'secret-tool', args: ['clear', ...attributes(name)] }),
  secretOf: (printed) => printed,
};

function attributes(name: string): string[] {
  return ['service', service, 'name', name];
}

/** `security` prints what is not ASCII as hexadecimal, and nobody can tell which it was: so secrets are kept in base64. */
const darwin: KeyringCommands = {
  read: (name) => ({
    program: 'security',
    args: ['find-generic-password', '-s', service, '-a', name, '-w'],
  }),
  write: (name, secret) => ({
    program: 'security',
    args: ['-i'], // takes its commands from standard input
    input: `add-generic-password -U -s ${service} -a ${name} -w ${toBase64(secret)}\n`,
  }),
  remove: (name) => ({
    program: 'security',
    args: ['delete-generic-password', '-s', service, '-a', name],
  }),
  secretOf: fromBase64,
};

const registryKey = 'HKCU:\\Software\\Drawbridge\\Secrets';

/** Sealed for the user of Windows who asks (DPAPI), so the service's own user must have kept what it reads. */
const win32: KeyringCommands = {
  read: (name) =>
    powershell(`$sealed = [Convert]::FromBase64String((Get-ItemProperty '${registryKey}' -Name '${name}').'${name}')
[Console]::Out.Write([Convert]::ToBase64String([Security.Cryptography.ProtectedData]::Unprotect($sealed, $null, 'CurrentUser')))`),
  write: (name, secret) => ({
    ...powershell(`$plain = [Convert]::FromBase64String([Console]::In.ReadToEnd().Trim())
$sealed = [Convert]::ToBase64String([Security.Cryptography.ProtectedData]::Protect($plain, $null, 'CurrentUser'))
if (!(Test-Path '${registryKey}')) { New-Item '${registryKey}' -Force | Out-Null }
Set-ItemProperty '${registryKey}' -Name '${name}' -Value $sealed`),
    input: toBase64(secret),
  }),
  remove: (name) => powershell(`Remove-ItemProperty '${registryKey}' -Name '${name}'`),
  secretOf: fromBase64,
};

/** PowerShell takes a script without quoting as base64 of UTF-16. */
function powershell(script: string): KeyringCommand {
  const text = `$ErrorActionPreference = 'Stop'\nAdd-Type -AssemblyName System.Security\n${script}`;
  const encoded = Buffer.from(text, 'utf16le').toString('base64');
  return {
    program: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
  };
}

/** By the name of the platform. */
export const keyringCommands: Readonly<Partial<Record<NodeJS.Platform, KeyringCommands>>> = {
  linux,
  darwin,
  win32,
};

const timeoutMs = 10_000;

/** The keyring of this host. */
export const systemKeyring: SystemKeyring = {
  read(name) {
    const { status, printed, commands } = ask('read', name);
    return status === 0 ? commands?.secretOf(printed) : undefined;
  },
  write: (name, secret) => ask('write', name, secret).status === 0,
  remove: (name) => ask('remove', name).status === 0,
};

function ask(what: 'read' | 'write' | 'remove', name: string, secret = '') {
  const commands = keyringCommands[process.platform];
  // On Linux there is nothing to ask without a session.
  const hasSession =
    process.platform !== 'linux' || process.env.DBUS_SESSION_BUS_ADDRESS !== undefined;
  if (commands === undefined || !hasSession) return { status: null, printed: '', commands };
  const { program, args, input = '' } = commands[what](name, secret);
  const { status, stdout } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    timeout: timeoutMs,
    windowsHide: true,
  });
  return { status, printed: stdout ?? '', commands };
}

function toBase64(secret: string): string {
  return Buffer.from(secret, 'utf8').toString('base64');
}

function fromBase64(printed: string): string {
  return Buffer.from(printed.trim(), 'base64').toString('utf8');
}
