import type { Connector } from '@drawbridge/connectors/contract.ts';
import type { SectionProposal } from '@drawbridge/mapping/discovery/sections.ts';
import type { LargeDatabase } from './discovery/large-database.ts';
import { openMariadb } from './discovery/mariadb.ts';
import { openPostgres } from './discovery/postgres.ts';
import { openSqlite } from './discovery/sqlite.ts';
import { tablesOf } from './discovery/tables.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';

type Sections = SectionProposal['sections'];

const figure = figuresOf('discovery');
/** A run on a busy machine, and not one that hangs. */
const waitMaxMs = 600_000;
const databases = [openPostgres, openMariadb, openSqlite];
const truth = { header: 'sales_invoice', lines: 'sales_invoice_line', customer: 'customer' };

/** How long databases with many tables and rows are discovered, and how much of them is read for it. */
export const discovery: Bench = {
  name: 'discovery',
  title: 'Discovery of large databases: how long it takes, and what is read for it',
  isLarge: true,
  async run({ rows }) {
    const figures: Figure[] = [];
    for (const open of databases) {
      const database = await open(tablesOf(rows));
      try {
        figures.push(...(await measure(database)));
      } finally {
        await database.stop();
      }
    }
    return figures;
  },
};

async function measure(database: LargeDatabase): Promise<readonly Figure[]> {
  const { title } = database;
  const discovered = await step(database, 'discovery', {}, discoverSections);
  const { tables, sections } = discovered.result;
  const right = Object.entries(truth).filter(([name, table]) => sections[name]?.table === table);
  const described = await step(database, 'description and preview', sections, preview);
  return [
    ...discovered.figures,
    figure(`${title}: tables discovered`, tables, 'tables'),
    figure(`${title}: header, lines and customer found`, right.length, 'of 3', {
      is: 'at-least',
      value: 3,
    }),
    ...described.figures,
    figure(`${title}: documents of the preview`, described.result, 'documents', {
      is: 'at-least',
      value: 50,
    }),
  ];
}

/** One step of connecting a source: what it comes to, how long it takes, and what it reads. */
async function step<Result>(
  { title, open, readSince }: LargeDatabase,
  name: string,
  sections: Sections,
  work: (connector: Connector, title: string) => Promise<Result>,
): Promise<{ readonly result: Result; readonly figures: readonly Figure[] }> {
  const connector = await open(sections);
  const begun = performance.now();
  const result = await work(connector, title);
  const seconds = (performance.now() - begun) / 1_000;
  await connector.close();
  const { share, of } = await readSince();
  const figures = [
    figure(`${title}: ${name}`, seconds, 's', { is: 'at-most', value: 30 }),
    figure(`${title}: ${name} reads of ${of}`, share * 100, '%', { is: 'at-most', value: 5 }),
  ];
  return { result, figures };
}

async function discoverSections(connector: Connector, title: string) {
  const found = await connector.discover!({}, AbortSignal.timeout(waitMaxMs));
  if (found.kind !== 'discovered') throw new Error(JSON.stringify(found));
  for (const note of found.notes) console.error(`${title}: ${note}`);
  const sections = (found.layouts[0]?.layout.sections ?? {}) as Sections;
  return { tables: found.places.length, sections };
}

/** How many of the newest documents are found. */
async function preview(connector: Connector): Promise<number> {
  const signal = AbortSignal.timeout(waitMaxMs);
  const described = await connector.describe(signal);
  if (described.kind === 'unreachable') throw new Error(described.fault.message);
  const tested = await connector.test(signal);
  if (tested.kind === 'failed') throw new Error(tested.fault.message);
  const read = await connector.readMany(tested.sampleRefs, signal);
  return read.filter(({ kind }) => kind === 'found').length;
}
