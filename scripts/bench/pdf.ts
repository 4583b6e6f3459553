import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { partsOf } from '@drawbridge/control-plane/messaging/team-inbox/pdf/parts.ts';
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
    return figures;
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
