import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeHomeFolder, openKnownVersions } from './known-versions.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-versions-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the newest version is remembered, also after a roll back; whether it is well has to show again', () => {
  const home = join(folder, 'own');
  makeHomeFolder(home);
  const versions = openKnownVersions(home);
  expect(versions.read()).toEqual({});
  versions.setWell('1.0.0');
  versions.begin('1.1.0');
  expect(versions.read()).toEqual({ seen: '1.1.0', well: '1.0.0' });
  versions.setWell('1.1.0');
  versions.setWell('1.0.0');
  versions.begin('1.1.0');
  expect(versions.read()).toEqual({ seen: '1.1.0', well: '1.0.0' });
  versions.begin('1.0.0');
  expect(openKnownVersions(home).read()).toEqual({ seen: '1.1.0' });
});

// Only root acts for others.
describe.skipIf(!isRoot)('what root does for the service', () => {
  test('belongs to the service’s user', () => {
    const above = mkdtempSync(join(folder, 'service-'));
    chownSync(above, nobody, nobody);
    const home = join(above, 'state', 'agent');
    makeHomeFolder(home);
    openKnownVersions(home).begin('1.0.0');
    for (const path of [home, join(home, 'versions.json')]) {
      expect(statSync(path)).toMatchObject({ uid: nobody, gid: nobody });
    }
    expect(process.geteuid!()).toBe(0);
  });
});
