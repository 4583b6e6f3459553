import { z } from 'zod';
import { exclusively } from './lock.ts';
import { type SystemKeyring, systemKeyring } from './system-keyring.ts';
import { openVault, type VaultLocation } from './vault.ts';

/** Where named secrets are kept. */
export interface Keyring {
  read(name: string): string | undefined;
  /** Into the sealed file, or the system's keyring. */
  write(name: string, secret: string, where: 'sealed-file' | 'system'): Written;
  /** Names in the sealed file, undefined when it does not open; a keyring of the system tells none. */
  names(): string[] | undefined;
  remove(name: string): Removed;
}

/** `no-keyring`: the system has none that takes it. `unreadable`: the sealed file does not open with the key, and stays as it is. */
type Written = 'written' | 'no-keyring' | 'unreadable';
type Removed = 'removed' | 'absent' | 'unreadable';

/** The name by which a secret is asked for. */
export const secretName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'use letters, digits, . _ and -, at most 63');

/**
 * The sealed file of the home folder and, where the system has one, its keyring. The
 * sealed file goes first: a service has no session, and so no keyring.
 */
export function openKeyring(
  location: VaultLocation,
  system: SystemKeyring = systemKeyring,
): Keyring {
  const vault = openVault(location, 'secrets', z.record(z.string(), z.string()));
  const sealed = () => {
    const content = vault.read();
    if (content.kind === 'unreadable') return undefined;
    return content.kind === 'content' ? content.value : {};
  };
  return {
    read(name) {
      const held = sealed() ?? {};
      return Object.hasOwn(held, name) ? held[name] : system.read(name);
    },
    write(name, secret, where) {
      const isSystem = where === 'system';
      if (isSystem && !system.write(name, secret)) return 'no-keyring';
      return exclusively(location.home, () => {
        const held = sealed();
        if (held === undefined) return isSystem ? 'written' : 'unreadable';
        const { [name]: _, ...others } = held;
        vault.write(isSystem ? others : { ...others, [name]: secret });
        return 'written';
      });
    },
    names() {
      const held = sealed();
      return held && Object.keys(held);
    },
    remove: (name) =>
      exclusively(location.home, () => {
        const held = sealed();
        if (held === undefined) return 'unreadable';
        const { [name]: removed, ...others } = held;
        if (removed !== undefined) vault.write(others);
        return removed !== undefined || system.remove(name) ? 'removed' : 'absent';
      }),
  };
}
