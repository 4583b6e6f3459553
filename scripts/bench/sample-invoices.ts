import type { CimObject } from '@drawbridge/cim/json.ts';
import { invoice as bis30 } from '@drawbridge/profiles/bis-3.0/example.ts';
import { invoice as pintAe } from '@drawbridge/profiles/pint-ae/example.ts';
import { invoice as pintMy } from '@drawbridge/profiles/pint-my/example.ts';

const samples: Readonly<Record<string, CimObject>> = {
  'BIS-3.0': bis30,
  'PINT-AE': pintAe,
  'PINT-MY': pintMy,
};

/** An invoice as an ERP gives it, its lines repeated until there are `count`. */
export function invoiceOf(profile: string, count: number): CimObject {
  const sample = samples[profile]!;
  const lines = sample.lines as readonly CimObject[];
  return {
    ...sample,
    lines: Array.from({ length: count }, (_, index) => lines[index % lines.length]!),
  };
}
