import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pdfSignature, type Signer, signFile, verifyPdf } from './signature.ts';

function makeSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(raw), sign: async (bytes) => sign(null, bytes, privateKey) };
}

const signer = makeSigner();
const file = Buffer.from('%PDF-1.7 a file of some bytes\n%%EOF\n');

test('an unchanged file is verified; the key is proven only when it was given', async () => {
  const signature = await signFile(file, signer);
  expect(await verifyPdf(file, signature)).toEqual({ kind: 'verified', isPinned: false });
  expect(await verifyPdf(file, signature, signer.publicKey)).toEqual({
    kind: 'verified',
    isPinned: true,
  });
});

test('any changed, missing or added byte is refused', async () => {
  const signature = await signFile(file, signer);
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file);
    changed[at]! ^= 1;
    expect(await verifyPdf(changed, signature), `byte ${at}`).toMatchObject({ kind: 'refused' });
  }
  for (const other of [file.subarray(1), file.subarray(0, -1), Buffer.concat([file, file])]) {
    expect(await verifyPdf(other, signature)).toMatchObject({ kind: 'refused' });
  }
});

test('a signature file with any changed letter is refused, or is not a signature', async () => {
  const text = JSON.stringify(await signFile(file, signer));
  for (let at = 0; at < text.length; at++) {
    const next = String.fromCharCode(text.charCodeAt(at) + 1);
    for (const letter of [next, text[at] === 'A' ? 'B' : 'A']) {
      const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
      expect(await outcomeOf(changed), `letter ${at}`).toBe('refused');
    }
  }
});

async function outcomeOf(text: string): Promise<string> {
  try {
    return (await verifyPdf(file, pdfSignature.parse(JSON.parse(text)))).kind;
  } catch {
    return 'refused'; // not JSON, or not the right form
  }
}

describe('a signature with another key', () => {
  test('is consistent, but refused when our key is given', async () => {
    const forged = await signFile(Buffer.from('forged'), makeSigner());
    expect(await verifyPdf(Buffer.from('forged'), forged)).toEqual({
      kind: 'verified',
      isPinned: false,
    });
    expect(await verifyPdf(Buffer.from('forged'), forged, signer.publicKey)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('another key'),
    });
  });

  test('is refused under our key id', async () => {
    const signature = await signFile(file, signer);
    const { signature: other } = await signFile(file, makeSigner());
    expect(await verifyPdf(file, { ...signature, signature: other })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('does not fit'),
    });
  });
});
