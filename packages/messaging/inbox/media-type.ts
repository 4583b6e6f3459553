/** The type of a file by its bytes. Types that are not on the list are refused. */

type Signature = readonly (readonly [offset: number, bytes: string])[];

/**
 * First bytes of files as Latin-1 text. No browser and no office program runs any of these types.
 */
const signatures: readonly (readonly [type: string, mark: Signature])[] = [
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
  // Frames without a tag: MPEG 1 and 2, layer III, with and without a checksum.
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

/** All types that are accepted. */
export const mediaTypes: readonly string[] = [
  ...new Set(signatures.map(([type]) => type)),
  plainText,
];

/** How many bytes from the start `mediaTypeOf` reads. */
export const sniffedBytes = 4_096;

/** The type of a file with these first bytes; undefined when it is not an accepted one. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const seen = head.subarray(0, sniffedBytes);
  const text = new TextDecoder('latin1').decode(seen);
  const known = signatures.find(([, mark]) =>
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

/** UTF-8 without control characters that is not a page or a script. */
function isPlainText(bytes: Uint8Array, text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (bytes.length === 0 || /[\0-\x08\x0b\x0e-\x1f]/.test(text)) return false;
  if (/^\s*(<|#!)/.test(text.replace(/^\xef\xbb\xbf/, ''))) return false;
  try {
    // The last character of the sample may be cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false; // not UTF-8: there is no other way to ask
  }
}
