import { z } from 'zod';

const text = z.string().max(10_000);
const instant = z.iso.datetime({ offset: true });

/** A page of a search. */
export const searchAnswer = z.object({
  result: z.array(z.object({ uuid: text, status: text.nullish() })).nullable(),
  metadata: z.object({ totalPages: z.coerce.number(), totalCount: z.coerce.number() }),
});

/** A document with its source. */
export const rawAnswer = z.object({
  uuid: text,
  submissionUid: text.nullish(),
  submissionUID: text.nullish(),
  longId: text.nullish(),
  typeName: text.nullish(),
  status: text,
  dateTimeReceived: instant.nullish(),
  dateTimeValidated: instant.nullish(),
  cancelDateTime: instant.nullish(),
  documentStatusReason: text.nullish(),
  document: z.string(),
});
export type RawAnswer = z.infer<typeof rawAnswer>;

/** What is said of a document, without its source. */
export const detailsAnswer = rawAnswer.omit({ document: true });
export type DetailsAnswer = z.infer<typeof detailsAnswer>;

/** All types of documents. */
export const typesAnswer = z.object({
  result: z.array(
    z.object({
      id: text.or(z.number()),
      invoiceTypeCode: z.coerce.number().nullish(),
      description: text.nullish(),
    }),
  ),
});

/** One type, with the periods that hold for it. */
export const typeAnswer = z.object({
  workflowParameters: z
    .array(
      z.object({
        parameter: text,
        value: z.coerce.number().min(0).max(100_000),
        activeFrom: text.nullish(),
        activeTo: text.nullish(),
      }),
    )
    .nullish(),
});
