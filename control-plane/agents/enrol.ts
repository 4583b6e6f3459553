import { createHash } from 'node:crypto';
import { type Enrolment, tokenText } from '@drawbridge/link/enrolment.ts';
import type { Db } from '../platform/db/database.ts';
import { type Clock, newId, type RandomBytes, randomCharacters } from '../platform/ids.ts';
import { enrolAgent, insertToken } from './store.ts';

/** The longest life of an enrolment token in seconds, which is also the default. */
export const tokenLifeSecondsMax = 3_600;

export interface NewToken {
  /** Shown once; only the hash of its secret is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

export async function issueToken(
  db: Db,
  random: RandomBytes,
  tenantId: string,
  {
    hostname,
    lifeSeconds,
    controlPlaneKey,
  }: { hostname: string | undefined; lifeSeconds: number; controlPlaneKey: string },
): Promise<NewToken> {
  const secret = `enrol_${randomCharacters(32, random)}`;
  const row = { hash: hashOf(secret), hostname: hostname ?? null, lifeSeconds };
  const expiresAt = await db.tenant(tenantId, (tx) => insertToken(tx, tenantId, row));
  return { token: tokenText({ secret, controlPlaneKey }), expiresAt };
}

/** A host that has become an agent of a tenant. */
export interface Enrolled {
  readonly id: string;
  readonly tenantId: string;
}

/** Enrols an agent that trusts that key of the control plane; undefined when the token is refused for any reason. */
export async function enrol(
  db: Db,
  clock: Clock,
  random: RandomBytes,
  { token, publicKey, hostname, software }: Enrolment,
  controlPlaneKey: string,
): Promise<Enrolled | undefined> {
  const id = newId('agt', clock, random);
  const tokenHash = hashOf(token);
  const agent = { id, tokenHash, hostname, key: publicKey, software, controlPlaneKey };
  const tenantId = await db.system((tx) => enrolAgent(tx, agent));
  return tenantId === undefined ? undefined : { id, tenantId };
}

function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
