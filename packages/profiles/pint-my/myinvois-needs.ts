/** One thing LHDN needs that the CIM lacks or has too long; `path` counts positions from 1. */
export interface Need {
  readonly path: string;
  readonly message: string;
}

/**
 * Collects what is lacking while the document is written, so that a person sees all of it at once.
 */
export class Needs {
  readonly found: Need[] = [];

  /** The value as it is; its absence is noted. */
  required<T>(value: T | undefined, path: string, message: string): T | undefined {
    if (value === undefined) this.found.push({ path, message });
    return value;
  }

  /** The text as it is; that it is longer than LHDN takes is noted. */
  within(text: string | undefined, lengthMax: number, path: string): string | undefined {
    if (text !== undefined && text.length > lengthMax) {
      const message = `LHDN takes at most ${lengthMax} characters here; this has ${text.length}.`;
      this.found.push({ path, message });
    }
    return text;
  }
}
