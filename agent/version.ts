import manifest from './package.json' with { type: 'json' };

/** The version of the agent's software; the link has its own version. */
export const version: string = manifest.version;
