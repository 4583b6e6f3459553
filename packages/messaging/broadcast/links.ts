/** Longer addresses are left as they are. */
export const urlLengthMax = 2_000;

const url = /https?:\/\/[^\s<>"'`]+/gi;
/** What ends a sentence and not an address. */
const trailing = /[.,;:!?]+$/;

/** A text with every web address in it replaced by what `shorten` gives for it. */
export function rewriteLinks(text: string, shorten: (url: string) => string): string {
  return text.replace(url, (found) => {
    const whole = withoutTail(found);
    if (!isTrackable(whole)) return found;
    return shorten(whole) + found.slice(whole.length);
  });
}

/** Whether a text is an address that people can be sent on to. */
export function isTrackable(text: string): boolean {
  return text.length <= urlLengthMax && /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Without the punctuation of the sentence, and the bracket that the address stands in. */
function withoutTail(found: string): string {
  const bare = found.replace(trailing, '');
  const last = bare.at(-1) ?? '';
  const opening = { ')': '(', ']': '[', '}': '{' }[last];
  const isUnopened = opening !== undefined && !bare.includes(opening);
  return isUnopened ? withoutTail(bare.slice(0, -1)) : bare;
}
