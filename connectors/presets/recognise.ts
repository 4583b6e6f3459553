import type { FoundDatabase, FoundTable } from '@drawbridge/mapping/discovery/database.ts';
import {
  type ColumnType,
  columnsOf,
  type Preset,
  type PresetSection,
  type PresetVersion,
} from './contract.ts';

/** A database that looks like a known ERP. */
export interface RecognisedPreset {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** What stands around the names of its tables: "0_…", "CRONUS$…"; empty when nothing does. */
  readonly site: string;
  /** The share of what is documented that is there, 0 to 1. */
  readonly confidence: number;
  /** "Looks like FrontAccounting 2.4 (tables 0_…)." */
  readonly summary: string;
  /** What is not as documented, a sentence each. */
  readonly drift: readonly string[];
  /** As settings have them; empty when header or lines are not as documented. */
  readonly sections: Readonly<Record<string, PresetSection>>;
  /** The same for credit notes. */
  readonly creditNoteSections: Readonly<Record<string, PresetSection>>;
  readonly changes: Preset['changes'];
  readonly creditNoteChanges: Preset['changes'];
  readonly taxCodes: Preset['taxCodes']['codes'];
  /** What a person should know of it, by subject. */
  readonly notes: {
    readonly creditNotes: string;
    readonly cancellation: string;
    readonly taxCodes: string;
    readonly blindSpots: readonly string[];
    readonly writeBack: string;
  };
}

/** Below this the tables only have the same names. */
const confidenceMin = 0.6;

/**
 * The known ERPs that a database looks like, those of the connection's own schema first, then the likeliest: one
 * for each company that has tables of its own.
 */
export function recognisePresets(
  { tables }: Pick<FoundDatabase, 'tables'>,
  presets: readonly Preset[],
): readonly RecognisedPreset[] {
  const names = tables.map(({ name }) => name);
  return presets
    .flatMap((preset) =>
      sitesOf(preset, names).map((site) => recognised(preset, site, tablesAt(site, tables))),
    )
    .filter(({ confidence }) => confidence >= confidenceMin)
    .sort(
      (one, other) =>
        Number(isElsewhere(one)) - Number(isElsewhere(other)) || other.confidence - one.confidence,
    );
}

/** Whether the tables stand in another schema than the connection's own. */
function isElsewhere({ sections }: RecognisedPreset): boolean {
  return sections.header?.table.includes('.') === true;
}

/** The tables that presets read, of all names of a database, so that they are looked into. */
export function tablesOfPresets(
  names: readonly string[],
  presets: readonly Preset[],
): ReadonlySet<string> {
  const found = presets.flatMap((preset) => sitesOf(preset, names));
  return new Set(found.flatMap(({ names: own }) => [...own.values()]));
}

/** A company's tables. */
interface Site {
  readonly label: string;
  /** Documented table → as it is called here. */
  readonly names: ReadonlyMap<string, string>;
}

function sitesOf({ tables, fingerprint, around }: Preset, names: readonly string[]): Site[] {
  const documented = new Map(Object.keys(tables).map((table) => [table.toLowerCase(), table]));
  const [before, after] = [around?.before?.source ?? '', around?.after?.source ?? ''];
  const form = new RegExp(`^(?<before>${before})(?<table>.+?)(?<after>${after})$`, 'i');
  const sites = new Map<string, { label: string; names: Map<string, string> }>();
  for (const name of names) {
    const dot = name.indexOf('.');
    const parts = form.exec(name.slice(dot + 1))?.groups;
    const table = documented.get(parts?.table?.toLowerCase() ?? '');
    if (parts === undefined || table === undefined) continue;
    const id = JSON.stringify([name.slice(0, dot + 1), parts.before, parts.after]);
    const site = sites.get(id) ?? { label: parts.before ?? '', names: new Map() };
    site.names.set(table, name);
    sites.set(id, site);
  }
  return [...sites.values()].filter((site) => fingerprint.every((table) => site.names.has(table)));
}

/** Documented table → the table of this site. */
type Found = ReadonlyMap<string, FoundTable>;

function tablesAt({ names }: Site, tables: readonly FoundTable[]): Found {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return new Map(
    [...names].flatMap(([documented, name]) => {
      const table = byName.get(name);
      return table === undefined ? [] : [[documented, table] as const];
    }),
  );
}

function recognised(preset: Preset, { label }: Site, found: Found): RecognisedPreset {
  const version = versionOf(preset, found);
  const { drift, confidence } = compared(preset, version, found);
  const sections = withChanges(preset.sections, version.sections ?? {});
  const told = `${preset.title} ${version.version}${label === '' ? '' : ` (tables ${label}…)`}`;
  const others = drift.length > 1 ? ` (and ${drift.length - 1} more)` : '';
  const unlike = drift.length === 0 ? '' : ` Not as expected: ${drift[0]}${others}`;
  return {
    id: preset.id,
    title: preset.title,
    version: version.version,
    site: label,
    confidence,
    summary: `Looks like ${told}.${unlike}`,
    drift,
    sections: placed(sections, found),
    creditNoteSections: placed(withChanges(sections, preset.creditNotes.sections), found),
    changes: preset.changes,
    creditNoteChanges: preset.creditNotes.changes ?? preset.changes,
    taxCodes: preset.taxCodes.codes,
    notes: {
      creditNotes: preset.creditNotes.note,
      cancellation: preset.cancellation,
      taxCodes: preset.taxCodes.note,
      blindSpots: preset.blindSpots,
      writeBack: preset.writeBack,
    },
  };
}

/** The first version of which everything is there. */
function versionOf({ versions }: Preset, found: Found): PresetVersion {
  const isThere = (place: string) => {
    const [table, column] = placeOf(place);
    return columnTypeOf(found.get(table), column) !== undefined;
  };
  return versions.find(({ has }) => has.every(isThere)) ?? versions.at(-1)!;
}

/** `table.column` of documented names, of which those of tables have no dots. */
function placeOf(place: string): readonly [string, string] {
  const dot = place.indexOf('.');
  return [place.slice(0, dot), place.slice(dot + 1)];
}

function columnTypeOf(table: FoundTable | undefined, column: string): string | undefined {
  const wanted = column.toLowerCase();
  return table?.columns.find(({ name }) => name.toLowerCase() === wanted)?.type;
}

/** What a version has of the documented columns, and what is not so. */
function compared({ tables, versions }: Preset, version: PresetVersion, found: Found) {
  const newer = versions.slice(0, versions.indexOf(version)).flatMap(({ has }) => has);
  const drift: string[] = [];
  let all = 0;
  let there = 0;
  for (const [name, text] of Object.entries(tables)) {
    const table = found.get(name);
    const columns = columnsOf(text).filter((column) => !newer.includes(`${name}.${column.name}`));
    all += columns.length;
    if (table === undefined) {
      drift.push(`The table "${name}" is not there, or may not be read.`);
      continue;
    }
    for (const column of columns) {
      const type = columnTypeOf(table, column.name);
      if (type === undefined) {
        drift.push(`"${table.name}" has no column "${column.name}".`);
        continue;
      }
      there += 1;
      if (!isLike(type, column.type)) {
        drift.push(`"${table.name}.${column.name}" is ${type}, and ${column.type} as documented.`);
      }
    }
  }
  return { drift, confidence: Math.round((there / all) * 100) / 100 };
}

const families: readonly (readonly [RegExp, readonly ColumnType[]])[] = [
  [/date|time/i, ['date', 'timestamp']],
  [/int|dec|num|real|double|float|money|serial|bool|bit/i, ['integer', 'decimal', 'boolean']],
  [/char|text|clob|json|enum|uuid|uniqueidentifier|set/i, ['text']],
];

/** Whether a type in the database's words is of the documented family; unknown words are let pass. */
function isLike(type: string, documented: ColumnType): boolean {
  const family = families.find(([words]) => words.test(type));
  return family === undefined || family[1].includes(documented);
}

function withChanges(
  sections: Readonly<Record<string, PresetSection>>,
  changes: Readonly<Record<string, Partial<PresetSection>>>,
): Record<string, PresetSection> {
  return Object.fromEntries(
    Object.entries(sections).map(([name, section]) => {
      const change = changes[name];
      if (change === undefined) return [name, section];
      const where = { ...section.where, ...change.where };
      const filtered = Object.keys(where).length === 0 ? {} : { where };
      return [name, { ...section, ...change, ...filtered }];
    }),
  );
}

/** The sections with the tables of this site, without those that are not as documented. */
function placed(
  sections: Readonly<Record<string, PresetSection>>,
  found: Found,
): Readonly<Record<string, PresetSection>> {
  const made: Record<string, PresetSection> = {};
  for (const [name, section] of Object.entries(sections)) {
    const table = found.get(section.table);
    const parent = sections[section.of ?? 'header'];
    const isHeld = name === 'header' || Object.hasOwn(made, section.of ?? 'header');
    if (table === undefined || parent === undefined || !isHeld) continue;
    const own = [section.key, section.match, section.orderBy, ...Object.keys(section.where ?? {})];
    const isWhole =
      own.every((column) => column === undefined || columnTypeOf(table, column) !== undefined) &&
      (section.matchFrom === undefined ||
        columnTypeOf(found.get(parent.table), section.matchFrom) !== undefined);
    if (isWhole) made[name] = { ...section, table: table.name };
  }
  return made.header === undefined || made.lines === undefined ? {} : made;
}
