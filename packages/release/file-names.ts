/** The files of a release folder that say what the others are. */
export const manifestFile = 'manifest.json';
/** In the form of `sha256sum`: every file of the folder but this one and its signature. */
export const checksumsFile = 'SHA256SUMS';

/** The file with the signature of another one: 64 bytes, as `openssl pkeyutl` reads them. */
export function signatureFile(name: string): string {
  return `${name}.sig`;
}
