/**
 * How a host becomes an agent, whatever stands in between. Its token names the control plane's key: the
 * request is sealed for that key, and the answer is signed by it.
 */
import { z } from 'zod';
import { fromBase64, publicKeyText, toBase64 } from './bytes.ts';
import { openSealed, sealFor } from './sealed-message.ts';
import { digestOf, sign, verifies } from './signature.ts';

/** What a host asks for. */
const enrolment = z.strictObject({
  /** The secret part of the token. */
  token: z.string().min(1).max(512),
  publicKey: publicKeyText,
  hostname: z.string().min(1).max(253),
  software: z.string().max(64),
});
export type Enrolment = z.infer<typeof enrolment>;

/** What it is told. */
export interface EnrolmentAnswer {
  readonly agentId: string;
  /** Absolute, or a path relative to the control plane’s address. */
  readonly linkUrl: string;
}

/** An enrolment token: a secret, and the control plane’s key. */
export interface EnrolmentToken {
  readonly secret: string;
  /** Ed25519, base64. */
  readonly controlPlaneKey: string;
}

/** The token as people hand it on. */
export function tokenText({ secret, controlPlaneKey }: EnrolmentToken): string {
  return `${secret}.${Buffer.from(controlPlaneKey, 'base64').toString('base64url')}`;
}

/** `unbound`: it names no key, as tokens once did. */
export function readToken(text: string): EnrolmentToken | 'unbound' {
  const [secret = '', named] = text.split('.');
  if (named === undefined) return 'unbound';
  return { secret, controlPlaneKey: Buffer.from(named, 'base64url').toString('base64') };
}

/** The request, base64, which only the control plane reads; undefined when the key is none. */
export function sealEnrolment(
  controlPlaneKey: string,
  content: Enrolment,
  random: (length: number) => Uint8Array,
): string | undefined {
  if (!publicKeyText.safeParse(controlPlaneKey).success) return undefined;
  const plain = new TextEncoder().encode(JSON.stringify(content));
  const sealed = sealFor(controlPlaneKey, plain, random);
  return sealed && toBase64(sealed);
}

/** The content of a request; undefined when it is not for this key, or does not read. */
export function openEnrolment(secretKey: Uint8Array, sealed: string): Enrolment | undefined {
  const plain = openSealed(secretKey, fromBase64(sealed));
  if (plain === undefined) return undefined;
  try {
    return enrolment.safeParse(JSON.parse(new TextDecoder().decode(plain))).data;
  } catch {
    return undefined; // no JSON
  }
}

/** The control plane’s signature, base64, of its answer to that request. */
export function signAnswer(secretKey: Uint8Array, sealed: string, answer: EnrolmentAnswer): string {
  return sign(answerDigest(sealed, answer), secretKey);
}

/** Whether the answer to that request is of the control plane with this key. */
export function isAnswerOf(
  controlPlaneKey: string,
  sealed: string,
  answer: EnrolmentAnswer,
  signature: string,
): boolean {
  return verifies(answerDigest(sealed, answer), signature, controlPlaneKey);
}

/** The request holds the agent’s key, so an answer is good for that key alone. */
function answerDigest(sealed: string, { agentId, linkUrl }: EnrolmentAnswer): Uint8Array {
  return digestOf(['drawbridge-enrolment', sealed, agentId, linkUrl]);
}
