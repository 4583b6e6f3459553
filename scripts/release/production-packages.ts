import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const listed = new Map<string, Promise<readonly string[]>>();

/** Folders of the installed packages that a workspace needs to run, relative to the root. */
export function productionPackages(workspace: string): Promise<readonly string[]> {
  const packages = listed.get(workspace) ?? listPackages(workspace);
  listed.set(workspace, packages);
  return packages;
}

async function listPackages(workspace: string): Promise<readonly string[]> {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspace', workspace];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 10_000_000 });
  const paths = new Set(stdout.trim().split('\n'));
  return Array.from(paths, (path) => relative(root, path)).filter((path) =>
    path.startsWith('node_modules/'),
  );
}
