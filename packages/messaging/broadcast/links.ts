/** Longer addresses are left as they are. */
const urlLengthMax = 2_000;

/** Letters of scripts that write words without blanks between them go on with the sentence: 谢谢, から, ครับ, 에서. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** Of signs an address has those of ASCII alone, but for quotes and angle brackets; of letters all others. */
const url = new RegExp(
  `https?://(?:[!#-&(-;=?-_a-~]|(?![${unspaced}])(?![\\0-\\x7F])[\\p{L}\\p{M}\\p{Nd}])+`,
  'giu',
);
/** Punctuation that ends the sentence and is not part of the address. */
const trailing = /[.,;:!?]+$/;

/** The text, with each web address replaced by what `shorten` returns for it. */
export function rewriteLinks(text: string, shorten: (url: string) => string): string {
  return text.replace(url, (found) => {
    const whole = withoutTail(found);
    if (!isTrackable(whole)) return found;
    return shorten(whole) + found.slice(whole.length);
  });
}

/** Whether the text is an address to which a visitor can be redirected. */
export function isTrackable(text: string): boolean {
  return text.length <= urlLengthMax && /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Removes the punctuation of the sentence, and the bracket around the address. */
function withoutTail(found: string): string {
  const bare = found.replace(trailing, '');
  const last = bare.at(-1) ?? '';
  const opening = { ')': '(', ']': '[', '}': '{' }[last];
  const isUnopened = opening !== undefined && !bare.includes(opening);
  return isUnopened ? withoutTail(bare.slice(0, -1)) : bare;
}
