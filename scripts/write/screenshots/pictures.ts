import type { Shown } from './shown.ts';

/** A page of the console that documents show. */
export interface Picture {
  /** Of its file in `docs/console`. */
  readonly name: string;
  /** The folder of the page, below `control-plane/console/pages`. */
  readonly page: string;
  readonly path: (shown: Shown) => string;
  /** A text that stands there once all is loaded. */
  readonly until: string;
  readonly width: number;
  readonly height: number;
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
}

const wide = { width: 1280, height: 800 } as const;

export const pictures: readonly Picture[] = [
  { name: 'overview', page: 'overview', path: () => '/', until: 'Rejected invoices', ...wide },
  {
    name: 'invoice',
    page: 'invoice',
    path: ({ invoice }) => `/invoices/${invoice}`,
    until: 'What is wrong',
    ...wide,
  },
  {
    name: 'mapping',
    page: 'connector',
    path: ({ connector }) => `/sources/${connector}?view=document`,
    until: 'Pilot ERP',
    ...wide,
  },
  {
    name: 'inbox',
    page: 'inbox',
    path: ({ conversation }) => `/inbox?id=${conversation}`,
    until: 'Live',
    ...wide,
    colorScheme: 'dark',
  },
  {
    name: 'call-flow',
    page: 'call-flow',
    path: ({ callFlow }) => `/call-flows/${callFlow}`,
    until: 'Delivery line',
    ...wide,
  },
];
