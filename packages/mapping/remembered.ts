/** Names that are remembered before all are forgotten: a long run meets ever new ones. */
const namesMax = 50_000;

/**
 * Answers as `make` does, and asks it once for each name.
 *
 *   const wordsOf = rememberedByName((name) => name.split('_'));
 */
export function rememberedByName<Made>(make: (name: string) => Made): (name: string) => Made {
  const known = new Map<string, Made>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined || known.has(name)) return found as Made;
    const made = make(name);
    if (known.size >= namesMax) known.clear();
    known.set(name, made);
    return made;
  };
}

/** Answers as `make` does, and asks it once for each table or row, for as long as that is there. */
export function rememberedByObject<Key extends object, Made>(
  make: (key: Key) => Made,
): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Made;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
