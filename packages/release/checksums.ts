/** The hashes of a SHA256SUMS file, by the names of the files; undefined when a line is none. */
export function parseChecksums(text: string): ReadonlyMap<string, string> | undefined {
  const hashes = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const match = /^([0-9a-f]{64}) [ *]([^/\\]+)$/.exec(line);
    if (match === null) return undefined;
    hashes.set(match[2]!, match[1]!);
  }
  return hashes;
}

/** A SHA256SUMS file, sorted by name. */
export function checksumsText(hashes: ReadonlyMap<string, string>): string {
  const names = [...hashes.keys()].sort();
  return names.map((name) => `${hashes.get(name)}  ${name}\n`).join('');
}
