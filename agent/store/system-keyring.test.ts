/** What is asked of each system's keyring, as text: only Linux runs here. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyringCommands } from './system-keyring.ts';

const secret = 'pä"ss $w\'ord\n';
const base64 = Buffer.from(secret).toString('base64');
const systems = ['linux', 'darwin', 'win32'] as const;

test.each(systems)('on %s a secret is never an argument, and is read as it was kept', (system) => {
  const commands = keyringCommands[system]!;
  const write = commands.write('erp', secret);
  expect(JSON.stringify(decoded(write.args))).not.toContain(base64);
  expect(write.args.join(' ')).not.toContain('pä');
  expect(write.input).toContain(system === 'linux' ? secret : base64);
  const printed = { linux: secret, darwin: `${base64}\n`, win32: base64 }[system];
  expect(commands.secretOf(printed)).toBe(secret);
});

/** Arguments, with the script that PowerShell is given. */
function decoded(args: readonly string[]): string[] {
  return args.map((arg, at) =>
    args[at - 1] === '-EncodedCommand' ? Buffer.from(arg, 'base64').toString('utf16le') : arg,
  );
}

test('the keychain of macOS is asked by security', () => {
  const { read, write, remove } = keyringCommands.darwin!;
  expect(read('erp')).toEqual({
    program: 'security',
    args: ['find-generic-password', '-s', 'drawbridge', '-a', 'erp', '-w'],
  });
  expect(write('erp', secret)).toEqual({
    program: 'security',
    args: ['-i'],
    input: `add-generic-password -U -s drawbridge -a erp -w ${base64}\n`,
  });
  expect(remove('erp').args).toEqual(['delete-generic-password', '-s', 'drawbridge', '-a', 'erp']);
});

test('Windows seals it for the user by DPAPI, and keeps it below its own key', () => {
  const { read, write, remove } = keyringCommands.win32!;
  const scripts = [write('erp', secret), read('erp'), remove('erp')].map(
    ({ args }) => decoded(args).at(-1)!,
  );
  for (const script of scripts) {
    expect(script).toContain("HKCU:\\Software\\Drawbridge\\Secrets' -Name 'erp'");
    expect(script).toMatch(/^\$ErrorActionPreference = 'Stop'\n/);
  }
  expect(scripts[0]).toContain("ProtectedData]::Protect($plain, $null, 'CurrentUser')");
  expect(scripts[1]).toContain("ProtectedData]::Unprotect($sealed, $null, 'CurrentUser')");
  expect(scripts[2]).toContain('Remove-ItemProperty');
});

test('on Linux secret-tool is given the secret on its standard input', (context) => {
  if (process.platform !== 'linux') context.skip('Linux only');
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-keyring-'));
  try {
    const file = join(folder, 'secret-tool');
    writeFileSync(file, `#!/bin/sh\necho "$@" > ${folder}/args; cat > ${folder}/input\n`);
    chmodSync(file, 0o755);
    const { args, input } = keyringCommands.linux!.write('erp', secret);
    execFileSync(file, args, { input });
    expect(readFileSync(join(folder, 'input'), 'utf8')).toBe(secret);
    expect(readFileSync(join(folder, 'args'), 'utf8')).toContain('service drawbridge name erp');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
