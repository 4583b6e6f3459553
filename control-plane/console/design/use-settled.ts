import { useEffect, useState } from 'react';

const settleMs = 300;

/** A text as it was when nothing had changed it for a moment: what is asked for while it is typed. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), settleMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}
