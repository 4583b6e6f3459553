/** A tar archive in memory (POSIX ustar): what `diag` hands on is opened with anything. */

export interface ArchivedFile {
  /** At most 100 bytes of ASCII. */
  readonly name: string;
  readonly content: Buffer;
}

const blockBytes = 512;

export function tarOf(files: readonly ArchivedFile[], modified: Date): Buffer {
  const blocks = files.flatMap(({ name, content }) => {
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
    return [headerOf(name, content.length, modified), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

function headerOf(name: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    header.write(
      `${Math.floor(value)
        .toString(8)
        .padStart(length - 1, '0')}\0`,
      at,
      'latin1',
    );
  header.write(name, 0, 100, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(modified.getTime() / 1_000, 136, 12);
  header.write('        0', 148, 'latin1'); // the sum counts itself as spaces; 0 is a plain file
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
