import { build } from '@drawbridge/binding/build.ts';
import { emit } from '@drawbridge/binding/emit.ts';
import { parse } from '@drawbridge/binding/parse.ts';
import { printXsd } from '@drawbridge/binding/xsd.ts';
import type { Profile, ProfileId } from '@drawbridge/profiles/contract.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { compileRules } from '@drawbridge/rules/compile.ts';
import { runRules } from '@drawbridge/rules/run.ts';
import { releaseFor, Validator } from '@drawbridge/validation/validate.ts';
import { SchemaStage } from '@drawbridge/validation/xsd.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { invoiceOf } from './sample-invoices.ts';
import { Saxon, type SaxonSource } from './saxon.ts';
import { exponent, median, ratio, sampler, timed } from './timing.ts';

/** Lines of the invoices, and of those that show how the cost grows. */
const sizes = [10, 100, 1_000] as const;
const growingSizes = [...sizes, 10_000];
type Size = (typeof sizes)[number];

/** Time for one profile and size. */
const budgetMs = 2_000;
/** The smallest comes first and warms the code up for all. */
const warmUpMs = { 10: 3_000, 100: 200, 1000: 200 } as const;

const figure = figuresOf('validation');

/** Samples of Saxon, each beside one of our own that is as long. */
const saxonRounds = 31;
const saxonSampleMs = 100;

/** Beside parse and schema alone, on the same bytes in the same run. */
const targets = {
  cim: { is: 'at-most', value: 1.5 },
  xml: { is: 'at-most', value: 2.5 },
  exponent: { is: 'at-most', value: 1.1 },
} as const;

/**
 * Documents/s that the official stylesheets take under Saxon-HE on a machine of this kind, parse
 * included, at 10 and at 1,000 lines; and rules alone at 10. `--saxon` measures them in the same run.
 */
type SaxonSpeed = Readonly<Record<10 | 1_000 | 'rules', number>>;
const usualSaxon: Readonly<Record<ProfileId, SaxonSpeed>> = {
  'BIS-3.0': { 10: 356, 1000: 6, rules: 372 },
  'PINT-AE': { 10: 813, 1000: 7, rules: 909 },
  'PINT-MY': { 10: 985, 1000: 18, rules: 1_183 },
};

/**
 * How fast an invoice gets its verdict, beside what libxml2 alone takes to parse the same bytes and
 * hold them against the same schema: no validation with an XSD can be faster.
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
    // Last: after a document that large V8 keeps others of its like where only the full collector
    // finds them.
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

/** All sizes in turn, so that the machine's pace is the same for each. */
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
  // A document that fails early would look fast.
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
    judge: () => {
      const parsed = parse(bindings, bytes);
      if (parsed.kind === 'refused') throw new Error(parsed.fault.message);
      return validator.judge(profile, { ...parsed, xml });
    },
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
    figure(of('XML to verdict'), 1_000 / times.judge.ms, 'documents/s'),
    figure(of('parse and XSD alone'), 1_000 / times.xsd.ms, 'documents/s'),
    ...parts.map((part) => figure(of(part), times[part].ms, 'ms')),
    figure(of('CIM to verdict'), ratio(times.validate, times.xsd), unit, targets.cim),
    figure(of('XML to verdict'), ratio(times.judge, times.xsd), unit, targets.xml),
  ];
}

const unit = '× parse and XSD';

/** How many times faster than Saxon-HE. */
type SaxonRatios = Readonly<Record<10 | 1_000 | 'rules', number>>;

function besideUsual({ id }: Profile, measured: readonly Measured[]): SaxonRatios {
  const usual = usualSaxon[id];
  const [small, , large] = measured.map(({ times }) => times);
  const ratioOf = (ms: number, perSecond: number): number => 1_000 / ms / perSecond;
  return {
    10: ratioOf(small!.judge.ms, usual[10]),
    1000: ratioOf(large!.judge.ms, usual[1_000]),
    rules: ratioOf(small!.rules.ms, usual.rules),
  };
}

/** In turn, so that what else the machine does falls on both alike. */
async function besideSaxon(
  source: SaxonSource,
  { id }: Profile,
  measured: readonly Measured[],
): Promise<SaxonRatios> {
  const [small, , large] = measured;
  const saxon = await Saxon.start(source, id, [small!.xml, large!.xml]);
  const ratios = { 10: [] as number[], 1000: [] as number[], rules: [] as number[] };
  const sampled = (work: () => unknown, size: Size) => sampler(work, warmUpMs[size], saxonSampleMs);
  const own = {
    10: sampled(small!.tasks.judge, 10),
    1000: sampled(large!.tasks.judge, 1_000),
    rules: sampled(small!.tasks.rules, 10),
  };
  try {
    for (let round = 0; round < saxonRounds; round++) {
      const whole = await saxon.sample('whole', 0);
      ratios[10].push(whole / own[10]());
      ratios.rules.push((whole - (await saxon.sample('parse', 0))) / own.rules());
      ratios[1_000].push((await saxon.sample('whole', 1)) / own[1_000]());
    }
  } finally {
    saxon.stop();
  }
  return { 10: median(ratios[10]), 1000: median(ratios[1_000]), rules: median(ratios.rules) };
}

function saxonFigures({ id }: Profile, ratios: SaxonRatios): Figure[] {
  const against = (name: string, value: number, least: number): Figure =>
    figure(`${id} ${name}`, value, '× Saxon-HE', { is: 'at-least', value: least });
  return [
    against('10 lines, XML to verdict', ratios[10], 4),
    against('10 lines, rules', ratios.rules, 50),
    against('1000 lines, XML to verdict', ratios[1_000], 10),
  ];
}
