import { setTimeout as wait } from 'node:timers/promises';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import nacl from 'tweetnacl';
import type { Report } from '../log/events.ts';
import type { CurrentIdentity, NewKey } from './current-identity.ts';

export interface KeyRotationContext {
  readonly identity: CurrentIdentity;
  readonly clock: () => Date;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Days after which a key is changed by itself; 0: never. */
  readonly lifeDays: number;
  /** Whether bundles are on their way, which the other end can only check with the present key. */
  hasBundlesOnTheirWay(): boolean;
  /** Tells the control plane of the next key, if the agent is linked. */
  send(): void;
  readonly report: Report;
}

type Rotated =
  | { readonly kind: 'changed'; readonly publicKey: string }
  /** Made, and told when the agent is linked to a control plane that knows how. */
  | { readonly kind: 'waiting'; readonly publicKey: string }
  | { readonly kind: 'refused' };

/** How the agent changes its own key: when asked, and by itself when it is old. */
export interface KeyRotation {
  rotate(): Promise<Rotated>;
  /** Looks at the age of the key. */
  rotateIfOld(): void;
  knownBy(publicKey: string): boolean;
}

const answerMs = 10_000;
const dayMs = 86_400_000;

export function createKeyRotation(context: KeyRotationContext): KeyRotation {
  const { identity, report } = context;
  const known = new Map<string, () => void>();
  const begin = (): boolean => {
    if (identity.value().nextKey === undefined && context.hasBundlesOnTheirWay()) return false;
    makeNextKey(context);
    context.send();
    return true;
  };
  return {
    async rotate() {
      if (!begin()) return { kind: 'refused' };
      const { nextKey, publicKey: present } = identity.value();
      if (nextKey === undefined) return { kind: 'changed', publicKey: present };
      const { publicKey } = nextKey;
      const answered = new AbortController();
      known.set(publicKey, () => answered.abort());
      await wait(answerMs, undefined, { signal: answered.signal }).catch(() => {});
      known.delete(publicKey);
      return { kind: answered.signal.aborted ? 'changed' : 'waiting', publicKey };
    },
    rotateIfOld() {
      if (isNextKeyDue(context)) begin();
    },
    knownBy(publicKey) {
      const { publicKey: before, formerKey } = identity.value();
      if (!identity.knownBy(publicKey)) return false;
      if (publicKey === formerKey?.publicKey) {
        const cause = 'the control plane knows this agent by the key before, as of a backup';
        report('key_wound_back', `${cause}: it is told the present one again`);
      } else if (publicKey !== before)
        report('key_changed', `this agent’s key is ${publicKey} now`);
      known.get(publicKey)?.();
      return true;
    },
  };
}

type AgeContext = Pick<KeyRotationContext, 'identity' | 'clock' | 'lifeDays'>;

/** Whether the key is so old that there should be a next one, and there is none. */
export function isNextKeyDue({ identity, clock, lifeDays }: AgeContext): boolean {
  const { keyMadeAt, enrolledAt, nextKey } = identity.value();
  const ageMs = clock().getTime() - Date.parse(keyMadeAt ?? enrolledAt);
  return lifeDays > 0 && ageMs > lifeDays * dayMs && nextKey === undefined;
}

/** Has a next key on the disk, unless there is one. */
export function makeNextKey({
  identity,
  clock,
  randomBytes,
}: Pick<KeyRotationContext, 'identity' | 'clock' | 'randomBytes'>): void {
  identity.makeNextKey(() => newKey(randomBytes), clock());
}

function newKey(randomBytes: (length: number) => Uint8Array): NewKey {
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(new Uint8Array(randomBytes(32)));
  return { publicKey: toBase64(publicKey), secretKey: toBase64(secretKey) };
}
