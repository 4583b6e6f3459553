/** The value that `text` writes, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text may have been edited by others, so each caller decides what invalid JSON means.
    return undefined;
  }
}

/** An opaque cursor that holds a JSON value. */
export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The value of a cursor, or undefined when `encodeCursor` did not make it. */
export function decodeCursor(cursor: string): unknown {
  return parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
}
