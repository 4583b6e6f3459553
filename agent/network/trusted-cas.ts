import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, rootCertificates } from 'node:tls';

/** The certificate authorities (CAs) that this host trusts. */
export interface TrustedCas {
  /** PEM. */
  readonly certificates: readonly string[];
  /** Where they come from, for people. */
  readonly origins: readonly string[];
  /** SHA-256 fingerprints of those in the file that a person named. */
  readonly named: ReadonlySet<string>;
}

export type TrustedCasOutcome =
  | { readonly kind: 'read'; readonly cas: TrustedCas }
  | { readonly kind: 'unreadable'; readonly cause: string };

/**
 * The CAs of the host (of `sslCertFile` in their place, when it is not empty), and those of
 * `caFile`. A host without any trusts those that Node brings.
 */
export function readTrustedCas(caFile: string, sslCertFile: string): TrustedCasOutcome {
  const certificates: string[] = [];
  const origins: string[] = [];
  const named = new Set<string>();
  const add = (origin: string, more: readonly string[]) => {
    certificates.push(...more);
    origins.push(`${more.length} ${origin}`);
  };
  for (const file of [sslCertFile, caFile]) {
    if (file === '') continue;
    const read = readFile(file);
    if (read.kind === 'unreadable') return read;
    add(`of ${file}`, read.certificates);
    if (file !== caFile) continue;
    for (const pem of read.certificates) named.add(new X509Certificate(pem).fingerprint256);
  }
  if (sslCertFile === '') {
    const system = getCACertificates('system');
    if (system.length > 0) add('of this system', system);
    else add('that the agent brings, as this system has none', rootCertificates);
    const extra = getCACertificates('extra'); // of NODE_EXTRA_CA_CERTS
    if (extra.length > 0) add('of NODE_EXTRA_CA_CERTS', extra);
  }
  return { kind: 'read', cas: { certificates, origins, named } };
}

type FileOutcome =
  | { readonly kind: 'certificates'; readonly certificates: readonly string[] }
  | { readonly kind: 'unreadable'; readonly cause: string };

function readFile(file: string): FileOutcome {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { kind: 'unreadable', cause: `The certificates in ${file} cannot be read (${code}).` };
  }
  const certificates = [
    ...text.matchAll(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g),
  ].map(([pem]) => pem);
  const broken = certificates.findIndex((pem) => !isCertificate(pem));
  if (broken >= 0) {
    const cause = `Certificate ${broken + 1} of ${file} does not read.`;
    return { kind: 'unreadable', cause };
  }
  if (certificates.length > 0) return { kind: 'certificates', certificates };
  return { kind: 'unreadable', cause: `${file} holds no certificate in PEM form.` };
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
