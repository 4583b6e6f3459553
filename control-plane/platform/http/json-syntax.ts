/** Where a text stops being JSON; line and column count from 1. */
export interface SyntaxFault {
  readonly line: number;
  readonly column: number;
}

const plain = String.raw`[^"\\\u0000-\u001f]*`;
const escaped = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const token = new RegExp(
  String.raw`[\t\n\r ]*(?:([{}[\]:,])|("${plain}(?:${escaped}${plain})*")|(${number}|true|false|null))`,
  'y',
);
const blank = /[\t\n\r ]*/y;

/**
 * What may come next: a value, `]` or a value, a key, `}` or a key, `:`, or what follows a value.
 */
type State = 'value' | 'firstItem' | 'key' | 'firstKey' | 'colon' | 'after';

/** The first place at which `text` is not JSON. JSON.parse of V8 does not always say. */
export function syntaxFaultOf(text: string): SyntaxFault {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    blank.test(text);
    const start = blank.lastIndex;
    token.lastIndex = at;
    const match = token.exec(text);
    const next: State | undefined = match ? stateAfter(state, match, open) : undefined;
    if (next === undefined) return position(text, start);
    at = token.lastIndex;
    state = next;
  }
}

function stateAfter(
  state: State,
  [, mark, string]: RegExpExecArray,
  open: ('{' | '[')[],
): State | undefined {
  if (state === 'after') return afterValue(mark, open);
  if (state === 'colon') return mark === ':' ? 'value' : undefined;
  if (state === 'key' || state === 'firstKey') {
    if (string !== undefined) return 'colon';
    return state === 'firstKey' && mark === '}' ? close(open) : undefined;
  }
  if (mark === undefined) return 'after';
  if (mark === ']' && state === 'firstItem') return close(open);
  if (mark !== '{' && mark !== '[') return undefined;
  open.push(mark);
  return mark === '{' ? 'firstKey' : 'firstItem';
}

function afterValue(mark: string | undefined, open: ('{' | '[')[]): State | undefined {
  const inside = open.at(-1);
  if (inside === undefined) return undefined; // a second value
  if (mark === ',') return inside === '{' ? 'key' : 'value';
  if (mark === (inside === '{' ? '}' : ']')) return close(open);
  return undefined;
}

function close(open: ('{' | '[')[]): State {
  open.pop();
  return 'after';
}

function position(text: string, at: number): SyntaxFault {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
