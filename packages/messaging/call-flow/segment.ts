import { readEndpoint } from './endpoint.ts';
import { type CallFlow, flowLimits, type NodeOf, nodeAt } from './flow.ts';
import { fill, fillUrl, variablesIn } from './variables.ts';

/** Something that the caller hears; afterwards the call goes on. */
export type Step =
  | {
      readonly kind: 'say';
      readonly node: string;
      readonly text: string;
      readonly language: string;
      readonly voice?: 'woman' | 'man';
      readonly loop: number;
      readonly recording?: string;
    }
  | { readonly kind: 'play'; readonly node: string; readonly url: string; readonly loop: number }
  | { readonly kind: 'pause'; readonly node: string; readonly seconds: number };

/** What may be heard within a gather. */
export type Prompt = Extract<Step, { kind: 'say' | 'play' }>;

/** The end of a segment: a wait, a jump to the next document, or the end of the call. */
export type SegmentEnd =
  | {
      readonly kind: 'gather';
      readonly node: string;
      readonly prompt: readonly Prompt[];
      readonly maxDigits: number;
      readonly finishKeys: string;
      readonly timeoutSeconds: number;
    }
  | {
      readonly kind: 'dial';
      readonly node: string;
      /** With several numbers, all ring together. Numbers as `+` and digits, or `sip:…`. */
      readonly to: readonly string[];
      /** Which of the node's numbers rings, where they ring one after another. */
      readonly leg: number;
      readonly callerId?: string;
      readonly ringSeconds: number;
      readonly limitSeconds: number;
    }
  | {
      readonly kind: 'record';
      readonly node: string;
      readonly maxSeconds: number;
      readonly silenceSeconds: number;
      readonly finishKeys: string;
      readonly beep: boolean;
    }
  | {
      readonly kind: 'conference';
      readonly node: string;
      readonly name: string;
      readonly startsOnEnter: boolean;
      readonly endsOnExit: boolean;
      readonly isMuted: boolean;
      readonly maxMembers?: number;
      readonly holdMusic?: string;
      /** Whether the flow goes on when the conference is over. */
      readonly goesOn: boolean;
    }
  | { readonly kind: 'goto'; readonly node: string }
  | { readonly kind: 'hangup' };

/** A segment's end of one kind. */
export type EndOf<Kind extends SegmentEnd['kind']> = Extract<SegmentEnd, { kind: Kind }>;

/** The content of one document: everything up to the first node that waits, variables filled in. */
export interface Segment {
  /** The first segment of its call: nothing has been played yet. */
  readonly isFirst: boolean;
  readonly steps: readonly Step[];
  readonly end: SegmentEnd;
  /** Destinations that are neither a number nor an address: skipped. */
  readonly undialable: readonly { readonly node: string; readonly to: string }[];
}

/** A segment that only ends the call. */
export const emptySegment: Segment = {
  isFirst: false,
  steps: [],
  end: { kind: 'hangup' },
  undialable: [],
};

/** Where a segment begins: a node, and for a dial one after another the number that is next. */
export interface Entry {
  readonly node: string | undefined;
  readonly leg?: number;
  readonly isFirst?: boolean;
}

/** The segment that begins at `entry`; without a node it ends the call. */
export function segmentFrom(
  flow: CallFlow,
  entry: Entry,
  values: Readonly<Record<string, string>>,
): Segment {
  const steps: Step[] = [];
  const undialable: { node: string; to: string }[] = [];
  const ended = (end: SegmentEnd) => ({
    isFirst: entry.isFirst ?? false,
    steps,
    end,
    undialable,
  });
  const passed = new Set<string>();
  let name = entry.node;
  while (name !== undefined && !passed.has(name) && steps.length <= flowLimits.run) {
    const node = nodeAt(flow, name);
    passed.add(name);
    switch (node?.type) {
      case 'say':
      case 'play':
        steps.push(...promptsOf(flow, name, [node], values));
        name = node.next;
        break;
      case 'pause':
        steps.push({ kind: 'pause', node: name, seconds: node.seconds });
        name = node.next;
        break;
      case 'dial': {
        const leg = name === entry.node ? (entry.leg ?? 0) : 0;
        const { end, refused } = dialOf(name, node, leg, values);
        undialable.push(...refused);
        if (end.to.length > 0) return ended(end);
        name = node.branches.failed ?? node.next;
        break;
      }
      case 'goto':
        return ended({ kind: 'goto', node: name });
      case 'gather':
        return ended(gatherOf(flow, name, node, values));
      case 'record':
        return ended(recordOf(name, node));
      case 'conference':
        return ended(conferenceOf(name, node, values));
      case 'hangup':
      case undefined:
        return ended({ kind: 'hangup' });
    }
  }
  return ended({ kind: 'hangup' });
}

type Values = Readonly<Record<string, string>>;
type PromptNode =
  | Omit<NodeOf<'say'>, 'next' | 'announces_recording'>
  | Omit<NodeOf<'play'>, 'next' | 'announces_recording'>;

/** The prompts with variables filled in; a text that became blank is left out. */
function promptsOf(
  flow: CallFlow,
  node: string,
  prompts: readonly PromptNode[],
  values: Values,
): readonly Prompt[] {
  return prompts.flatMap((prompt): Prompt | readonly Prompt[] => {
    const { loop } = prompt;
    if (prompt.type === 'play') {
      return { kind: 'play', node, url: fillUrl(prompt.url, values), loop };
    }
    const { language = flow.language, voice, recording } = prompt;
    const text = fill(prompt.text, values).trim();
    if (text === '') return [];
    return {
      kind: 'say',
      node,
      text,
      language,
      loop,
      ...(voice === undefined ? {} : { voice }),
      ...(recording === undefined ? {} : { recording: fillUrl(recording, values) }),
    };
  });
}

function gatherOf(flow: CallFlow, name: string, node: NodeOf<'gather'>, values: Values) {
  return {
    kind: 'gather',
    node: name,
    prompt: promptsOf(flow, name, node.prompt, values),
    maxDigits: node.max_digits,
    finishKeys: node.finish_keys,
    timeoutSeconds: node.timeout_seconds,
  } as const;
}

/** Who is dialled now, and who cannot be: a value may be anything, and the call goes on. */
function dialOf(name: string, node: NodeOf<'dial'>, leg: number, values: Values) {
  const parties = node.to.map((written) => {
    const isOpen = variablesIn(written).some((variable) => !Object.hasOwn(values, variable));
    const to = fill(written, values).trim();
    return { to, isDialable: isOpen || readEndpoint(to) !== undefined };
  });
  const isTogether = node.order === 'together';
  const found = parties.findIndex(({ isDialable }, index) => isDialable && index >= leg);
  const ringing = isTogether ? parties : parties.slice(leg, found < 0 ? undefined : found + 1);
  const { caller_id } = node;
  const end: EndOf<'dial'> = {
    kind: 'dial',
    node: name,
    to: ringing.filter(({ isDialable }) => isDialable).map(({ to }) => to),
    leg: isTogether ? 0 : found,
    ringSeconds: node.ring_seconds,
    limitSeconds: node.limit_seconds,
    ...(caller_id === undefined ? {} : { callerId: fill(caller_id, values).trim() }),
  };
  const refused = ringing.filter(({ isDialable }) => !isDialable);
  return { end, refused: refused.map(({ to }) => ({ node: name, to })) };
}

function recordOf(name: string, node: NodeOf<'record'>): EndOf<'record'> {
  return {
    kind: 'record',
    node: name,
    maxSeconds: node.max_seconds,
    silenceSeconds: node.silence_seconds,
    finishKeys: node.finish_keys,
    beep: node.beep,
  };
}

function conferenceOf(name: string, node: NodeOf<'conference'>, values: Values) {
  return {
    kind: 'conference',
    node: name,
    name: roomNamed(fill(node.name, values)),
    startsOnEnter: node.starts_on_enter,
    endsOnExit: node.ends_on_exit,
    isMuted: node.is_muted,
    goesOn: node.next !== undefined,
    ...(node.max_members === undefined ? {} : { maxMembers: node.max_members }),
    ...(node.hold_music === undefined ? {} : { holdMusic: fillUrl(node.hold_music, values) }),
  } as const;
}

/** A value may be anything; the result is a room name that every provider accepts. */
function roomNamed(name: string): string {
  return (
    name
      .replace(/[^A-Za-z0-9 ._{}-]/gu, '_')
      .trim()
      .slice(0, 64) || 'room'
  );
}
