export const platforms = ['linux-x64', 'linux-arm64', 'windows-x64'] as const;
export type Platform = (typeof platforms)[number];

/** The name of the executable of a platform. */
export function executableName(platform: Platform): string {
  return `drawbridge-${platform}${platform.startsWith('windows') ? '.exe' : ''}`;
}

export function isThisPlatform(platform: Platform): boolean {
  return platform === `${process.platform}-${process.arch}`.replace('win32', 'windows');
}
