import { strToU8, Zip, ZipPassThrough } from 'fflate';
import type { ConversationDocument, DocumentPart, Entry, Medium } from './document.ts';
import { partsOf } from './parts.ts';
import { type Press, PressError, type PressFault } from './press.ts';
import { type PdfSignature, type Signer, signFile } from './signature.ts';

export interface PdfExport {
  readonly file: Uint8Array;
  readonly contentType: 'application/pdf' | 'application/zip';
  /** Of the whole file. */
  readonly signature: PdfSignature;
}

export interface PdfExportOptions {
  /** Reads a picture from where it is kept; undefined when it is gone. */
  readonly pictureAt?: (place: string) => Promise<Uint8Array | undefined>;
  /** Aborted when nobody wants it any more. */
  readonly signal?: AbortSignal;
}

/** Files of one export at most: 200,000 messages. */
const partsMax = 40;
/** Each is decoded, one after the other, while somebody waits. */
export const picturesMax = 5_000;
/** Bytes of all files: they are signed, and so held, as a whole. */
const bytesMax = 512 * 1024 * 1024;

/**
 * Prints a conversation: a PDF file, or a zip of several with a signature beside each. The same
 * document and key give the same bytes. Fails with `PressError`, or as the signal says.
 */
export async function exportPdf(
  document: ConversationDocument,
  signer: Signer,
  press: Press,
  { pictureAt = async () => undefined, signal }: PdfExportOptions = {},
): Promise<PdfExport> {
  const parts = partsOf(document);
  const pictures = document.entries.flatMap(({ media = [] }) => media).filter(isKept);
  if (parts.length > partsMax || pictures.length > picturesMax) throw new PressError('too_large');
  const files: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    signal?.throwIfAborted();
    const complete = await withPictures(part, press, pictureAt, signal);
    const file = await tried(() => press.print(complete));
    bytes += file.length;
    if (bytes > bytesMax) throw new PressError('too_large');
    files.push(file);
  }
  const [only] = files;
  if (files.length === 1) return signed(only!, 'application/pdf', signer);
  return signed(await zipOf(files, signer), 'application/zip', signer);
}

function isKept({ storedAt }: Medium): boolean {
  return storedAt !== undefined;
}

/** Whoever ends the process from outside costs nobody a document; what crashes it does so twice. */
async function tried<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PressError) || error.code !== 'crashed') throw error;
    return ask();
  }
}

/** One picture as it was sent is in memory at a time, and the thumbnails of one part. */
async function withPictures(
  part: DocumentPart,
  press: Press,
  pictureAt: NonNullable<PdfExportOptions['pictureAt']>,
  signal: AbortSignal | undefined,
): Promise<DocumentPart> {
  const entries: Entry[] = [];
  for (const entry of part.entries) {
    const media: Medium[] = [];
    for (const { storedAt, ...medium } of entry.media ?? []) {
      signal?.throwIfAborted();
      const picture = storedAt === undefined ? undefined : await pictureAt(storedAt);
      media.push(picture === undefined ? medium : await withThumbnail(medium, picture, press));
    }
    entries.push(entry.media === undefined ? entry : { ...entry, media });
  }
  return { ...part, entries };
}

/** A picture that the process cannot live with costs its sender the picture, and nobody the document. */
async function withThumbnail(medium: Medium, picture: Uint8Array, press: Press): Promise<Medium> {
  try {
    const answer = await tried(() => press.thumbnail(picture));
    return 'file' in answer ? { ...medium, thumbnail: answer.file } : { ...medium, ...answer };
  } catch (error) {
    const isOfPicture = error instanceof PressError && pictureFaults.includes(error.code);
    if (!isOfPicture) throw error;
    return { ...medium, problem: 'the picture is damaged' };
  }
}

const pictureFaults: readonly PressFault[] = ['crashed', 'timeout', 'memory'];

async function signed(
  file: Uint8Array,
  contentType: PdfExport['contentType'],
  signer: Signer,
): Promise<PdfExport> {
  return { file, contentType, signature: await signFile(file, signer) };
}

/** The format knows no zone: this is read as local time, and so is the same everywhere. */
const mtime = new Date(1980, 0, 1);

async function zipOf(files: readonly Uint8Array[], signer: Signer): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const add = (name: string, bytes: Uint8Array) => {
    const entry = new ZipPassThrough(name); // a PDF is compressed already
    entry.mtime = mtime;
    zip.add(entry);
    entry.push(bytes, true);
  };
  for (const [index, file] of files.entries()) {
    const name = `conversation-${index + 1}-of-${files.length}.pdf`;
    add(name, file);
    // Signing waits, so the loop never holds the thread for longer than one file takes.
    add(`${name}.sig`, strToU8(`${JSON.stringify(await signFile(file, signer))}\n`));
  }
  zip.end();
  return Buffer.concat(chunks);
}
