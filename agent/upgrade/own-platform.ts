/** The platform of this process, by its name in a release's manifest. */
export const ownPlatform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
