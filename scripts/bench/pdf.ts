import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { exportPdf } from '@drawbridge/control-plane/messaging/team-inbox/export/pdf/export.ts';
import { partsOf } from '@drawbridge/control-plane/messaging/team-inbox/export/pdf/parts.ts';
import {
  otherPhoto,
  samplePhoto,
} from '@drawbridge/control-plane/messaging/team-inbox/export/pdf/pictures/photo.fixture.ts';
import {
  sampleDocument,
  sampleEntry,
} from '@drawbridge/control-plane/messaging/team-inbox/export/pdf/sample.fixture.ts';
import {
  openPdfWorker,
  type PdfWorker,
} from '@drawbridge/control-plane/messaging/team-inbox/export/pdf/worker/pdf-worker.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { median } from './timing.ts';

/** Messages of the conversations; the largest is the limit of one file. */
const sizes = [100, 1_000, 5_000] as const;
const rounds = 5;
const photos = 300;
const mb = 1_000_000;

const figure = figuresOf('pdf');

/**
 * Time and memory to print a conversation in seven scripts. The PDF worker does it in a separate
 * process, whose memory is measured; the thread that serves requests only sends and receives data.
 */
export const pdf: Bench = {
  name: 'pdf',
  title: 'PDF: a conversation goes on paper',
  run: async () => {
    const figures: Figure[] = [];
    for (const size of sizes) figures.push(...(await measured(size)));
    return [...figures, ...(await withPhotos())];
  },
};

async function measured(size: number): Promise<Figure[]> {
  const pdfWorker = openPdfWorker();
  try {
    await print(pdfWorker, 1); // the process starts with its first part
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      bytes = (await print(pdfWorker, size)).length;
      times.push(performance.now() - startedAt);
    }
    delay.disable();
    const of = (name: string) => `${size} messages, ${name}`;
    return [
      figure(of('printed in'), median(times), 'ms'),
      figure(of('file'), bytes / mb, 'MB'),
      figure(of('memory of the press at most'), (await peakBytes()) / mb, 'MB'),
      figure(of('serving thread held at most'), delay.max / 1_000_000, 'ms'),
    ];
  } finally {
    await pdfWorker.close();
  }
}

/** Each photo is read completely from the store and put into the file in its printed size. */
async function withPhotos(): Promise<Figure[]> {
  const photo = await samplePhoto();
  const pdfWorker = openPdfWorker();
  try {
    await print(pdfWorker, 1);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startedAt = performance.now();
    const { file } = await exportPdf(albumOf(photo), nobody, pdfWorker, {
      pictureAt: async (place) => otherPhoto(photo, Number(place)),
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    delay.disable();
    const of = (name: string) =>
      `${photos} photos of ${(photo.length / mb).toFixed(1)} MB, ${name}`;
    return [
      figure(of('printed in'), seconds, 's'),
      figure(of('file'), file.length / mb, 'MB'),
      figure(of('memory of the press at most'), (await peakBytes()) / mb, 'MB'),
      figure(of('serving thread held at most'), delay.max / 1_000_000, 'ms'),
    ];
  } finally {
    await pdfWorker.close();
  }
}

function albumOf({ length: bytes }: Buffer) {
  const entries = Array.from({ length: photos }, (_, index) =>
    sampleEntry(index, {
      media: [{ type: 'image', contentType: 'image/jpeg', bytes, storedAt: String(index) }],
    }),
  );
  return sampleDocument({ entries });
}

/** A signer without work, because a signature costs almost nothing. */
const nobody = { publicKey: new Uint8Array(32), sign: async () => new Uint8Array(64) };

function print(pdfWorker: PdfWorker, size: number): Promise<Uint8Array> {
  const pool = sampleDocument().entries;
  const entries = Array.from({ length: size }, (_, index) => ({
    ...pool[index % pool.length]!,
    at: sampleEntry(index * 7).at,
    media: [],
  }));
  return pdfWorker.print(partsOf(sampleDocument({ entries }))[0]!);
}

/** The peak memory of the PDF worker. */
async function peakBytes(): Promise<number> {
  const { pid } = process;
  const child = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
  const status = await readFile(`/proc/${child}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1_024;
}
