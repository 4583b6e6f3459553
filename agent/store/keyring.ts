import { z } from 'zod';
import { type SystemKeyring, systemKeyring } from './system-keyring.ts';
import { openVault, type VaultLocation } from './vault.ts';

/** Where named secrets are kept. */
export interface Keyring {
  read(name: string): string | undefined;
  /** Into the sealed file, or the system's keyring; false when the system has none that takes it. */
  write(name: string, secret: string, where: 'sealed-file' | 'system'): boolean;
  /** Names in the sealed file; a keyring of the system tells none. */
  names(): string[];
  /** Whether there was one. */
  remove(name: string): boolean;
}

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
    return content.kind === 'content' ? content.value : {};
  };
  return {
    read: (name) => (Object.hasOwn(sealed(), name) ? sealed()[name] : system.read(name)),
    write(name, secret, where) {
      const { [name]: _, ...others } = sealed();
      if (where === 'system' && !system.write(name, secret)) return false;
      vault.write(where === 'system' ? others : { ...others, [name]: secret });
      return true;
    },
    names: () => Object.keys(sealed()),
    remove(name) {
      const { [name]: removed, ...others } = sealed();
      if (removed === undefined) return system.remove(name);
      vault.write(others);
      return true;
    },
  };
}
