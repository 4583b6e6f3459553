import type { Draft } from '@drawbridge/cim/draft.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { ImportCommand } from '../contract.ts';

/** Characters of a text of a draft, as the link carries it. */
const textLengthMax = 2_000;
/** What a frame has besides the command. */
const frameRestBytes = 4_096;

/**
 * The command as one frame carries it: without the document itself where that is too much. Undefined where the
 * draft alone is too long: sent all the same, it would end the link again and again.
 */
export function fittingImport(
  connector: string,
  { document, ...command }: ImportCommand,
): ImportCommand | undefined {
  const { xml, ...rest } = document;
  const short = { ...rest, draft: withShortTexts(rest.draft) };
  const whole = { ...command, document: xml === undefined ? short : { ...short, xml } };
  const withoutXml = { ...command, document: short };
  return [whole, withoutXml].find((each) => isWithinFrame({ connector, command: each }));
}

function isWithinFrame(params: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(params)) <= limits.frameBytesMax - frameRestBytes;
}

function withShortTexts({ lines, ...header }: Draft): Draft {
  return { ...shortened(header), lines: lines.map(shortened) };
}

/** The document itself has all of a text. */
function shortened<Texts extends object>(texts: Texts): Texts {
  const entries = Object.entries(texts as Readonly<Record<string, string>>);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, text.slice(0, textLengthMax)]),
  ) as Texts;
}
