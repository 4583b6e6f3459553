import { permitted, type RecordingConsent } from './consent.ts';
import { type Diagnostic, Notes, type Target } from './diagnostic.ts';
import { type CallFlow, defaultValues, exitsOf, isWait, savedVariables } from './flow.ts';
import { ncco } from './ncco.ts';
import { pbx } from './pbx.ts';
import { plivo } from './plivo.ts';
import { distinct, type NoticeEvent, type Printer, type WaitEvent } from './printing.ts';
import { type Entry, type Segment, segmentFrom } from './segment.ts';
import { twiml } from './twiml.ts';
import { variablesIn } from './variables.ts';

/** What a document needs to know besides the flow. */
export interface CompileContext {
  /** Where this call's answers go, without a slash at the end: `https://…/flow/{call}`. */
  readonly base: string;
  /** A short proof that the address is ours, for this call: it is useless to who finds it later. */
  sign?(node: string, event: WaitEvent | NoticeEvent): string;
  readonly recording: RecordingConsent;
  /** Values of the flow's variables; those without one are left as written, and told. */
  readonly values?: Readonly<Record<string, string>>;
  readonly callerId?: string;
  /** The document goes into the call's own request instead of being fetched. */
  readonly isInline?: boolean;
}

/** A document for a provider, with all that it cannot say as the flow means it. */
export interface Compiled {
  readonly document: string;
  readonly contentType: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A markup, or a PBX that plays the same segments without one. */
export type Way = Target | 'pbx';

const printers: Readonly<Record<Way, Printer>> = { twiml, plivo, ncco, pbx };

/** The flow's first document. */
export function compile(flow: CallFlow, target: Target, context: CompileContext): Compiled {
  const segment = segmentFrom(flow, { node: flow.start, isFirst: true }, valuesOf(flow, context));
  return compileSegment(flow, segment, target, context);
}

/** All that cannot be done as the flow means it, of whatever it can come to. */
export function diagnose(flow: CallFlow, way: Way, context: CompileContext): readonly Diagnostic[] {
  const values = valuesOf(flow, context);
  const segments = entriesOf(flow).map((entry) => segmentFrom(flow, entry, values));
  return distinct(segments.flatMap((each) => printed(flow, each, way, context).diagnostics));
}

/** Every document the flow can come to, by the node it begins at (and the leg of a dial). */
export function compileEvery(
  flow: CallFlow,
  target: Target,
  context: CompileContext,
): {
  readonly documents: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const values = valuesOf(flow, context);
  const compiled = entriesOf(flow).map((entry) => {
    const segment = segmentFrom(flow, entry, values);
    const name = `${entry.node}${entry.leg === undefined ? '' : `.${entry.leg}`}`;
    return [name, compileSegment(flow, segment, target, context)] as const;
  });
  return {
    documents: Object.fromEntries(compiled.map(([name, { document }]) => [name, document])),
    contentType: printers[target].contentType,
    diagnostics: distinct(compiled.flatMap(([, { diagnostics }]) => diagnostics)),
  };
}

/** One document: what `nextSegment` gave, printed for the provider. */
export function compileSegment(
  flow: CallFlow,
  segment: Segment,
  target: Target,
  context: CompileContext,
): Compiled {
  return printed(flow, segment, target, context);
}

function printed(flow: CallFlow, segment: Segment, way: Way, context: CompileContext): Compiled {
  const { print, contentType, sizeMax, inlineMax, callSecondsMax } = printers[way];
  const { base, sign, callerId, recording, isInline = false } = context;
  const notes = new Notes();
  const lawful = permitted(flow, segment, recording);
  if (lawful.refused !== undefined) {
    notes.tell('E_NO_CONSENT', lawful.refused, `the policy is ${recording.policy}, and not met`);
  }
  const { seconds } = flow.limits;
  if (segment.isFirst) notes.clamp(flow.start, 'limits.seconds', seconds, [1, callSecondsMax]);
  for (const { node, to } of segment.undialable) {
    notes.tell('E_NUMBER', node, `${JSON.stringify(to)} is neither + and 7 to 15 digits nor sip:…`);
  }
  for (const [node, name] of openVariables(flow, segment)) {
    notes.tell('W_VARIABLE', node, `{{${name}}} has no value`);
  }
  const document = print({
    segment: lawful.segment,
    notes,
    urlOf: (node, event) => callbackUrl(base, node, event, sign?.(node, event)),
    ...(callerId === undefined ? {} : { callerId }),
  });
  const bytes = Buffer.byteLength(document);
  const node = firstNodeOf(segment);
  if (bytes > sizeMax) notes.tell('E_SIZE', node, `${bytes} bytes; at most ${sizeMax}`);
  if (isInline && inlineMax !== undefined && document.length > inlineMax) {
    notes.tell('E_SIZE', node, `${document.length} characters inline; at most ${inlineMax}`);
  }
  return { document, contentType, diagnostics: distinct(notes.all) };
}

/** Where a node's answer goes. `token` is what `sign` gave for it. */
export function callbackUrl(
  base: string,
  node: string,
  event: WaitEvent | NoticeEvent,
  token?: string,
): string {
  const proof = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
  return `${base}/${node}/${event}${proof}`;
}

/** Nodes at which a document begins: the start, and whatever a wait or a goto leads to. */
function entriesOf(flow: CallFlow): readonly Entry[] {
  const nodes = Object.entries(flow.nodes);
  const led = nodes.flatMap(([name, node]) => {
    const exits = isWait(node) || node.type === 'goto' ? exitsOf(node).map(({ to }) => to) : [];
    return node.type === 'gather' ? [name, ...exits] : exits;
  });
  const legs = nodes.flatMap(([name, node]) =>
    node.type === 'dial' && node.order === 'one_by_one'
      ? node.to.slice(1).map((_, index) => ({ node: name, leg: index + 1 }))
      : [],
  );
  const rest = new Set(led);
  rest.delete(flow.start);
  return [{ node: flow.start, isFirst: true }, ...[...rest].map((node) => ({ node })), ...legs];
}

function valuesOf(flow: CallFlow, context: CompileContext): Readonly<Record<string, string>> {
  return { ...defaultValues(flow), ...context.values };
}

/** Variables still to be seen in the segment that no caller will fill, each with its node. */
function openVariables(
  flow: CallFlow,
  { steps, end }: Segment,
): readonly (readonly [string, string])[] {
  const saved = savedVariables(flow);
  const parts = end.kind === 'hangup' ? steps : [...steps, end];
  return parts.flatMap((part) =>
    variablesIn(JSON.stringify(part))
      .filter((name) => !saved.includes(name))
      .map((name) => [part.node, name] as const),
  );
}

function firstNodeOf({ steps, end }: Segment): string {
  return steps[0]?.node ?? (end.kind === 'hangup' ? '' : end.node);
}
