import { hash } from 'node:crypto';
import { z } from 'zod';
import type { RandomBytes } from '../platform/ids.ts';

/** A token that a mail or the host brings to a person, as it comes back. */
export const oneTimeToken = z.string().regex(/^[\w-]{43}$/, 'must be the token of the mail');

/** A new token. */
export function makeToken(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** What is stored of it. A hash without salt is enough: the token has 256 random bits. */
export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
