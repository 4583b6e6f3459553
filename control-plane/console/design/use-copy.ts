import { type RefObject, useRef, useState } from 'react';

interface Copy<Field> {
  /** For the field that shows the text. */
  readonly field: RefObject<Field | null>;
  readonly isCopied: boolean;
  copy(): void;
}

/** Copies a text. Where the browser does not let pages do so, as without TLS, the text is marked for the person to copy. */
export function useCopy<Field extends HTMLInputElement | HTMLTextAreaElement>(
  text: string,
): Copy<Field> {
  const field = useRef<Field>(null);
  const [copied, setCopied] = useState<string>();
  const mark = () => {
    field.current?.focus();
    field.current?.select();
  };
  const copy = () => {
    // Without TLS there is none.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) mark();
    else clipboard.writeText(text).then(() => setCopied(text), mark);
  };
  return { field, copy, isCopied: copied === text };
}
