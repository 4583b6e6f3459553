import { codeOf } from '@drawbridge/outbound/outcome.ts';

const notTrusted =
  'its certificate is of a CA that this host does not trust: a private one, or that of a proxy that opens TLS on the way; name the CA’s file with DRAWBRIDGE_CA_FILE';
const noTls =
  'what answers there does not speak TLS: the address begins with http://, or has another port';
const noVersion = 'no version of TLS in common, see DRAWBRIDGE_TLS_MIN';

/** What a code of Node or OpenSSL means. */
const meanings: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this host is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this host is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: noVersion,
  ERR_SSL_UNSUPPORTED_PROTOCOL: noVersion,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'nothing listens there',
  ENETUNREACH: 'this host has no way there',
  EHOSTUNREACH: 'this host has no way there',
  ETIMEDOUT: 'no answer came in time',
};

/** What a failed connection means, in words for a person; the code where it says enough. */
export function meaningOf(error: unknown): string {
  const code = codeOf(error);
  const meaning = meanings[code];
  return meaning === undefined ? (error as Error).message : `${meaning} (${code})`;
}

/** The same for the failure of an HTTP request. */
export function meaningOfFailure({ code, detail }: { code: string; detail?: string }): string {
  if (detail !== undefined) return detail;
  const meaning = meanings[code];
  return meaning === undefined ? code : `${meaning} (${code})`;
}
