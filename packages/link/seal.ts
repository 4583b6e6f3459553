import type { KeyObject } from 'node:crypto';
import nacl from 'tweetnacl';
import { fromBase64, toBase64 } from './bytes.ts';
import type { Role } from './challenge.ts';
import type { CloseReason } from './close-reasons.ts';
import { privateKey, publicBytes, sharedKey } from './keys.ts';
import { limits } from './limits.ts';

/** X25519 keys of one session; made for it and never stored. */
export interface SessionKeys {
  /** base64, 32 bytes */
  readonly publicKey: string;
  readonly secretKey: KeyObject;
}

type Opened =
  | { readonly kind: 'opened'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly close: CloseReason };

/**
 * Seals and opens the frames of one session, which are counted by direction: only the next opens.
 */
export interface Seal {
  seal(plain: Uint8Array): Uint8Array;
  open(sealed: Uint8Array): Opened;
}

const headerBytes = 9; // version (1), counter (8, big endian)
const sealedBytesMax = headerBytes + limits.frameBytesMax + nacl.box.overheadLength;

/** New session keys; `random` gives that many unpredictable bytes. */
export function sessionKeys(random: (length: number) => Uint8Array): SessionKeys {
  const secretKey = privateKey('X25519', random(nacl.box.secretKeyLength));
  return { publicKey: toBase64(publicBytes(secretKey)), secretKey };
}

/**
 * The seal of `role`'s end of a session of protocol `version`; `theirKey` is the peer's session
 * key, base64.
 */
export function createSeal(role: Role, version: number, ours: SessionKeys, theirKey: string): Seal {
  const shared = sharedKey(ours.secretKey, fromBase64(theirKey));
  const peer: Role = role === 'agent' ? 'control-plane' : 'agent';
  let sent = 0;
  let received = 0;
  return {
    seal(plain) {
      sent += 1;
      const box = nacl.box.after(plain, nonce(role, sent), shared);
      const sealed = new Uint8Array(headerBytes + box.length);
      sealed[0] = version;
      new DataView(sealed.buffer).setBigUint64(1, BigInt(sent));
      sealed.set(box, headerBytes);
      return sealed;
    },
    open(sealed) {
      if (sealed.length > sealedBytesMax) return refused('oversized');
      if (sealed.length < headerBytes) return refused('unsealed');
      if (sealed[0] !== version) return refused('unknown_version');
      const counter = new DataView(sealed.buffer, sealed.byteOffset).getBigUint64(1);
      if (counter <= BigInt(received)) return refused('replayed');
      if (counter !== BigInt(received + 1)) return refused('out_of_order');
      const box = sealed.subarray(headerBytes);
      const bytes = nacl.box.open.after(box, nonce(peer, received + 1), shared);
      if (bytes === null) return refused('unsealed');
      received += 1;
      return { kind: 'opened', bytes };
    },
  };
}

/**
 * The nonce of a frame. Both directions share one key, so the sender is part of the nonce, and a
 * frame cannot be sent back to its sender.
 */
function nonce(sender: Role, counter: number): Uint8Array {
  const bytes = new Uint8Array(nacl.box.nonceLength);
  bytes[0] = sender === 'agent' ? 1 : 2;
  new DataView(bytes.buffer).setBigUint64(nacl.box.nonceLength - 8, BigInt(counter));
  return bytes;
}

function refused(close: CloseReason): Opened {
  return { kind: 'refused', close };
}
