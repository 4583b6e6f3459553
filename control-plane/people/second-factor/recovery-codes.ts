import { hash } from 'node:crypto';
import { type RandomBytes, randomCharacters } from '../../platform/ids.ts';

const count = 10;
/** 80 random bits: a hash without salt is enough. */
const characters = 16;

/** New recovery codes, each good once: `k3f9-0d2m-…`. */
export function makeRecoveryCodes(random: RandomBytes): readonly string[] {
  return Array.from({ length: count }, () =>
    randomCharacters(characters, random).match(/.{4}/g)!.join('-'),
  );
}

/** What is stored of a code, however a person writes it. */
export function hashOfRecoveryCode(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replace(/[^0-9a-z]/g, ''), 'buffer');
}
