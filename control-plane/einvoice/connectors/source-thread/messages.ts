import type { Connector } from '@drawbridge/connectors/contract.ts';

/** What a thread is asked of a source. */
export const methods = [
  'test',
  'describe',
  'discover',
  'read',
  'readMany',
  'list',
  'listAll',
  'writeBack',
  'importDraft',
  'rejectDocument',
] as const satisfies readonly (keyof Connector)[];
export type SourceMethod = (typeof methods)[number];

/** How a source is opened; plain, to be copied between threads. */
export interface SourceOpening {
  readonly kind: string;
  readonly settings: unknown;
  readonly owner: string;
  readonly allowedRoots: readonly string[];
  readonly timeoutMs: number;
  /** Whether it may be at a private address. */
  readonly allowPrivate: boolean;
}

/** What a thread answers. */
export type SourceRequest =
  | {
      readonly kind: 'open';
      readonly call: number;
      readonly source: number;
      readonly opening: SourceOpening;
      readonly nowMs: number;
    }
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly source: number;
      readonly method: SourceMethod;
      readonly given: readonly unknown[];
      /** The time of the caller's clock. */
      readonly nowMs: number;
    }
  | { readonly kind: 'close'; readonly call: number; readonly source: number };

export type ThreadRequest = SourceRequest | { readonly kind: 'abort'; readonly call: number };

export interface ThreadAnswer {
  readonly call: number;
  /** Of `open` the methods that the source has. */
  readonly result?: unknown;
  /** What a defect threw. */
  readonly error?: unknown;
}
