import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { exportPdf } from '@drawbridge/control-plane/messaging/team-inbox/pdf/export.ts';
import { partsOf } from '@drawbridge/control-plane/messaging/team-inbox/pdf/parts.ts';
import {
  otherPhoto,
  samplePhoto,
} from '@drawbridge/control-plane/messaging/team-inbox/pdf/photo.fixture.ts';
import { openPress, type Press } from '@drawbridge/control-plane/messaging/team-inbox/pdf/press.ts';
import {
  sampleDocument,
  sampleEntry,
} from '@drawbridge/control-plane/messaging/team-inbox/pdf/sample.fixture.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { median } from './timing.ts';

/** The largest is what goes into one file at most. */
const sizes = [100, 1_000, 5_000] as const;
const rounds = 5;
const photos = 300;
const mb = 1_000_000;

const figure = figuresOf('pdf');

/**
 * What it takes to print a conversation in seven scripts. The press does it in a process of its own,
 * whose memory is measured; the thread that serves requests only hands over and takes back.
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
  const press = openPress();
  try {
    await print(press, 1); // the process starts with its first part
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      bytes = (await print(press, size)).length;
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
    await press.close();
  }
}

/** Each photo comes whole from the store, and goes into the file as large as it is printed. */
async function withPhotos(): Promise<Figure[]> {
  const photo = await samplePhoto();
  const press = openPress();
  try {
    await print(press, 1);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startedAt = performance.now();
    const { file } = await exportPdf(albumOf(photo), nobody, press, {
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
    await press.close();
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

/** A signature costs next to nothing. */
const nobody = { publicKey: new Uint8Array(32), sign: async () => new Uint8Array(64) };

function print(press: Press, size: number): Promise<Uint8Array> {
  const pool = sampleDocument().entries;
  const entries = Array.from({ length: size }, (_, index) => ({
    ...pool[index % pool.length]!,
    ...{ at: sampleEntry(index * 7).at, media: [] },
  }));
  return press.print(partsOf(sampleDocument({ entries }))[0]!);
}

/** Of our one child. */
async function peakBytes(): Promise<number> {
  const { pid } = process;
  const child = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
  const status = await readFile(`/proc/${child}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1_024;
}
