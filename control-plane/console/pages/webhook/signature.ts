/** Which of a delivery's signatures is looked at: the body has one of its own, headers carry others. */
const member = /,"signature":"sha256=([0-9a-f]{64})"\}$/;
const timestamp = /,"ts":"([^"]+)"\}$/;
/** A receiver refuses what is older, so that nobody can play an old delivery again. */
const ageMaxMs = 300_000;

export type Verdict =
  | { readonly kind: 'genuine'; readonly sentAt: string; readonly isOld: boolean }
  | { readonly kind: 'other_secret'; readonly digest: string }
  | { readonly kind: 'unsigned' };

/** Checks the body of a delivery, byte for byte as it came. Nothing leaves the page. */
export async function checkSignature(body: string, secret: string, now: Date): Promise<Verdict> {
  const [ending, digest] = member.exec(body) ?? [];
  const unsigned = ending === undefined ? '' : `${body.slice(0, -ending.length)}}`;
  const sentAt = timestamp.exec(unsigned)?.[1];
  if (sentAt === undefined) return { kind: 'unsigned' };
  const expected = await hmac(secret, `${sentAt}.${unsigned}`);
  if (expected !== digest) return { kind: 'other_secret', digest: expected };
  const ageMs = Math.abs(now.getTime() - new Date(sentAt).getTime());
  return { kind: 'genuine', sentAt, isOld: !(ageMs <= ageMaxMs) };
}

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ]);
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return Array.from(new Uint8Array(mac), (each) => each.toString(16).padStart(2, '0')).join('');
}
