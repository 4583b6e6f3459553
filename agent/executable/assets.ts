/** The parts of an agent that is one file, by the names that the build gives them. */
export const agentAsset = 'agent.cjs';
/** V8's compiled form of the script; empty where the builder could not make it. */
export const codeCacheAsset = 'agent.cache';
export const addonAsset = 'better_sqlite3.node';
