/** How a text is sent as SMS: alphabet, units used, and how many messages are billed. */
export interface Segmentation {
  readonly alphabet: 'gsm7' | 'ucs2';
  /** Septets (GSM-7) or 16-bit units (UCS-2) of the whole text. */
  readonly units: number;
  readonly segments: number;
  /** Characters that force UCS-2, each once, at most ten: usually a typographic quote. */
  readonly offenders: readonly string[];
}

/** 3GPP TS 23.038 §6.2.1: the basic alphabet, one septet each. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** 3GPP TS 23.038 §6.2.1.1: the extension table, two septets each (escape and character). */
const extension = new Set('\f^{}\\[~]|€');

/** Units in a single message, and in a part of a longer one (six octets go to its header). */
const unitsMax = {
  gsm7: { alone: 160, part: 153 },
  ucs2: { alone: 70, part: 67 },
} as const;

const offendersMax = 10;

/** Segments of a text; neither an escaped character nor a surrogate pair is cut in two. */
export function segmentsOf(text: string): Segmentation {
  const characters = [...text];
  const foreign = characters.filter((each) => !basic.has(each) && !extension.has(each));
  const alphabet = foreign.length === 0 ? 'gsm7' : 'ucs2';
  const widths = characters.map((each) =>
    alphabet === 'ucs2' ? each.length : extension.has(each) ? 2 : 1,
  );
  const units = widths.reduce((sum, width) => sum + width, 0);
  const segments = units <= unitsMax[alphabet].alone ? 1 : parts(widths, unitsMax[alphabet].part);
  const offenders = [...new Set(foreign)].slice(0, offendersMax);
  return { alphabet, units, segments, offenders };
}

function parts(widths: readonly number[], size: number): number {
  let count = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > size) {
      count += 1;
      used = 0;
    }
    used += width;
  }
  return count;
}
