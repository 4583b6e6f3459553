import {
  annotate,
  forSubjects,
  inSpan,
} from '@drawbridge/control-plane/platform/tracing/active-spans.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { invoiceOf } from './sample-invoices.ts';
import { median } from './timing.ts';

const figure = figuresOf('traces');
/** More than an invoice takes from its request to its webhooks. */
const stepsOfInvoice = 20;
const lines = 10;
const rounds = 60;
const invoicesOfRound = 200;
const warmUpRounds = 5;

/**
 * What the calls that record traces cost where none is recorded: CPU of a validation within as many
 * steps as an invoice takes, beside the validation within as many plain calls, in turns.
 */
export const traces: Bench = {
  name: 'traces',
  title: 'Traces, switched off',
  run: async () => measure(),
};

async function measure(): Promise<readonly Figure[]> {
  const validator = new Validator();
  const profile = profileById('BIS-3.0')!;
  const invoice = invoiceOf('BIS-3.0', lines);
  const validate = async () => void validator.validate(profile, invoice);
  const plain = within(stepsOfInvoice, async (work) => work(), validate);
  const recorded = within(stepsOfInvoice, step, validate);
  const times: [plainMs: number, recordedMs: number][] = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const pair: [number, number] = [await cpuMs(plain), await cpuMs(recorded)];
    if (round >= 0) times.push(pair);
  }
  const ofInvoice = (ms: number) => (ms * 1_000) / invoicesOfRound;
  const ratio = median(times.map(([plainMs, recordedMs]) => recordedMs / plainMs));
  const extra = median(times.map(([plainMs, recordedMs]) => recordedMs - plainMs));
  const name = `validation of ${lines} lines in ${stepsOfInvoice} steps`;
  return [
    figure(`${name}, plain`, ofInvoice(median(times.map(([ms]) => ms))), 'µs'),
    figure(name, ratio, '× plain', { is: 'at-most', value: 1.02 }),
    figure('the steps of an invoice alone', ofInvoice(extra), 'µs'),
  ];
}

type Step = (work: () => Promise<void>) => Promise<void>;

/** A step of the pipeline as it is written there. */
function step(work: () => Promise<void>): Promise<void> {
  annotate((invoice) => ({ 'drawbridge.invoice.id': invoice }));
  return forSubjects(['inv_1'], String, () => inSpan({ name: 'step' }, work));
}

/** The work within that many steps, one within the other. */
function within(count: number, each: Step, work: () => Promise<void>): () => Promise<void> {
  if (count === 0) return work;
  const inner = within(count - 1, each, work);
  return () => each(inner);
}

async function cpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < invoicesOfRound; at += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
