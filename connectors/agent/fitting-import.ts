import type { Draft } from '@drawbridge/cim/draft.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { ImportCommand } from '../contract.ts';

/** Characters of a text of a draft: as the link carries it, and as `einv_received` holds it. */
const textLengths = [2_000, 512];
const networkIdLengthMax = 512;
/** What a frame has besides the command. */
const frameRestBytes = 4_096;

/**
 * The command as one frame carries it: without the document itself, or with shorter texts, where that is too much.
 * Undefined where the draft is too long all the same: sent, it would end the link again and again.
 */
export function fittingImport(
  connector: string,
  { document, ...command }: ImportCommand,
): ImportCommand | undefined {
  const { xml, ...rest } = document;
  const itself = xml === undefined ? [] : [{ xml }];
  for (const length of textLengths) {
    // The name of a file in a mail may be as long as this by itself.
    const networkId = rest.networkId.slice(0, networkIdLengthMax);
    const short = { ...rest, networkId, draft: withShortTexts(rest.draft, length) };
    for (const more of [...itself, {}]) {
      const fitting = { ...command, document: { ...short, ...more } };
      if (isWithinFrame({ connector, command: fitting })) return fitting;
    }
  }
  return undefined;
}

function isWithinFrame(params: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(params)) <= limits.frameBytesMax - frameRestBytes;
}

function withShortTexts({ lines, ...header }: Draft, length: number): Draft {
  return { ...shortened(header, length), lines: lines.map((line) => shortened(line, length)) };
}

/** The document itself has all of a text. */
function shortened<Texts extends object>(texts: Texts, length: number): Texts {
  const entries = Object.entries(texts as Readonly<Record<string, string>>);
  return Object.fromEntries(entries.map(([name, text]) => [name, text.slice(0, length)])) as Texts;
}
