import { build } from '@drawbridge/binding/json/build.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { invoiceOf } from './sample-invoices.ts';

const lineCount = 10;
/** How often memory is read. */
const sampleCount = 100;
/** How many times each good document is used for one of every other kind. */
const usualShare = 10;

const figure = figuresOf('memory');

/**
 * Resident memory while documents are validated one after the other: good and bad ones of every
 * profile, from the model and from XML, so that every branch of every stage runs.
 */
export const memory: Bench = {
  name: 'memory',
  title: 'Memory over many documents: model → verdict, and XML → verdict',
  run: async ({ documents }) => figuresFrom(documents, residentOver(documents)),
};

/** Resident MiB, after each hundredth of the documents. */
function residentOver(documents: number): readonly number[] {
  const validator = new Validator();
  const tasks = profiles.flatMap((profile) => tasksOf(validator, profile));
  const step = Math.ceil(documents / sampleCount);
  const resident: number[] = [];
  for (let count = 1; count <= documents; count++) {
    tasks[count % tasks.length]!();
    if (count % step === 0) resident.push(process.memoryUsage.rss() / 2 ** 20);
  }
  return resident;
}

function tasksOf(validator: Validator, profile: Profile): (() => unknown)[] {
  const good = profile.complete(invoiceOf(profile.id, lineCount));
  const binding = profile.bindings.invoice;
  const xml = emit(binding, build(binding, good).root);
  const bindings = Object.values(profile.bindings);
  const judge = (text: string) => (): unknown => {
    const parsed = parse(bindings, Buffer.from(text));
    return (
      parsed.kind === 'parsed' && validator.validateDocument(profile, { ...parsed, xml: text })
    );
  };
  const usual = [() => validator.validate(profile, good), judge(xml)];
  return [
    ...Array.from({ length: usualShare }, () => usual).flat(),
    () => validator.validate(profile, { ...good, buyer: {}, number: 'changed' }),
    () => validator.validate(profile, { ...good, issue_date: 'soon' }),
    // One that needs the schema, one that needs the standard's, and one that is not XML.
    judge(xml.replace('<cbc:ID>', '<?p?><cbc:ID>')),
    judge(xml.replace('<cac:Item>', '<cac:Item><cbc:PackQuantity>1</cbc:PackQuantity>')),
    judge(xml.slice(0, -1)),
  ];
}

function figuresFrom(documents: number, resident: readonly number[]): Figure[] {
  const quarter = Math.floor(resident.length / 4);
  const early = Math.max(...resident.slice(quarter, 2 * quarter));
  const late = Math.max(...resident.slice(-quarter));
  return [
    figure('documents', documents, 'documents'),
    figure('highest in the second quarter', early, 'MiB resident'),
    figure('highest in the last quarter', late, 'MiB resident'),
    figure('highest at all', Math.max(...resident), 'MiB resident'),
    figure('last quarter', late / early, '× the second', { is: 'at-most', value: 1.1 }),
  ];
}
