/** The name of a stored file: the sender's name for it, made safe for the person who opens it. */

export const fileNameMax = 255;

/** The extensions of each type; the first one is added to names without any of them. */
const extensions: Readonly<Record<string, readonly string[]>> = {
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
 * The name without a path and without invisible characters, with an extension that fits the bytes:
 * a text named `offer.hta` would run when somebody opens it.
 */
export function fileNameOf(given: string | undefined, mediaType: string): string {
  const last = (given ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const seen = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replaceAll(/[<>:"|?*]/g, '_');
  const name = seen.trim() || 'file';
  const known = Object.hasOwn(extensions, mediaType) ? extensions[mediaType]! : ['bin'];
  const end = /\.([^.]*)$/.exec(name)?.[1] ?? '';
  if (known.includes(end.toLowerCase())) {
    return `${cut(name.slice(0, -end.length - 1), fileNameMax - end.length - 1) || 'file'}.${end}`;
  }
  return `${cut(name, fileNameMax - known[0]!.length - 1)}.${known[0]}`;
}

/** Cuts to at most `most` UTF-16 units, never inside a letter. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
