import { strToU8, Zip, ZipPassThrough } from 'fflate';
import type { ConversationDocument, DocumentPart, Entry, Medium } from './document.ts';
import { partsOf } from './parts.ts';
import { type Press, PressError } from './press.ts';
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
  if (parts.length > partsMax) throw new PressError('too_large');
  const files: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    signal?.throwIfAborted();
    const file = await printed(press, await withPictures(part, pictureAt));
    bytes += file.length;
    if (bytes > bytesMax) throw new PressError('too_large');
    files.push(file);
  }
  const [only] = files;
  if (files.length === 1) return signed(only!, 'application/pdf', signer);
  return signed(await zipOf(files, signer), 'application/zip', signer);
}

/** Whoever ends the process from outside costs nobody a document; what crashes it does so twice. */
async function printed(press: Press, part: DocumentPart): Promise<Uint8Array> {
  try {
    return await press.print(part);
  } catch (error) {
    if (!(error instanceof PressError) || error.code !== 'crashed') throw error;
    return press.print(part);
  }
}

/** Pictures of one part alone are in memory at a time. */
async function withPictures(
  part: DocumentPart,
  pictureAt: NonNullable<PdfExportOptions['pictureAt']>,
): Promise<DocumentPart> {
  const entries: Entry[] = [];
  for (const entry of part.entries) {
    const media: Medium[] = [];
    for (const { storedAt, ...medium } of entry.media ?? []) {
      const thumbnail = storedAt === undefined ? undefined : await pictureAt(storedAt);
      media.push(thumbnail === undefined ? medium : { ...medium, thumbnail });
    }
    entries.push(entry.media === undefined ? entry : { ...entry, media });
  }
  return { ...part, entries };
}

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
