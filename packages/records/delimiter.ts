/** Delimiters a CSV file may use. */
export const delimiters = [',', ';', '\t', '|'] as const;
/** One of the delimiters. */
export type Delimiter = (typeof delimiters)[number];

const recordsLooked = 20;
/** Characters of a text that are looked at. */
export const delimiterWindow = 262_144;

/**
 * Guesses the delimiter of `text`: the one that splits the first records into the same number of
 * fields, and into most. For a single column it is a comma.
 */
export function sniffDelimiter(text: string): Delimiter {
  const records = countsPerRecord(text.slice(0, delimiterWindow));
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const counts = records.map((record) => record[delimiter]);
    const header = counts[0] ?? 0;
    // The number of decimal commas differs between rows; that of delimiters does not.
    const isRegular = counts.every((count) => count === header);
    const score = header === 0 ? 0 : header + (isRegular ? delimiterWindow : 0);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/**
 * The delimiter of a text whose first lines may be titles: the one that most records have equally often,
 * and often.
 */
export function likelyDelimiter(text: string): Delimiter {
  const records = countsPerRecord(text.slice(0, delimiterWindow));
  const scoreOf = (delimiter: Delimiter) => {
    const counts = Map.groupBy(records, (record) => record[delimiter]);
    const scores = [...counts].map(([count, same]) =>
      count === 0 ? 0 : (same.length / records.length) * (10 + count),
    );
    return Math.max(0, ...scores);
  };
  return delimiters.reduce((best, each) => (scoreOf(each) > scoreOf(best) ? each : best));
}

type Counts = Record<Delimiter, number>;

function countsPerRecord(text: string): Counts[] {
  const records: Counts[] = [];
  let current = noCounts();
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n') {
      if (!isBlank) records.push(current);
      if (records.length >= recordsLooked) return records;
      current = noCounts();
      isBlank = true;
      continue;
    }
    if (character !== '\r') isBlank = false;
    if (character in current) current[character as Delimiter] += 1;
  }
  // A record that the window cuts off would look irregular. The last line of the file is complete
  // also without a line feed.
  if (!isBlank && text.length < delimiterWindow) records.push(current);
  return records;
}

function noCounts(): Counts {
  return { ',': 0, ';': 0, '\t': 0, '|': 0 };
}
