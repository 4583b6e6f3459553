/** The value that `text` writes, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The callers read what others may have edited, and answer for it themselves.
    return undefined;
  }
}

/** An opaque cursor that holds a JSON value. */
export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The value of a cursor, or undefined when it is none of ours. */
export function decodeCursor(cursor: string): unknown {
  return parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
}
