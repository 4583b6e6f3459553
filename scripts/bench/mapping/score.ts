import type { Coverage } from '@drawbridge/mapping/coverage.ts';
import type { DescribedColumn } from '@drawbridge/mapping/infer.ts';
import type { MappingField } from '@drawbridge/mapping/mapping.ts';

/** From this confidence on a proposal is taken by bulk approval. */
export const bulkConfidence = 0.8;

interface TrueSection {
  readonly table?: string;
  readonly key?: string;
  readonly match?: string;
  readonly matchFrom?: string;
  readonly where?: Readonly<Record<string, string | null>>;
  readonly repeats?: true;
}

interface TrueColumn {
  readonly column: string;
  /** The column alone is wrong: one of these transforms must be on it. */
  readonly form?: { readonly any: readonly string[]; readonly why: string };
}

interface TrueField {
  readonly columns?: readonly (string | TrueColumn)[];
  /** Computed by the profile, if all of one group are right. */
  readonly fill?: { readonly needs_any: readonly (readonly string[])[] };
  readonly constant?: string | true;
  readonly setting?: string;
  readonly note?: string;
}

/** Which column of an ERP holds which field, as a person found it. */
export interface Truth {
  readonly profiles: readonly string[];
  readonly sections: Readonly<Record<string, TrueSection>>;
  readonly origins?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly fields: Readonly<Record<string, TrueField>>;
}

/** What is proposed for a profile. */
export interface Proposal {
  readonly profile: string;
  readonly columns: readonly DescribedColumn[];
  readonly fields: readonly MappingField[];
  readonly coverage: Coverage;
  /** What the company profile is offered: target → `table.column`, or `table (name)` of settings. */
  readonly offered: ReadonlyMap<string, string>;
}

/** What a proposed field, or its absence, is worth. */
export interface Verdict {
  readonly target: string;
  /** `constant`: the ERP has no column for it, so a person or a company profile says it. */
  readonly kind: 'right' | 'wrong' | 'missing' | 'constant' | 'unscored';
  readonly required: 'always' | 'conditional' | 'extra';
  readonly confidence: number | undefined;
  readonly from: string;
  readonly why: string;
}

/** The verdicts on a proposal: of each field that the profile has, and of each that it has not. */
export function scoreFields(truth: Truth, proposal: Proposal): readonly Verdict[] {
  const scorer = new FieldScorer(truth, proposal);
  const rows = proposal.coverage.fields.filter(({ required }) => required !== 'optional');
  const asked = new Set(rows.map(({ path }) => path));
  const extras = proposal.fields.filter(({ target }) => !asked.has(target));
  return [
    ...rows.map(({ path, required }) => ({ ...scorer.verdict(path), required })),
    ...extras.map(({ target }) => ({ ...scorer.verdict(target), required: 'extra' as const })),
  ] as readonly Verdict[];
}

type Judgement = Omit<Verdict, 'required' | 'target'>;

const unproposed = { confidence: undefined, from: '' };

class FieldScorer {
  readonly #truth: Truth;
  readonly #proposal: Proposal;
  readonly #proposed: ReadonlyMap<string, MappingField>;
  readonly #filled: ReadonlySet<string>;
  readonly #origins: ReadonlyMap<string, string>;
  readonly #known = new Map<string, Judgement>();

  constructor(truth: Truth, proposal: Proposal) {
    this.#truth = truth;
    this.#proposal = proposal;
    this.#proposed = new Map(proposal.fields.map((field) => [field.target, field]));
    const filled = proposal.coverage.fields.filter(({ state }) => state === 'filled');
    this.#filled = new Set(filled.map(({ path }) => path));
    this.#origins = new Map(proposal.columns.map(({ section, origin }) => [section, origin]));
  }

  verdict(target: string): Judgement & { readonly target: string } {
    if (!this.#known.has(target)) {
      this.#known.set(target, { ...unproposed, kind: 'missing', why: 'goes in a circle' });
      this.#known.set(target, this.#judge(target));
    }
    return { target, ...this.#known.get(target)! };
  }

  #judge(target: string): Judgement {
    const { fields } = this.#truth;
    const entry = fields[`${this.#proposal.profile}:${target}`] ?? fields[target];
    const field = this.#proposed.get(target);
    if (entry === undefined) {
      return { ...unproposed, kind: 'unscored', why: 'no truth for it' };
    }
    const known = (entry.columns ?? []).map((one) =>
      typeof one === 'string' ? { column: one } : one,
    );
    return field === undefined
      ? this.#judgeAbsent(target, entry, known)
      : this.#judgeProposed(target, field, entry, known);
  }

  #judgeAbsent(target: string, entry: TrueField, known: readonly TrueColumn[]): Judgement {
    const isFilled = this.#filled.has(target);
    if (entry.fill !== undefined && (isFilled || known.length === 0)) {
      const unmet = entry.fill.needs_any.map((needs) =>
        needs.filter((need) => !this.#isGood(need)),
      );
      const least = unmet.sort((one, other) => one.length - other.length)[0] ?? [];
      const why = least.length === 0 ? 'filled' : `computed from ${least.join(', ')}`;
      if (least.length > 0) return { ...unproposed, kind: 'missing', why };
      return { ...unproposed, kind: isFilled ? 'right' : 'constant', why };
    }
    const offered = this.#proposal.offered.get(target) ?? '';
    if (known.some(({ column }) => column === offered.replace(/ \(.*\)$/, '.value'))) {
      return {
        ...unproposed,
        kind: 'right',
        from: offered,
        why: 'offered for the company profile',
      };
    }
    const why = known.map(({ column }) => column).join(' | ');
    return known.length > 0
      ? { ...unproposed, kind: 'missing', why }
      : { ...unproposed, kind: 'constant', why: entry.setting ?? entry.note ?? '' };
  }

  /**
   * Right, or not in the ERP and not asked of it: a tax rate that is a constant spoils no sum. `target=table.column`:
   * right, and by that column.
   */
  #isGood(need: string): boolean {
    const [target = '', column] = need.split('=');
    const { kind, from } = this.verdict(target);
    if (column !== undefined) return kind === 'right' && from === column;
    return kind === 'right' || kind === 'constant';
  }

  #judgeProposed(
    target: string,
    field: MappingField,
    entry: TrueField,
    known: readonly TrueColumn[],
  ): Judgement {
    const { confidence, from, value } = field;
    if (from === undefined) {
      const isRight =
        entry.constant === true || entry.constant === value || target.startsWith('seller.');
      return {
        kind: isRight ? 'right' : 'wrong',
        confidence,
        from: `"${value}"`,
        why: 'a constant',
      };
    }
    const column = this.#place(from.section, from.column);
    const hit = known.find((one) => one.column === column);
    if (hit === undefined) {
      const should = known.map((one) => one.column).join(' | ') || 'no column';
      return { kind: 'wrong', confidence, from: column, why: `should be ${should}` };
    }
    const { form } = hit;
    const isFormed =
      form === undefined || (field.transforms ?? []).some(({ kind }) => form.any.includes(kind));
    return isFormed
      ? { kind: 'right', confidence, from: column, why: '' }
      : {
          kind: 'wrong',
          confidence,
          from: column,
          why: `needs ${form.any.join(' or ')}: ${form.why}`,
        };
  }

  /** `table.column`; columns of a query by the `origins` of the truth. */
  #place(section: string, column: string): string {
    const origin = this.#origins.get(section) ?? section;
    if (!origin.startsWith('query ')) return `${origin}.${column}`;
    const known = this.#truth.origins?.[section] ?? {};
    return known[column] ?? `${known['*'] ?? origin}.${column}`;
  }
}

/** Counts of the fields that every document needs. */
export function tally(verdicts: readonly Verdict[]) {
  const always = verdicts.filter(({ required }) => required === 'always');
  const of = (kind: Verdict['kind']) => always.filter((each) => each.kind === kind).length;
  const held = of('right') + of('wrong') + of('missing');
  return {
    right: of('right'),
    wrong: of('wrong'),
    missing: of('missing'),
    constant: of('constant'),
    rightOfHeld: held === 0 ? 1 : of('right') / held,
    /** Of all fields, also those that only some documents need. */
    wrongInBulk: verdicts.filter(
      ({ kind, confidence = 0 }) => kind === 'wrong' && confidence >= bulkConfidence,
    ).length,
  };
}

/** A section as the truth has it, and as it is proposed. */
export interface SectionVerdict {
  readonly section: string;
  readonly isRight: boolean;
  readonly want: string;
  readonly got: string;
}

/** Compares proposed sections with the true ones: table, join and filter. */
export function scoreSections(
  truth: Truth,
  proposed: Readonly<Record<string, TrueSection | object>>,
): readonly SectionVerdict[] {
  return Object.entries(truth.sections)
    .filter(([, { table }]) => table !== undefined)
    .map(([section, wanted]) => {
      const want = shown(wanted);
      const got = shown(proposed[section] as TrueSection | undefined);
      return { section, isRight: want.toLowerCase() === got.toLowerCase(), want, got };
    });
}

function shown(section: TrueSection | undefined): string {
  if (section?.table === undefined) return 'nothing';
  const table = section.table.replace(/^.*\./, '').replaceAll('"', '');
  const filters = Object.entries(section.where ?? {}).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const where = filters.map(([column, value]) => ` where ${column} = ${value}`).join('');
  return `${table}.${section.match} ← ${section.matchFrom ?? 'ref'}${where}`;
}
