import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, rootCertificates } from 'node:tls';

/** The certificate authorities (CAs) that this host trusts. */
export interface TrustedCas {
  /** Of all, in PEM form, and where they come from; reading those of the host takes a moment. */
  all(): { readonly certificates: readonly string[]; readonly origins: readonly string[] };
  /** SHA-256 fingerprints of those in the file that a person named. */
  readonly named: ReadonlySet<string>;
}

type TrustedCasOutcome =
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
  for (const file of [sslCertFile, caFile]) {
    if (file === '') continue;
    const read = readFile(file);
    if (read.kind === 'unreadable') return read;
    certificates.push(...read.certificates);
    origins.push(`${read.certificates.length} of ${file}`);
    if (file !== caFile) continue;
    for (const pem of read.certificates) named.add(new X509Certificate(pem).fingerprint256);
  }
  const all = () => {
    const ofHost = sslCertFile === '' ? hostCas() : [];
    return {
      certificates: [...certificates, ...ofHost.flatMap(([, pems]) => pems)],
      origins: [...origins, ...ofHost.map(([origin, pems]) => `${pems.length} ${origin}`)],
    };
  };
  return { kind: 'read', cas: { all, named } };
}

function hostCas(): [origin: string, certificates: readonly string[]][] {
  // A folder of CAs has each under several names.
  const system = [...new Set(getCACertificates('system'))];
  const extra = getCACertificates('extra');
  const found: [string, readonly string[]][] =
    system.length > 0
      ? [['of this system', system]]
      : [['that the agent brings, as this system has none', rootCertificates]];
  return extra.length === 0 ? found : [...found, ['of NODE_EXTRA_CA_CERTS', extra]];
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
