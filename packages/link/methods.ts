import { z } from 'zod';
import { limits } from './limits.ts';
import { refLengthMax, sourceDocument, valueLengthMax } from './source-document.ts';

/** A fault of a source; `message` helps a person and holds no secret. */
const fault = z.object({
  code: z.string().max(64),
  message: z.string().max(2_000),
  retry: z.union([
    z.enum(['never', 'later']),
    z.object({ afterSeconds: z.number().min(0).max(86_400) }),
  ]),
});
/** A fault as it is sent over the link. */
export type Fault = Readonly<z.infer<typeof fault>>;

/** The name by which a connector is asked for. */
export const connectorName = z.string().min(1).max(64);
/** What names a document in its source. */
export const ref = z.string().min(1).max(refLengthMax);
const column = z.string().max(256);
/** Of one document. */
const rowsMax = 50_000;

const unreachable = z.object({ kind: z.literal('unreachable'), fault });

const readOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), document: sourceDocument }),
  z.object({ kind: z.literal('missing') }),
  z.object({ kind: z.literal('unusable'), fault }),
  unreachable,
]);

const confirmation = z.object({
  invoiceId: z.string().max(64),
  sourceRef: ref,
  status: z.enum(['cleared', 'delivered', 'acknowledged', 'rejected', 'invalid', 'cancelled']),
  profile: z.string().max(64),
  uin: z.string().max(256).exactOptional(),
  validationUrl: z.string().max(2_048).exactOptional(),
  settledAt: z.string().max(40),
  cancellableUntil: z.string().max(40).exactOptional(),
  replaces: z.array(z.string().max(64)).max(100).exactOptional(),
});

/** What writing a confirmation came to. */
export const writeBackOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('written'), target: z.string().max(1_024) }),
  z.object({ kind: z.literal('already'), target: z.string().max(1_024) }),
  z.object({ kind: z.literal('conflict'), found: z.string().max(2_000) }),
  z.object({ kind: z.literal('unsupported') }),
  unreachable,
]);

const text = z.string().max(2_000);
const draftLine = z.object({
  line: text,
  sku: text.exactOptional(),
  name: text.exactOptional(),
  quantity: text.exactOptional(),
  unit: text.exactOptional(),
  unitPrice: text.exactOptional(),
  net: text.exactOptional(),
  taxCategory: text.exactOptional(),
  taxRate: text.exactOptional(),
});
const draft = z.object({
  documentType: z.enum(['invoice', 'credit-note']),
  number: text,
  issueDate: text,
  dueDate: text.exactOptional(),
  currency: text,
  supplierId: text,
  supplierName: text,
  buyerId: text.exactOptional(),
  buyerName: text.exactOptional(),
  purchaseOrder: text.exactOptional(),
  buyerReference: text.exactOptional(),
  correctedNumber: text.exactOptional(),
  net: text.exactOptional(),
  tax: text.exactOptional(),
  gross: text,
  due: text.exactOptional(),
  lines: z.array(draftLine).max(rowsMax),
});

/** The name of a table, file or column; with its schema in front where needed. */
const placeName = z.string().max(512);
const sentence = z.string().max(2_000);
const shownText = z.string().max(100);
/** Characters of a layout as JSON. */
const layoutLengthMax = 100_000;

const shownDocument = z.object({
  ref,
  number: shownText.exactOptional(),
  date: shownText.exactOptional(),
  customer: shownText.exactOptional(),
  currency: shownText.exactOptional(),
  total: shownText.exactOptional(),
  lines: z
    .array(
      z.object({
        name: shownText.exactOptional(),
        quantity: shownText.exactOptional(),
        price: shownText.exactOptional(),
        net: shownText.exactOptional(),
      }),
    )
    .max(10),
  lineCount: z.int().min(0).max(rowsMax),
  sections: z.record(
    z.string().max(64),
    z
      .array(
        z.object({
          origin: z.string().max(1_024),
          key: z.string().max(1_024),
          values: z.record(column, shownText.nullable()),
        }),
      )
      .max(10),
  ),
});

const discovery = z.object({
  kind: z.literal('discovered'),
  source: sentence,
  product: z.string().max(200),
  places: z
    .array(
      z.object({
        name: placeName,
        rows: z.number().min(0).optional(),
        columns: z.int().min(0).max(100_000),
        key: z.array(placeName).max(100),
        dates: z.array(z.object({ column: placeName, latest: z.iso.date() })).max(5),
      }),
    )
    .max(400),
  layouts: z
    .array(
      z.object({
        title: sentence,
        documents: z.enum(['invoices', 'credit notes']),
        layout: z
          .record(z.string().max(64), z.unknown())
          .refine((layout) => JSON.stringify(layout).length <= layoutLengthMax),
        reasons: z.record(z.string().max(64), sentence),
        confidence: z.number().min(0).max(1),
        notes: z.array(sentence).max(100),
        taxCodes: z.record(z.string().max(64), z.string().max(64)).optional(),
      }),
    )
    .max(20),
  alternatives: z.array(placeName).max(20),
  creditNotes: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('value'), column: placeName, value: z.string().max(500) }),
    z.object({ kind: z.literal('table'), table: placeName }),
    z.object({ kind: z.literal('negative'), column: placeName }),
    z.object({ kind: z.literal('none') }),
  ]),
  company: z
    .array(
      z.object({
        field: z.string().max(64),
        value: z.string().min(1).max(300),
        from: sentence,
      }),
    )
    .max(100)
    .default([]),
  documents: z.array(shownDocument).max(3),
  notes: z.array(sentence).max(100),
});

/** The methods of an agent: parameters and result of each. */
export const methods = {
  'connectors.list': {
    params: z.object({}),
    result: z
      .array(z.object({ name: connectorName, kind: z.string(), title: z.string() }))
      .max(500),
  },
  'connector.test': {
    params: z.object({ connector: connectorName }),
    result: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('ok'),
        detail: z.string().max(2_000),
        sampleRefs: z.array(ref).max(100),
        writeBack: fault.exactOptional(),
      }),
      z.object({ kind: z.literal('failed'), fault }),
    ]),
  },
  'connector.describe': {
    params: z.object({ connector: connectorName }),
    result: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('described'),
        columns: z
          .array(
            z.object({
              section: z.string().max(64),
              origin: z.string().max(1_024),
              column,
              type: z.string().max(128),
              samples: z.array(z.string().max(200)).max(3),
            }),
          )
          .max(5_000),
        joins: z
          .record(
            z.string().max(64),
            z.object({ parent: z.string().max(64), column, parent_column: column }),
          )
          .optional(),
      }),
      unreachable,
    ]),
  },
  /** From version 7 on. */
  'connector.discover': {
    params: z.object({
      connector: connectorName,
      wish: z.object({ header: placeName.optional() }),
    }),
    result: z.discriminatedUnion('kind', [
      discovery,
      z.object({ kind: z.literal('unsupported') }),
      unreachable,
    ]),
  },
  'connector.read': {
    params: z.object({ connector: connectorName, ref }),
    result: readOutcome,
  },
  'connector.readMany': {
    params: z.object({ connector: connectorName, refs: z.array(ref).max(limits.refsMax) }),
    result: z.array(readOutcome).max(limits.refsMax),
  },
  'connector.list': {
    params: z.object({ connector: connectorName, cursor: z.string().max(4_096).exactOptional() }),
    result: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('page'),
        refs: z.array(ref).max(limits.pageRefsMax),
        versions: z.array(z.string().max(1_024)).max(limits.pageRefsMax).exactOptional(),
        cursor: z.string().max(4_096),
        more: z.boolean(),
      }),
      unreachable,
    ]),
  },
  /** A call, as it is once in effect however often it is made. From version 6 on. */
  'connector.reject': {
    params: z.object({
      connector: connectorName,
      command: z.object({ ref, reason: z.string().max(300) }),
    }),
    result: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('rejected') }),
      z.object({ kind: z.literal('already') }),
      z.object({ kind: z.literal('refused'), reason: z.string().max(1_000) }),
      z.object({ kind: z.literal('unsupported') }),
      unreachable,
    ]),
  },
  /** Never sent as a `call`: it is sent as a durable command, and its result as an event. */
  'connector.writeBack': {
    params: z.object({
      connector: connectorName,
      command: z.object({
        idempotencyKey: z.string().min(1).max(256),
        environment: z.enum(['live', 'sandbox']),
        confirmation,
      }),
    }),
    result: writeBackOutcome,
  },
  /** As a write-back, a durable command. From version 3 on. */
  'connector.import': {
    params: z.object({
      connector: connectorName,
      command: z.object({
        idempotencyKey: z.string().min(1).max(256),
        environment: z.enum(['live', 'sandbox']),
        action: z.enum(['import', 'undo']),
        document: z.object({
          id: z.string().max(64),
          profile: z.string().max(64).exactOptional(),
          source: z.string().max(256),
          networkId: z.string().max(512),
          receivedAt: z.string().max(40),
          draft,
          xml: z.string().max(valueLengthMax).exactOptional(),
        }),
      }),
    }),
    result: writeBackOutcome,
  },
} as const;

/** Methods that are never sent as a `call`: durable commands, whose result comes as an event. */
export type CommandMethod = 'connector.writeBack' | 'connector.import';

/** Whether a method is a durable command. */
export function isCommandMethod(method: Method): method is CommandMethod {
  return method === 'connector.writeBack' || method === 'connector.import';
}

/** The body of a `command` frame: the parameters of a command method, which they tell. */
export const commandBody = z.union([
  methods['connector.import'].params,
  methods['connector.writeBack'].params,
]);

/** The name of a method. */
export type Method = keyof typeof methods;
/** The parameters of a method. */
export type Params<M extends Method> = DeepReadonly<z.infer<(typeof methods)[M]['params']>>;
/** The result of a method. */
export type Result<M extends Method> = DeepReadonly<z.infer<(typeof methods)[M]['result']>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The names, as a tuple that a schema can take. */
export const methodNames = Object.keys(methods) as [Method, ...Method[]];

/** The complete answer to a call, which is sent as JSON text in parts. */
export const reply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), result: z.unknown() }),
  z.object({ kind: z.literal('fault'), fault }),
]);
/** The answer to a call: a result, or why there is none. */
export type Reply = z.infer<typeof reply>;
