import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocumentPart } from './document.ts';
import { exportPdf, picturesMax } from './export.ts';
import { textOf, whyNoReader } from './reading.kit.ts';
import { sampleDocument, sampleEntry, samplePng } from './sample.fixture.ts';
import { pdfSignature, type Signer, verifyPdf } from './signing/signature.ts';
import {
  openPdfWorker,
  type PdfWorker,
  PdfWorkerError,
  type PdfWorkerFault,
} from './worker/pdf-worker.ts';

let pdfWorker: PdfWorker;
beforeAll(() => {
  pdfWorker = openPdfWorker();
});
afterAll(() => pdfWorker.close());

/** The key of RFC 8032, 7.1, test 1. */
const secret = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const key = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${secret}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
const signer: Signer = {
  publicKey: new Uint8Array(spki.subarray(-32)),
  sign: async (bytes) => sign(null, bytes, key),
};

test('a conversation gives a PDF and a verifiable signature, always the same', async () => {
  const { file, contentType, signature } = await exportPdf(sampleDocument(), signer, pdfWorker);
  expect(contentType).toBe('application/pdf');
  expect(signature).toMatchObject({
    algorithm: 'Ed25519',
    public_key: Buffer.from(signer.publicKey).toString('base64'),
    sha256: createHash('sha256').update(file).digest('hex'),
  });
  const bytes = Buffer.from(signature.signature, 'base64');
  expect(verify(null, file, createPublicKey(key), bytes)).toBe(true);
  expect(await exportPdf(sampleDocument(), signer, pdfWorker)).toEqual({
    file,
    contentType,
    signature,
  });
});

test('an empty conversation gives a document too', async () => {
  const document = sampleDocument({ entries: [], consents: [], participants: [], channels: [] });
  const { file } = await exportPdf(document, signer, pdfWorker);
  expect(Buffer.from(file).toString('latin1', 0, 5)).toBe('%PDF-');
});

test('more than 200,000 entries are refused before anything is printed', async () => {
  const entries = Array(200_001).fill(sampleEntry(0));
  await expect(exportPdf(sampleDocument({ entries }), signer, pdfWorker)).rejects.toMatchObject({
    code: 'too_large',
  });
});

test('more than 5,000 pictures are refused before one is fetched', async () => {
  const media = Array(picturesMax + 1).fill({ type: 'image', storedAt: 'a' });
  const entries = [sampleEntry(0, { media })];
  const outcome = exportPdf(sampleDocument({ entries }), signer, pdfWorker, {
    pictureAt: () => expect.unreachable(),
  });
  await expect(outcome).rejects.toMatchObject({ code: 'too_large' });
});

/** A PDF worker that fails this many times before it prints. */
function failing(code: PdfWorkerFault, times: number): PdfWorker {
  let left = times;
  return {
    print: async () => {
      left -= 1;
      if (left >= 0) throw new PdfWorkerError(code);
      return Buffer.from('printed');
    },
    thumbnail: async (file) => ({ file }),
    close: async () => {},
  };
}

test.each([
  ['crashed', 1, 'printed'],
  ['crashed', 2, undefined],
  ['timeout', 1, undefined],
  ['memory', 1, undefined],
] as const)('a PDF worker with %s, %i time(s), gives %s', async (code, times, expected) => {
  const outcome = exportPdf(sampleDocument(), signer, failing(code, times));
  if (expected === undefined) return expect(outcome).rejects.toMatchObject({ code });
  expect(Buffer.from((await outcome).file).toString()).toBe(expected);
});

/** A PDF worker that records what it prints; the bytes of a picture say what becomes of it. */
function recording(): { pdfWorker: PdfWorker; parts: DocumentPart[]; steps: string[] } {
  const [parts, steps]: [DocumentPart[], string[]] = [[], []];
  const recorded: PdfWorker = {
    print: async (part) => {
      parts.push(part);
      steps.push('printed');
      return Buffer.from('x');
    },
    thumbnail: async (picture) => {
      const words = Buffer.from(picture).toString();
      steps.push(words);
      if (words === 'gif') return { problem: 'its format is not known' };
      if (words in faults) throw new PdfWorkerError(words as PdfWorkerFault);
      return { file: Buffer.from(`small ${words}`) };
    },
    close: async () => {},
  };
  return { pdfWorker: recorded, parts, steps };
}

const faults = { crashed: true, timeout: true, memory: true, busy: true };
const withPictures = (...places: string[]) => {
  const media = places.map((storedAt) => ({ type: 'image', storedAt }));
  return sampleDocument({ entries: [sampleEntry(0, { media })] });
};
const pictureAt = async (place: string) => (place === 'gone' ? undefined : Buffer.from(place));

test('each picture becomes a thumbnail, and a missing one gives a box', async () => {
  const { pdfWorker: own, parts, steps } = recording();
  await exportPdf(withPictures('a', 'gone', 'gif', 'b'), signer, own, { pictureAt });
  expect(steps).toEqual(['a', 'gif', 'b', 'printed']);
  expect(parts[0]!.entries[0]!.media).toEqual([
    { type: 'image', thumbnail: Buffer.from('small a') },
    { type: 'image' },
    { type: 'image', problem: 'its format is not known' },
    { type: 'image', thumbnail: Buffer.from('small b') },
  ]);
});

test('a large picture is stored in its printed size, with the same bytes each time', async () => {
  const [bare, document] = [withPictures('gone'), withPictures('photo')];
  const photo = samplePng(1_200, 900);
  const at = async (place: string) => (place === 'photo' ? photo : undefined);
  const print = async (of: typeof document) =>
    Buffer.from((await exportPdf(of, signer, pdfWorker, { pictureAt: at })).file);
  const [without, file] = [await print(bare), await print(document)];
  expect(file.toString('latin1')).toMatch(/\/Width 441\b/);
  expect(file.length - without.length).toBeLessThan(30_000);
  expect((await print(document)).equals(file)).toBe(true);
});

test.each([
  ['crashed', 2],
  ['timeout', 1],
  ['memory', 1],
])('when a picture ends the process (%s), only the picture is left out', async (fault, times) => {
  const { pdfWorker: own, parts, steps } = recording();
  await exportPdf(withPictures(fault, 'b'), signer, own, { pictureAt });
  expect(steps).toEqual([...Array(times).fill(fault), 'b', 'printed']);
  const [first, second] = parts[0]!.entries[0]!.media!;
  expect(first).toEqual({ type: 'image', problem: 'the picture is damaged' });
  expect(second).toHaveProperty('thumbnail');
});

test('a PDF worker without time for a picture makes no document', async () => {
  const outcome = exportPdf(withPictures('busy'), signer, recording().pdfWorker, { pictureAt });
  await expect(outcome).rejects.toMatchObject({ code: 'busy' });
});

test('after the client disconnects no further picture is read', async () => {
  const { pdfWorker: own, steps } = recording();
  const hangUp = new AbortController();
  const reading = (place: string) => {
    hangUp.abort();
    return pictureAt(place);
  };
  const { signal } = hangUp;
  const outcome = exportPdf(withPictures('a', 'b'), signer, own, { signal, pictureAt: reading });
  await expect(outcome).rejects.toThrow(/abort/);
  expect(steps).toEqual(['a']);
});

test('after the client disconnects no further part is printed', async () => {
  const hangUp = new AbortController();
  let printed = 0;
  const slow: PdfWorker = {
    print: async () => {
      printed += 1;
      hangUp.abort();
      return Buffer.from('x');
    },
    thumbnail: async (file) => ({ file }),
    close: async () => {},
  };
  const entries = Array.from({ length: 5_001 }, (_, index) => sampleEntry(index));
  const { signal } = hangUp;
  await expect(exportPdf(sampleDocument({ entries }), signer, slow, { signal })).rejects.toThrow(
    /abort/,
  );
  expect(printed).toBe(1);
});

test('5,001 messages give a zip of two, each with its signature, the same bytes each time', async () => {
  const entries = Array.from({ length: 5_001 }, (_, index) =>
    sampleEntry(index, { text: `n${index}.` }),
  );
  const document = sampleDocument({ entries });
  const { file, contentType, signature } = await exportPdf(document, signer, pdfWorker);
  expect(contentType).toBe('application/zip');
  expect(await verifyPdf(file, signature, signer.publicKey)).toMatchObject({ kind: 'verified' });
  const inside = unzipSync(file);
  const names = ['conversation-1-of-2.pdf', 'conversation-2-of-2.pdf'];
  expect(Object.keys(inside)).toEqual(names.flatMap((name) => [name, `${name}.sig`]));
  for (const name of names) {
    const own = pdfSignature.parse(JSON.parse(Buffer.from(inside[`${name}.sig`]!).toString()));
    expect(await verifyPdf(inside[name]!, own, signer.publicKey)).toMatchObject({
      kind: 'verified',
    });
  }
  expect((await exportPdf(document, signer, pdfWorker)).file).toEqual(file);
}, 120_000);

test('each part has its number, and together they have every message once', async (context) => {
  const reason = whyNoReader();
  if (reason !== undefined) return context.skip(reason);
  const entries = Array.from({ length: 5_001 }, (_, index) =>
    sampleEntry(index, { text: `n${index}.` }),
  );
  const { file } = await exportPdf(sampleDocument({ entries }), signer, pdfWorker);
  const inside = unzipSync(file);
  const texts = await Promise.all([1, 2].map((n) => textOf(inside[`conversation-${n}-of-2.pdf`]!)));
  expect(texts[0]).toContain('1 to 5,000 of 5,001');
  expect(texts[1]).toContain('5,001 to 5,001 of 5,001');
  expect(texts.map((text) => /Part \d of 2/.exec(text)?.[0])).toEqual([
    'Part 1 of 2',
    'Part 2 of 2',
  ]);
  const found = texts
    .join('')
    .match(/^n\d+\.$/gm)!
    .map((line) => Number(line.slice(1, -1)));
  expect(found.toSorted((a, b) => a - b)).toEqual(entries.map((_, index) => index));
}, 120_000);
