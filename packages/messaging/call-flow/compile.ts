import { type RecordingConsent, withoutForbiddenRecording } from './consent.ts';
import { type Diagnostic, DiagnosticList, type Target } from './diagnostic.ts';
import { type CallFlow, defaultValues, exitsOf, isWait, savedVariables } from './flow.ts';
import { ncco } from './ncco.ts';
import { pbx } from './pbx.ts';
import { plivo } from './plivo.ts';
import {
  distinct,
  type NotificationEvent,
  type Printer,
  type TranscriptionLanguage,
  type WaitEvent,
} from './printer.ts';
import { type Entry, type Segment, segmentFrom } from './segment.ts';
import { twiml } from './twiml.ts';
import { variablesIn } from './variables.ts';

/** What a document needs in addition to the flow. */
export interface CompileContext {
  /** The address for this call's answers, without a slash at the end: `https://…/flow/{call}`. */
  readonly base: string;
  /** A short proof that the address is ours, valid for this call only. */
  sign?(node: string, event: WaitEvent | NotificationEvent): string;
  readonly recording: RecordingConsent;
  /** Values of the flow's variables; one without a value is left as written, with a diagnostic. */
  readonly values?: Readonly<Record<string, string>>;
  readonly callerId?: string;
  /** The provider turns what a node records into text, as its account is set up. */
  readonly transcription?: TranscriptionLanguage;
  /** The document is part of the request that places the call, instead of being fetched. */
  readonly isInline?: boolean;
}

/** A document for a provider, with diagnostics for everything that it cannot express. */
export interface Compiled {
  readonly document: string;
  readonly contentType: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A markup, or a PBX that plays the same segments without a document. */
export type FlowTarget = Target | 'pbx';

const printers: Readonly<Record<FlowTarget, Printer>> = { twiml, plivo, ncco, pbx };

/** The first document of the flow. */
export function compile(flow: CallFlow, target: Target, context: CompileContext): Compiled {
  const segment = segmentFrom(flow, { node: flow.start, isFirst: true }, valuesOf(flow, context));
  return compileSegment(flow, segment, target, context);
}

/** Diagnostics for everything in the flow that the target cannot do as the flow says. */
export function diagnose(
  flow: CallFlow,
  way: FlowTarget,
  context: CompileContext,
): readonly Diagnostic[] {
  const values = valuesOf(flow, context);
  const segments = entriesOf(flow).map((entry) => segmentFrom(flow, entry, values));
  return distinct(segments.flatMap((each) => printSegment(flow, each, way, context).diagnostics));
}

/** Every document of the flow, by the node at which it begins (and the leg of a dial). */
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

/** One document: a segment from `nextSegment`, printed for the provider. */
export function compileSegment(
  flow: CallFlow,
  segment: Segment,
  target: Target,
  context: CompileContext,
): Compiled {
  return printSegment(flow, segment, target, context);
}

function printSegment(
  flow: CallFlow,
  segment: Segment,
  way: FlowTarget,
  context: CompileContext,
): Compiled {
  const { print, contentType, sizeMax, inlineMax, callSecondsMax } = printers[way];
  const { base, sign, callerId, transcription, recording, isInline = false } = context;
  const diagnostics = new DiagnosticList();
  const lawful = withoutForbiddenRecording(flow, segment, recording);
  if (lawful.refused !== undefined) {
    diagnostics.add(
      'E_NO_CONSENT',
      lawful.refused,
      `the recording policy ${recording.policy} is not met`,
    );
  }
  const { seconds } = flow.limits;
  if (segment.isFirst)
    diagnostics.clamp(flow.start, 'limits.seconds', seconds, [1, callSecondsMax]);
  for (const { node, to } of segment.undialable) {
    diagnostics.add(
      'E_NUMBER',
      node,
      `${JSON.stringify(to)} is neither + and 7 to 15 digits nor sip:…`,
    );
  }
  for (const [node, name] of unfilledVariables(flow, segment)) {
    diagnostics.add('W_VARIABLE', node, `{{${name}}} has no value`);
  }
  const document = print({
    segment: lawful.segment,
    diagnostics,
    urlOf: (node, event) => callbackUrl(base, node, event, sign?.(node, event)),
    ...(callerId === undefined ? {} : { callerId }),
    ...(transcription === undefined ? {} : { transcription }),
  });
  const bytes = Buffer.byteLength(document);
  const node = firstNodeOf(segment);
  if (bytes > sizeMax) diagnostics.add('E_SIZE', node, `${bytes} bytes; at most ${sizeMax}`);
  if (isInline && inlineMax !== undefined && document.length > inlineMax) {
    diagnostics.add('E_SIZE', node, `${document.length} characters inline; at most ${inlineMax}`);
  }
  return { document, contentType, diagnostics: distinct(diagnostics.all) };
}

/** The address for a node's answer. `token` is the result of `sign`. */
function callbackUrl(
  base: string,
  node: string,
  event: WaitEvent | NotificationEvent,
  token?: string,
): string {
  const proof = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
  return `${base}/${node}/${event}${proof}`;
}

/** Nodes at which a document begins: the start, and every target of a wait or a goto. */
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

/** Variables left in the segment that no caller will fill, each with its node. */
function unfilledVariables(
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
