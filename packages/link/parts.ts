import { limits } from './limits.ts';

/** Splits a text into parts that each fit a frame; an empty text is one empty part. */
export function split(text: string): string[] {
  const parts = [];
  for (let start = 0; start === 0 || start < text.length; start += limits.partLengthMax) {
    parts.push(text.slice(start, start + limits.partLengthMax));
  }
  return parts;
}

/** What the parts so far amount to. */
export type Joined =
  | { readonly kind: 'more' }
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'refused'; readonly close: 'oversized' | 'unexpected' };

/** Makes a function that joins parts in order, up to the limit of a result. */
export function createJoiner(): (part: number, last: boolean, text: string) => Joined {
  const parts: string[] = [];
  let length = 0;
  return (part, last, text) => {
    // Empty parts would make the list grow without reaching the limit.
    const isIdle = text === '' && !last;
    if (part !== parts.length || isIdle) return { kind: 'refused', close: 'unexpected' };
    length += text.length;
    if (length > limits.resultLengthMax) return { kind: 'refused', close: 'oversized' };
    parts.push(text);
    return last ? { kind: 'whole', text: parts.join('') } : { kind: 'more' };
  };
}
