/** What a kept file is called: as whoever sent it says, as far as that harms nobody who opens it. */

export const fileNameMax = 255;

/** By which ends a system knows what to open a file with; the first one is given to those without. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'audio/wav': ['wav'],
  'audio/mpeg': ['mp3'],
  'audio/amr': ['amr'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/mp4': ['m4a'],
  'video/mp4': ['mp4', 'm4v', '3gp'],
  'application/pdf': ['pdf'],
  'text/plain; charset=utf-8': ['txt', 'csv', 'tsv', 'md', 'log', 'vcf', 'ics'],
};

/**
 * A name without a path and without what cannot be seen, whose end fits what the bytes are: text by
 * the name of `offer.hta` would be run by whoever opens it.
 */
export function fileNameOf(given: string | undefined, mediaType: string): string {
  const last = (given ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const seen = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replaceAll(/[<>:"|?*]/g, '_');
  const name = seen.trim() || 'file';
  const known = endings[mediaType] ?? ['bin'];
  const end = /\.([^.]*)$/.exec(name)?.[1] ?? '';
  if (known.includes(end.toLowerCase())) {
    return `${cut(name.slice(0, -end.length - 1), fileNameMax - end.length - 1) || 'file'}.${end}`;
  }
  return `${cut(name, fileNameMax - known[0]!.length - 1)}.${known[0]}`;
}

/** At most as many UTF-16 units, no letter cut in two. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
