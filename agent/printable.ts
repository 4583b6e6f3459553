/**
 * Without what acts on a terminal: texts of a source, a control plane or a file may hold sequences that hide
 * what stands there, or turn the order in which it is read. Line feeds stay, and marks of Arabic and Hebrew.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (found) => {
    return found === '\n' ? found : '\ufffd';
  });
}
