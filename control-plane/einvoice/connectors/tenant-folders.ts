import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../../settings.ts';

type Roots = Pick<Settings, 'connectorRoots' | 'home'>;

/**
 * The folders of this host that a tenant's connectors may read: in each root the one that is called by
 * the tenant's id. The host may make it a link to another place; the tenant has no way to.
 */
export function tenantFolders({ connectorRoots, home }: Roots, tenantId: string): string[] {
  const roots = connectorRoots.length === 0 ? [join(home, 'files')] : connectorRoots;
  return roots.map((root) => resolve(root, tenantId));
}

/** Makes the tenant's folder in the first root and answers its path. */
export async function makeTenantFolder(roots: Roots, tenantId: string): Promise<string> {
  const [first = ''] = tenantFolders(roots, tenantId);
  // A root may be a share that is read-only here, or not mounted yet: its owner makes the folder.
  await mkdir(first, { recursive: true, mode: 0o700 }).catch(() => undefined);
  return first;
}
