import { canonicalWords, noiseWords, type Role, roleWords } from './vocabulary.ts';

/**
 * The words of a column's or table's name, in one spelling: `BillToCustNo` → bill to buyer number.
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .replace(/%/g, ' percent ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (Object.hasOwn(canonicalWords, word) ? canonicalWords[word]! : word))
    .filter((word) => !noiseWords.has(word));
}

/** The owner of a section's data, by the names of the section and its table. */
export function roleOf(section: string, origin: string): Role {
  const plain = `${section} ${origin}`.toLowerCase().split(/[^a-z0-9]+/);
  for (const word of [...plain, ...wordsOf(section), ...wordsOf(origin)]) {
    if (Object.hasOwn(roleWords, word)) return roleWords[word]!;
  }
  return 'document';
}

/** How much two sets of words have in common, 0 to 1. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
