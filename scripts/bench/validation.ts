import { build } from '@drawbridge/binding/json/build.ts';
import { printXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { compileRules } from '@drawbridge/rules/engine/compile.ts';
import { runRules } from '@drawbridge/rules/engine/run.ts';
import { type Report, releaseFor, Validator } from '@drawbridge/validation/validate.ts';
import { SchemaStage } from '@drawbridge/validation/xsd.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { fastDocuments, officialInvoice } from './official-documents.ts';
import { invoiceOf } from './sample-invoices.ts';
import { Saxon, type SaxonSource } from './saxon.ts';
import { exponent, median, ratio, sampler, timed } from './timing.ts';

/** Lines of the invoices, and of those that show how the cost grows. */
const sizes = [10, 100, 1_000] as const;
const growingSizes = [...sizes, 10_000];
type Size = (typeof sizes)[number];
const officialSizes = [10, 1_000] as const;

/** Time for one profile and size. */
const budgetMs = 2_000;
/** The smallest is first and warms up the code for all. */
const warmUpMs = { 10: 3_000, 100: 200, 1000: 200 } as const;

const figure = figuresOf('validation');

/** Samples of Saxon, each with one of this product that takes as long. */
const saxonRounds = 31;
const saxonSampleMs = 100;

/** Targets relative to parsing and schema alone, on the same bytes in the same run. */
const targets = {
  cim: { is: 'at-most', value: 1.5 },
  xml: { is: 'at-most', value: 2.5 },
  exponent: { is: 'at-most', value: 1.1 },
  /** Per cent of the schema-valid official documents. */
  fast: { is: 'at-least', value: 99 },
} as const;

/**
 * Documents/s that the official stylesheets take under Saxon-HE on a machine of this kind, parse
 * included, at 10 and at 1,000 lines. `--saxon` measures them in the same run.
 */
type SaxonSpeed = Readonly<Record<10 | 1_000, number>>;
const usualSaxon: Readonly<Record<string, SaxonSpeed>> = {
  'BIS-3.0': { 10: 356, 1000: 6 },
  'PINT-AE': { 10: 813, 1000: 7 },
  'PINT-MY': { 10: 985, 1000: 18 },
};

/**
 * How fast an invoice gets its verdict, compared with libxml2 that only parses the same bytes and
 * runs the same schema; a validation with an XSD cannot be faster.
 */
export const validation: Bench = {
  name: 'validation',
  title: 'Validation: model → XML, schema, rules; and XML → verdict',
  run: async ({ saxon, authority }) => {
    const validator = new Validator();
    const beside = saxon === '' ? undefined : { jar: saxon, authority };
    const figures: Figure[] = [];
    for (const profile of profiles) {
      figures.push(...(await profileFigures(validator, profile, beside)));
    }
    for (const profile of profiles) figures.push(...officialFigures(validator, profile, authority));
    // Last, because after so large a document V8 keeps later ones where only the full garbage
    // collection finds them.
    for (const profile of profiles) figures.push(growth(validator, profile));
    return figures;
  },
};

async function profileFigures(
  validator: Validator,
  profile: Profile,
  beside?: SaxonSource,
): Promise<Figure[]> {
  const schema = new SchemaStage(`bench/${profile.id}`, printXsd(profile.bindings.invoice));
  const measured = sizes.map((size) => measure(validator, schema, profile, size));
  const ratios = await (beside === undefined
    ? besideUsual(profile, measured)
    : besideSaxon(beside, profile, measured));
  return [
    ...measured.flatMap((each) => sizeFigures(profile, each)),
    ...saxonFigures(profile, ratios),
  ];
}

/**
 * XML → verdict on the authority's example, and how many of its documents the fast check accepts.
 */
function officialFigures(validator: Validator, profile: Profile, authority: string): Figure[] {
  const documents = fastDocuments(authority, profile);
  if (documents === undefined) {
    console.error(`no official documents of ${profile.id} at ${authority}: see --authority`);
    return [];
  }
  const { valid, fast } = documents;
  const share = figure(
    `${profile.id} official documents that take the fast schema check, of ${valid}`,
    (100 * fast) / valid,
    '%',
    targets.fast,
  );
  const timings = officialSizes.map((size) => {
    const xml = officialInvoice(authority, profile.id, size)!;
    const bytes = Buffer.from(xml);
    const work = () => validateXml(validator, profile, bytes, xml);
    const { verdict } = timed({ verdict: work }, { budgetMs, warmUpMs: warmUpMs[size] });
    const name = `${profile.id} ${size} lines, official XML to verdict (${bytes.length} bytes)`;
    return figure(name, verdict.ms, 'ms');
  });
  return [share, ...timings];
}

function validateXml(validator: Validator, profile: Profile, bytes: Buffer, xml: string): Report {
  const parsed = parse(Object.values(profile.bindings), bytes);
  if (parsed.kind === 'refused') throw new Error(parsed.fault.message);
  return validator.validateDocument(profile, { ...parsed, xml });
}

/** All sizes in turn, so that the load of the machine is the same for each. */
function growth(validator: Validator, profile: Profile): Figure {
  const tasks = growingSizes.map((size): [string, () => unknown] => {
    const cim = profile.complete(invoiceOf(profile.id, size));
    return [String(size), () => validator.validate(profile, cim)];
  });
  const times = timed(Object.fromEntries(tasks), { budgetMs, warmUpMs: warmUpMs[1_000] });
  const points = growingSizes.map((size) => ({ size, ms: times[size]!.ms }));
  const name = `${profile.id} exponent of cost in lines, 10 to 10,000`;
  return figure(name, exponent(points), 'exponent', targets.exponent);
}

type Measured = ReturnType<typeof measure>;

function measure(validator: Validator, schema: SchemaStage, profile: Profile, size: Size) {
  const source = invoiceOf(profile.id, size);
  const cim = profile.complete(source);
  const binding = profile.bindings.invoice;
  const { root } = build(binding, cim);
  const xml = emit(binding, root);
  const { business_rules, errors } = validator.validate(profile, cim);
  // A document that fails early would seem fast.
  if (business_rules !== 'passed') throw new Error(`the sample fails: ${JSON.stringify(errors)}`);
  const release = releaseFor(profile, String(cim.issue_date));
  const rules = compileRules(binding.root, release.billing);
  const bindings = Object.values(profile.bindings);
  const bytes = Buffer.from(xml);
  const tasks = {
    xsd: () => schema.check(xml),
    validate: () => validator.validate(profile, cim),
    complete: () => profile.complete(source),
    build: () => build(binding, cim),
    emit: () => emit(binding, root),
    rules: () => runRules(rules, root, profile.codeLists.billing),
    parse: () => parse(bindings, bytes),
    verdict: () => validateXml(validator, profile, bytes, xml),
  };
  return {
    size,
    xml,
    tasks,
    bytes: bytes.length,
    times: timed(tasks, { budgetMs, warmUpMs: warmUpMs[size] }),
  };
}

function sizeFigures(profile: Profile, { size, bytes, times }: Measured): Figure[] {
  const of = (name: string) => `${profile.id} ${size} lines, ${name}`;
  const parts = ['complete', 'build', 'emit', 'xsd', 'rules', 'parse'] as const;
  return [
    figure(of('bytes'), bytes, 'bytes'),
    figure(of('CIM to verdict'), 1_000 / times.validate.ms, 'documents/s'),
    figure(of('XML to verdict'), 1_000 / times.verdict.ms, 'documents/s'),
    figure(of('parse and XSD alone'), 1_000 / times.xsd.ms, 'documents/s'),
    ...parts.map((part) => figure(of(part), times[part].ms, 'ms')),
    figure(of('CIM to verdict'), ratio(times.validate, times.xsd), unit, targets.cim),
    figure(of('XML to verdict'), ratio(times.verdict, times.xsd), unit, targets.xml),
  ];
}

const unit = '× parse and XSD';

/** How many times faster than Saxon-HE. */
type SaxonRatios = Readonly<Record<10 | 1_000, number>>;

function besideUsual({ id }: Profile, measured: readonly Measured[]): SaxonRatios {
  const usual = usualSaxon[id]!;
  const [small, , large] = measured.map(({ times }) => times);
  const ratioOf = (ms: number, perSecond: number): number => 1_000 / ms / perSecond;
  return {
    10: ratioOf(small!.verdict.ms, usual[10]),
    1000: ratioOf(large!.verdict.ms, usual[1_000]),
  };
}

/** In turn, so that other load of the machine affects both alike. */
async function besideSaxon(
  source: SaxonSource,
  { id }: Profile,
  measured: readonly Measured[],
): Promise<SaxonRatios> {
  const [small, , large] = measured;
  const saxon = await Saxon.start(source, id, [small!.xml, large!.xml]);
  const ratios = { 10: [] as number[], 1000: [] as number[] };
  const sampled = (work: () => unknown, size: Size) => sampler(work, warmUpMs[size], saxonSampleMs);
  const own = {
    10: sampled(small!.tasks.verdict, 10),
    1000: sampled(large!.tasks.verdict, 1_000),
  };
  try {
    for (let round = 0; round < saxonRounds; round++) {
      ratios[10].push((await saxon.sample(0)) / own[10]());
      ratios[1_000].push((await saxon.sample(1)) / own[1_000]());
    }
  } finally {
    saxon.stop();
  }
  return { 10: median(ratios[10]), 1000: median(ratios[1_000]) };
}

function saxonFigures({ id }: Profile, ratios: SaxonRatios): Figure[] {
  const against = (name: string, value: number, least: number): Figure =>
    figure(`${id} ${name}`, value, '× Saxon-HE', { is: 'at-least', value: least });
  return [
    against('10 lines, XML to verdict', ratios[10], 4),
    against('1000 lines, XML to verdict', ratios[1_000], 10),
  ];
}
