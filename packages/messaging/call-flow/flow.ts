import { z } from 'zod';

/** A larger flow is refused; a person cannot follow a deeper menu either. */
export const flowLimits = {
  nodes: 200,
  /** Nodes on the shortest path from the start to any node. */
  depth: 50,
  /** Nodes that play one after another before the first that waits. */
  run: 20,
  /** Characters of the whole flow as JSON. */
  size: 65_536,
  /** Documents that one call may ask for before it is ended, unless the flow says otherwise. */
  documents: 200,
} as const;

const nodeName = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, 'lower case letters, digits, _ and -');
const variableName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'lower case letters, digits and _');
const text = z
  .string()
  .min(1)
  .max(3_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot carry them
  .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]*$/, 'no control characters');
const url = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s<>"]+$/, 'an http or https address');
const language = z.string().regex(/^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$/, 'a language such as hi-IN');
const seconds = (min: number, max: number) => z.int().min(min).max(max);
const loop = z.int().min(1).max(10).default(1);
const next = nodeName.optional();
/** Keys that end an input; none when empty. */
const finishKeys = z
  .string()
  .regex(/^[0-9*#]{0,12}$/, 'keys of a telephone')
  .refine((keys) => new Set(keys).size === keys.length, 'each key once')
  .default('#');

const speech = {
  text,
  language: language.optional(),
  voice: z.enum(['woman', 'man']).optional(),
  loop,
  /** Played where the text cannot be spoken: a language the provider does not know, a PBX. */
  recording: url.optional(),
};
const sound = { url, loop };
/** Set on a node that announces a recording; some laws ask for no more. */
const announcesRecording = z.boolean().default(false);

const say = z.strictObject({
  type: z.literal('say'),
  ...speech,
  announces_recording: announcesRecording,
  next,
});

const play = z.strictObject({
  type: z.literal('play'),
  ...sound,
  announces_recording: announcesRecording,
  next,
});

const pause = z.strictObject({ type: z.literal('pause'), seconds: seconds(1, 600), next });

const gather = z.strictObject({
  type: z.literal('gather'),
  prompt: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('say'), ...speech }),
        z.strictObject({ type: z.literal('play'), ...sound }),
      ]),
    )
    .max(5)
    .default([]),
  max_digits: z.int().min(1).max(32),
  finish_keys: finishKeys,
  timeout_seconds: seconds(1, 60).default(5),
  /** How often the question is repeated after no input, or input that leads nowhere. */
  retries: z.int().min(0).max(10).default(2),
  /** Where exactly these digits lead. */
  branches: z.record(z.string().regex(/^[0-9*#]{1,32}$/), nodeName).default({}),
  /** Where any other digits lead; without it they lead nowhere. */
  next,
  /** The next node when the retries are used up; without it the call ends. */
  otherwise: nodeName.optional(),
  /** The variable that stores the digits. */
  save_as: variableName.optional(),
});

const dial = z.strictObject({
  type: z.literal('dial'),
  /** Numbers (`+` and digits), SIP addresses (`sip:…`) or variables holding them. */
  to: z.array(z.string().min(1).max(256)).min(1).max(10),
  order: z.enum(['one_by_one', 'together']).default('one_by_one'),
  caller_id: z.string().min(1).max(64).optional(),
  ring_seconds: seconds(5, 600).default(30),
  limit_seconds: seconds(60, 14_400).default(7_200),
  /** The next node when nobody was reached for this reason; else `next`. */
  branches: z.partialRecord(z.enum(['busy', 'no_answer', 'failed']), nodeName).default({}),
  /** Without `next` this is a transfer: the call ends with the conversation. */
  next,
});

const record = z.strictObject({
  type: z.literal('record'),
  max_seconds: seconds(1, 3_600).default(300),
  silence_seconds: seconds(1, 60).default(5),
  finish_keys: finishKeys,
  beep: z.boolean().default(true),
  next,
});

const conference = z.strictObject({
  type: z.literal('conference'),
  name: z.string().regex(/^[A-Za-z0-9 ._{}-]{1,64}$/, 'letters, digits, space, dot, _ and -'),
  starts_on_enter: z.boolean().default(true),
  ends_on_exit: z.boolean().default(false),
  is_muted: z.boolean().default(false),
  max_members: z.int().min(2).max(250).optional(),
  /** A sound file for members who wait. */
  hold_music: url.optional(),
  next,
});

const hangup = z.strictObject({ type: z.literal('hangup') });
const goto = z.strictObject({ type: z.literal('goto'), next: nodeName });

/** The shape of a call flow, version 1. `readFlow` also checks it as a graph. */
export const callFlow = z.strictObject({
  version: z.literal(1),
  language: language.default('en-US'),
  /** Variables that texts and numbers may name as `{{name}}`, each with its default value. */
  variables: z
    .record(variableName, z.strictObject({ default: z.string().max(500).optional() }))
    .default({}),
  start: nodeName,
  limits: z
    .strictObject({
      /** How long the whole call may last. */
      seconds: seconds(10, 14_400).default(3_600),
      documents: z.int().min(1).max(1_000).default(flowLimits.documents),
    })
    .prefault({}),
  nodes: z.record(
    nodeName,
    z.discriminatedUnion('type', [
      say,
      play,
      pause,
      gather,
      dial,
      record,
      conference,
      hangup,
      goto,
    ]),
  ),
});

/** A checked call flow with its defaults filled in. */
export type CallFlow = z.output<typeof callFlow>;
/** A call flow as people write it. */
export type CallFlowInput = z.input<typeof callFlow>;
/** One node of any kind. */
export type FlowNode = CallFlow['nodes'][string];
/** A node of one kind. */
export type NodeOf<Type extends FlowNode['type']> = Extract<FlowNode, { type: Type }>;

/** The node of that name, or undefined; the name may be anything, since it comes from outside. */
export function nodeAt(flow: CallFlow, name: string): FlowNode | undefined {
  return Object.hasOwn(flow.nodes, name) ? flow.nodes[name] : undefined;
}

const waits: ReadonlySet<FlowNode['type']> = new Set(['gather', 'dial', 'record', 'conference']);

/** Whether the call stops at the node until an answer comes back. */
export function isWait(node: FlowNode): boolean {
  return waits.has(node.type);
}

/** Variables that the flow itself fills with the digits of a gather. */
export function savedVariables(flow: CallFlow): readonly string[] {
  return Object.values(flow.nodes).flatMap((node) =>
    node.type === 'gather' && node.save_as !== undefined ? [node.save_as] : [],
  );
}

/** The values of variables for which a call gives none. */
export function defaultValues(flow: CallFlow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(flow.variables).flatMap(([name, variable]) =>
      variable.default === undefined ? [] : [[name, variable.default] as const],
    ),
  );
}

/** Every exit of a node, with its path in the document. */
export function exitsOf(node: FlowNode): readonly { readonly path: string; readonly to: string }[] {
  const named = (path: string, to: string | undefined) => (to === undefined ? [] : [{ path, to }]);
  switch (node.type) {
    case 'say':
    case 'play':
    case 'pause':
    case 'record':
    case 'conference':
    case 'goto':
      return named('next', node.next);
    case 'gather':
      return [
        ...Object.entries(node.branches).map(([key, to]) => ({ path: `branches.${key}`, to })),
        ...named('next', node.next),
        ...named('otherwise', node.otherwise),
      ];
    case 'dial':
      return [
        ...Object.entries(node.branches).map(([key, to]) => ({ path: `branches.${key}`, to })),
        ...named('next', node.next),
      ];
    case 'hangup':
      return [];
  }
}
