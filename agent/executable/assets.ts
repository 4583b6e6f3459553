/** What is inside an agent that is one file, by the names that the build gives it. */
export const firstPart = 'main.js';
export const addonAsset = 'better_sqlite3.node';
/** The SHA-256 of the addon, in hexadecimal. */
export const addonHashAsset = 'better_sqlite3.sha256';

/** V8's compiled form of a part; empty where the builder could not make it. */
export function codeCacheOf(part: string): string {
  return `${part}.cache`;
}

/** A part as an expression: a function that fills `exports`. */
export function asFunction(script: string): string {
  return `(function(require,module,exports){${script}\n})`;
}

/**
 * The agent waits for most of its life: more memory for young objects would be kept and not used. While it reads,
 * what is old is collected when it has grown by a fifth, not when it has doubled. Code that was compiled under
 * other flags is not taken.
 */
export const v8Flags = ['--max-semi-space-size=2', '--heap-growing-percent=20'] as const;
