import manifest from './package.json' with { type: 'json' };

/** Of this agent's software; the link has a version of its own. */
export const version: string = manifest.version;
