import { z } from 'zod';

/**
 * The shapes of MyInvois answers, as far as this adapter reads them, with both spellings where two
 * are in use.
 */

const text = z.string().nullish();

export const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
});

export const tokenRefusal = z.object({ error: z.string() });

/** 202 of a submission. The documentation writes `submissionUID`, the service `submissionUid`. */
export const submissionAnswer = z
  .object({
    submissionUid: text,
    submissionUID: text,
    acceptedDocuments: z
      .array(z.object({ uuid: z.string(), invoiceCodeNumber: z.string() }))
      .nullish(),
    rejectedDocuments: z
      .array(z.object({ invoiceCodeNumber: z.string(), error: z.unknown().optional() }))
      .nullish(),
  })
  .transform((raw) => ({
    submissionUid: raw.submissionUid ?? raw.submissionUID ?? undefined,
    accepted: raw.acceptedDocuments ?? [],
    rejected: raw.rejectedDocuments ?? [],
  }));

/** One document as submissions, details and search show it. */
const summary = z.object({
  uuid: z.string(),
  submissionUid: text,
  submissionUID: text,
  longId: text,
  internalId: text,
  dateTimeIssued: text,
  dateTimeValidated: text,
  rejectRequestDateTime: text,
  status: z.string(),
});
export type Summary = z.infer<typeof summary>;

export const submissionPage = z.object({
  documentCount: z.number().nullish(),
  documentSummary: z.array(summary).nullish(),
});

export const searchPage = z.object({
  result: z.array(summary).nullish(),
  metadata: z.object({ totalPages: z.number().nullish() }).nullish(),
});

export const details = summary.extend({
  validationResults: z
    .object({
      validationSteps: z
        .array(z.object({ name: text, status: text, error: z.unknown().optional() }))
        .nullish(),
    })
    .nullish(),
});

const workflowParameter = z.object({
  parameter: z.string(),
  value: z.coerce.number(),
  activeFrom: text,
  activeTo: text,
});

export const documentType = z.object({
  workflowParameters: z.array(workflowParameter).nullish(),
});
export type WorkflowParameter = z.infer<typeof workflowParameter>;

export const documentTypes = z.object({
  result: z.array(z.object({ id: z.number(), invoiceTypeCode: z.coerce.number() })),
});
