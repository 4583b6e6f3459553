/** A value that LHDN requires and that is missing or too long; `path` counts positions from 1. */
export interface Need {
  readonly path: string;
  readonly message: string;
}

/**
 * Collects missing values while the document is written, so that a person sees all of them at once.
 */
export class Needs {
  readonly found: Need[] = [];

  /** Returns the value; records a need when it is missing. */
  required<T>(value: T | undefined, path: string, message: string): T | undefined {
    if (value === undefined) this.found.push({ path, message });
    return value;
  }

  /** Returns the text; records a need when it is longer than `lengthMax` characters. */
  within(text: string | undefined, lengthMax: number, path: string): string | undefined {
    if (text !== undefined && text.length > lengthMax) {
      const message = `LHDN takes at most ${lengthMax} characters here; this has ${text.length}.`;
      this.found.push({ path, message });
    }
    return text;
  }
}
