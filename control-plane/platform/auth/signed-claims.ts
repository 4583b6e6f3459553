import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { algorithm, type SigningKeys } from './signing-keys.ts';

const skewSeconds = 30;

/**
 * The claims of a token that one of the keys signed, if it is what the options ask for; undefined when it is
 * not ours, was changed, or has expired.
 */
export async function verifiedClaims(
  keys: SigningKeys,
  token: string,
  options: JWTVerifyOptions & { readonly typ: string },
): Promise<JWTPayload | undefined> {
  try {
    const { kid } = decodeProtectedHeader(token);
    const key = kid === undefined ? undefined : await keys.publicKey(kid);
    if (key === undefined) return undefined;
    const required = { algorithms: [algorithm], clockTolerance: skewSeconds };
    const { payload } = await jwtVerify(token, key, { ...options, ...required });
    return payload;
  } catch (error) {
    // A header that cannot be decoded is a TypeError of the library.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
