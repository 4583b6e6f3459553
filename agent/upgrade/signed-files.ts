/** Reads what a release says of its files, and believes only what is signed. */
import { dirname } from 'node:path';
import { parseChecksums } from '@drawbridge/release/checksums.ts';
import { checksumsFile, manifestFile, signatureFile } from '@drawbridge/release/file-names.ts';
import { type Manifest, parseManifest } from '@drawbridge/release/manifest.ts';
import { isSigned } from '@drawbridge/release/signature.ts';
import { type Installation, installedManifest } from './installation.ts';
import { type ReadReleased, readerOfFolder } from './release-source.ts';

export type Signed<T> =
  | { readonly kind: 'signed'; readonly value: T }
  | {
      readonly kind: 'absent' | 'unsigned' | 'unreadable' | 'larger' | 'failed';
      readonly cause: string;
    };

/** More than any file that is signed has. */
export const signedBytesMax = 1_000_000;

/** A manifest whose signature one of the keys made. */
export async function signedManifest(
  read: ReadReleased,
  name: string,
  keys: readonly string[],
): Promise<Signed<Manifest>> {
  return parsed(await signedBytes(read, name, keys), name, parseManifest);
}

/** The hashes that a folder's SHA256SUMS names, when one of the keys signed it. */
export async function signedChecksums(
  read: ReadReleased,
  keys: readonly string[],
): Promise<Signed<ReadonlyMap<string, string>>> {
  const bytes = await signedBytes(read, checksumsFile, keys);
  return parsed(bytes, checksumsFile, (each) => parseChecksums(Buffer.from(each).toString()));
}

/** The manifest that an installed agent came with, wherever it was put. */
export async function ownManifest(
  { executable, shareFolder }: Installation,
  version: string,
  keys: readonly string[],
): Promise<Signed<Manifest>> {
  const kept = await signedManifest(readerOfFolder(shareFolder), installedManifest(version), keys);
  if (kept.kind !== 'absent') return kept;
  return signedManifest(readerOfFolder(dirname(executable)), manifestFile, keys);
}

async function signedBytes(
  read: ReadReleased,
  name: string,
  keys: readonly string[],
): Promise<Signed<Uint8Array>> {
  const bytes = await read(name, signedBytesMax);
  if (bytes.kind !== 'read') return { kind: bytes.kind, cause: bytes.cause };
  const signature = await read(signatureFile(name), signedBytesMax);
  if (signature.kind !== 'read') return { kind: 'unsigned', cause: signature.cause };
  if (isSigned(bytes.value, signature.value, keys)) return { kind: 'signed', value: bytes.value };
  return { kind: 'unsigned', cause: `${name} is not signed with a key that this agent knows.` };
}

function parsed<T>(
  bytes: Signed<Uint8Array>,
  name: string,
  parse: (bytes: Uint8Array) => T | undefined,
): Signed<T> {
  if (bytes.kind !== 'signed') return bytes;
  const value = parse(bytes.value);
  if (value !== undefined) return { kind: 'signed', value };
  return { kind: 'unreadable', cause: `${name} is signed, but this agent cannot read it.` };
}
