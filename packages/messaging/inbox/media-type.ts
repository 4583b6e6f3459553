/** What a file is, by its own bytes. What is not on the list must not get in. */

type Mark = readonly (readonly [offset: number, bytes: string])[];

/** Beginnings of files as Latin-1 text. Nothing here is run by a browser or an office. */
const marks: readonly (readonly [type: string, mark: Mark])[] = [
  ['image/png', [[0, '\x89PNG\r\n\x1a\n']]],
  ['image/jpeg', [[0, '\xff\xd8\xff']]],
  ['image/gif', [[0, 'GIF87a']]],
  ['image/gif', [[0, 'GIF89a']]],
  [
    'image/webp',
    [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  ],
  [
    'audio/wav',
    [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  ],
  ['application/pdf', [[0, '%PDF-']]],
  ['audio/mpeg', [[0, 'ID3']]],
  // Frames without a tag: MPEG 1 and 2, layer III, with a checksum and without.
  ...['\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2'].map(
    (frame) => ['audio/mpeg', [[0, frame]]] as const,
  ),
  ['audio/amr', [[0, '#!AMR\n']]],
  ['audio/ogg', [[0, 'OggS']]],
  ['audio/mp4', [[4, 'ftypM4A ']]],
  ...['isom', 'iso2', 'mp41', 'mp42', 'avc1', '3gp4', '3gp5', '3gp6'].map(
    (brand) => ['video/mp4', [[4, `ftyp${brand}`]]] as const,
  ),
];

const plainText = 'text/plain; charset=utf-8';

/** All types that are kept. */
export const mediaTypes: readonly string[] = [...new Set(marks.map(([type]) => type)), plainText];

/** As many bytes of the beginning as `mediaTypeOf` looks at. */
export const sniffedBytes = 4_096;

/** The type of a file that begins so; undefined when it is none of those allowed. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const seen = head.subarray(0, sniffedBytes);
  const text = new TextDecoder('latin1').decode(seen);
  const known = marks.find(([, mark]) =>
    mark.every(([offset, bytes]) => latin1At(seen, offset, bytes)),
  );
  if (known !== undefined) return known[0];
  return isPlainText(seen, text) ? plainText : undefined;
}

function latin1At(bytes: Uint8Array, offset: number, wanted: string): boolean {
  for (let at = 0; at < wanted.length; at += 1) {
    if (bytes[offset + at] !== wanted.charCodeAt(at)) return false;
  }
  return true;
}

/** UTF-8 without control characters that does not pass for a page or a script. */
function isPlainText(bytes: Uint8Array, text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (bytes.length === 0 || /[\0-\x08\x0b\x0e-\x1f]/.test(text)) return false;
  if (/^\s*(<|#!)/.test(text.replace(/^\xef\xbb\xbf/, ''))) return false;
  try {
    // A character may be cut in two at the end of what is seen.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false; // the only way to ask
  }
}
