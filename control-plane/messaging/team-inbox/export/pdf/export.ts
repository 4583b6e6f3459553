import { strToU8, Zip, ZipPassThrough } from 'fflate';
import type { ConversationDocument, DocumentPart, Entry, Medium } from './document.ts';
import { partsOf } from './parts.ts';
import { type PdfSignature, type Signer, signFile } from './signing/signature.ts';
import { type PdfWorker, PdfWorkerError, type PdfWorkerFault } from './worker/pdf-worker.ts';

export interface PdfExport {
  readonly file: Uint8Array;
  readonly contentType: 'application/pdf' | 'application/zip';
  /** The signature of the whole file. */
  readonly signature: PdfSignature;
}

export interface PdfExportOptions {
  /** Reads a picture from its location; undefined when it is gone. */
  readonly pictureAt?: (place: string) => Promise<Uint8Array | undefined>;
  /** Aborted when the client has disconnected. */
  readonly signal?: AbortSignal;
}

/** The most files of one export: 200,000 messages. */
const partsMax = 40;
/** The most pictures: they are decoded one after another while the client waits. */
export const picturesMax = 5_000;
/** The most bytes of all files together, because they are signed in memory. */
const bytesMax = 512 * 1024 * 1024;

/**
 * Prints a conversation: a PDF file, or a zip of several, each with its signature. The same
 * document and key give the same bytes. Fails with `PdfWorkerError`, or with the reason of the
 * signal.
 */
export async function exportPdf(
  document: ConversationDocument,
  signer: Signer,
  pdfWorker: PdfWorker,
  { pictureAt = async () => undefined, signal }: PdfExportOptions = {},
): Promise<PdfExport> {
  const parts = partsOf(document);
  const pictures = document.entries.flatMap(({ media = [] }) => media).filter(isKept);
  if (parts.length > partsMax || pictures.length > picturesMax)
    throw new PdfWorkerError('too_large');
  const files: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    signal?.throwIfAborted();
    const complete = await withPictures(part, pdfWorker, pictureAt, signal);
    const file = await tried(() => pdfWorker.print(complete));
    bytes += file.length;
    if (bytes > bytesMax) throw new PdfWorkerError('too_large');
    files.push(file);
  }
  const [only] = files;
  if (files.length === 1) return signed(only!, 'application/pdf', signer);
  return signed(await zipOf(files, signer), 'application/zip', signer);
}

function isKept({ storedAt }: Medium): boolean {
  return storedAt !== undefined;
}

/**
 * Retries once after a crash: after a process was killed from outside this succeeds; bad input
 * crashes again.
 */
async function tried<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PdfWorkerError) || error.code !== 'crashed') throw error;
    return ask();
  }
}

/** Keeps one original picture in memory at a time, and the thumbnails of one part. */
async function withPictures(
  part: DocumentPart,
  pdfWorker: PdfWorker,
  pictureAt: NonNullable<PdfExportOptions['pictureAt']>,
  signal: AbortSignal | undefined,
): Promise<DocumentPart> {
  const entries: Entry[] = [];
  for (const entry of part.entries) {
    const media: Medium[] = [];
    for (const { storedAt, ...medium } of entry.media ?? []) {
      signal?.throwIfAborted();
      const picture = storedAt === undefined ? undefined : await pictureAt(storedAt);
      media.push(picture === undefined ? medium : await withThumbnail(medium, picture, pdfWorker));
    }
    entries.push(entry.media === undefined ? entry : { ...entry, media });
  }
  return { ...part, entries };
}

/** A picture that crashes the process is left out; the document is still made. */
async function withThumbnail(
  medium: Medium,
  picture: Uint8Array,
  pdfWorker: PdfWorker,
): Promise<Medium> {
  try {
    const answer = await tried(() => pdfWorker.thumbnail(picture));
    return 'file' in answer ? { ...medium, thumbnail: answer.file } : { ...medium, ...answer };
  } catch (error) {
    const isOfPicture = error instanceof PdfWorkerError && pictureFaults.includes(error.code);
    if (!isOfPicture) throw error;
    return { ...medium, problem: 'the picture is damaged' };
  }
}

const pictureFaults: readonly PdfWorkerFault[] = ['crashed', 'timeout', 'memory'];

async function signed(
  file: Uint8Array,
  contentType: PdfExport['contentType'],
  signer: Signer,
): Promise<PdfExport> {
  return { file, contentType, signature: await signFile(file, signer) };
}

/** Zip stores local time without a zone, so this constant gives the same bytes everywhere. */
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
    // The wait for the signature lets other work run after each file.
    add(`${name}.sig`, strToU8(`${JSON.stringify(await signFile(file, signer))}\n`));
  }
  zip.end();
  return Buffer.concat(chunks);
}
