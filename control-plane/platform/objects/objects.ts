/**
 * Files that are too large for the database; open-objects.ts opens them.
 * Keys are made by the product and never
 * hold what a client sent.
 */
import type { Readable } from 'node:stream';

/** What is put: its size and sum are known beforehand, so that a store can check what it got. */
export interface ObjectSource {
  readonly stream: Readable;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Bytes of an object, the first and the last included. */
interface ObjectPart {
  readonly first: number;
  readonly last: number;
}

/** A store of files by key. */
export interface Objects {
  /** Where it keeps things, for people. */
  readonly place: string;
  /** Puts it whole or not at all; what had the key is replaced. */
  put(key: string, source: ObjectSource): Promise<void>;
  /** All of it, or a part that it has; undefined when there is nothing under the key. */
  get(
    key: string,
    part?: ObjectPart,
  ): Promise<{ readonly stream: Readable; readonly bytes: number } | undefined>;
  /** What is not there is removed already. */
  remove(key: string): Promise<void>;
}

/** Where objects are stored. */
export interface ObjectsOptions {
  readonly home: string;
  /** `s3://bucket/prefix?endpoint=https://…&region=…`; without it a folder below `home`. */
  readonly url?: string | undefined;
  /** `access-key-id:secret-access-key` of the bucket. */
  readonly key?: string | undefined;
}

const keyPattern = /^[a-z0-9_-]+(\/[a-z0-9_.-]+){0,6}$/i;

/** Throws for a key that could leave its folder: a bug, since keys are ours. */
export function checkKey(key: string): string {
  const isPlain = keyPattern.test(key) && !key.split('/').some((part) => /^\.+$/.test(part));
  if (key.length > 500 || !isPlain) throw new Error('an object key is a path of plain words');
  return key;
}
