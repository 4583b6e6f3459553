/** Sentences of a description, in which names stand between backticks. */
export function Prose({ text }: { text: string }) {
  return (
    <p>
      {text
        .split('`')
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
        .map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
    </p>
  );
}
