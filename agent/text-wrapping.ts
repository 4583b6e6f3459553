/** Text in lines of at most `width` characters, broken after `mark`; a longer word stays whole. */
export function wrapText(text: string, width: number, mark = ' '): string {
  const lines = text.split('\n').flatMap((line) => linesOf(line.split(mark), width, mark));
  return lines.join('\n');
}

function linesOf(words: readonly string[], width: number, mark: string): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of words) {
    const longer: string = line === undefined ? word : `${line}${mark}${word}`;
    if (line !== undefined && longer.length > width) {
      lines.push(`${line}${mark}`.trimEnd());
      line = word;
    } else line = longer;
  }
  return [...lines, line ?? ''];
}
