import { z } from 'zod';

const text = z.string().min(1).max(2_000);

/** Settings of a taxpayer's own client at MyInvois. */
export const myinvoisSettings = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .default('https://api.myinvois.hasil.gov.my')
    .meta({ title: 'Address', advanced: true })
    .describe('Address of the API; https://preprod-api.myinvois.hasil.gov.my is its sandbox'),
  clientId: text.describe(
    "Id of the taxpayer's own client: an intermediary does not see what the taxpayer received",
  ),
  clientSecret: text.meta({ secret: true }).describe('Its secret'),
  from: z.iso
    .date()
    .optional()
    .meta({ title: 'First day' })
    .describe('The day from which received documents are read; 31 days ago when left out'),
  overlapHours: z
    .int()
    .min(1)
    .max(744)
    .default(24)
    .meta({ advanced: true })
    .describe('Searched again each time, for documents that were validated or listed late'),
  searchesPerMinute: z
    .int()
    .min(1)
    .max(60_000)
    .default(12)
    .meta({ advanced: true })
    .describe('At most so many searches a minute; the sandbox of MyInvois takes fewer'),
  readsPerMinute: z
    .int()
    .min(1)
    .max(60_000)
    .default(60)
    .meta({ advanced: true })
    .describe('At most so many documents a minute'),
  ca: z
    .string()
    .max(100_000)
    .optional()
    .meta({ title: 'Trusted certificates (PEM)', advanced: true })
    .describe('Certificates, as PEM, that are trusted for this server'),
});
export type MyInvoisSettings = z.infer<typeof myinvoisSettings>;
