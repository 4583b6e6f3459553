import { z } from 'zod';
import { limits } from '../contract.ts';

const text = z.string().max(limits.valueBytesMax);
const refs = z.array(z.string().max(limits.refLengthMax));

const fault = z.object({
  code: z.string().max(128),
  message: z.string().max(4_000),
  retry: z.union([
    z.literal('never'),
    z.literal('later'),
    z.object({ afterSeconds: z.number().min(0) }),
  ]),
});

const unreachable = z.object({ kind: z.literal('unreachable'), fault });

const row = z.object({
  origin: z.string().max(4_096),
  key: text,
  values: z.record(z.string(), text.nullable()),
});

const document = z
  .object({
    ref: z.string().max(limits.refLengthMax),
    sections: z.record(z.string(), z.array(row)),
  })
  .refine(({ sections }) => {
    const rowCount = Object.values(sections).reduce((count, rows) => count + rows.length, 0);
    return rowCount <= limits.rowsMax;
  });

export const readOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), document }),
  z.object({ kind: z.literal('missing') }),
  z.object({ kind: z.literal('unusable'), fault }),
  unreachable,
]);

export const readManyOutcome = z.array(readOutcome);

export const describeOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('described'),
    columns: z.array(
      z.object({
        section: z.string().max(512),
        origin: z.string().max(4_096),
        column: z.string().max(512),
        type: z.string().max(512),
        samples: z.array(z.string().max(limits.sampleLengthMax)).max(limits.samplesMax),
      }),
    ),
  }),
  unreachable,
]);

export const testOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), detail: z.string().max(4_000), sampleRefs: refs.max(100) }),
  z.object({ kind: z.literal('failed'), fault }),
]);

export const listOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    refs: refs.max(limits.pageSize),
    cursor: z.string().max(8_192),
    more: z.boolean(),
  }),
  unreachable,
]);

export const writeBackOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('written'), target: z.string().max(4_096) }),
  z.object({ kind: z.literal('already'), target: z.string().max(4_096) }),
  z.object({ kind: z.literal('conflict'), found: z.string().max(4_096) }),
  z.object({ kind: z.literal('unsupported') }),
  unreachable,
]);

/** A write-back command as it arrives at the agent. */
export const writeBackCommand = z.object({
  idempotencyKey: z.string().min(1).max(255),
  environment: z.enum(['live', 'sandbox']),
  confirmation: z.object({
    invoiceId: z.string().min(1).max(128),
    sourceRef: z.string().min(1).max(limits.refLengthMax),
    status: z.enum(['cleared', 'delivered', 'acknowledged', 'rejected']),
    profile: z.string().max(64),
    uin: z.string().max(256).exactOptional(),
    validationUrl: z.string().max(2_048).exactOptional(),
    settledAt: z.string().max(32),
    cancellableUntil: z.string().max(32).exactOptional(),
  }),
});
