import { isStopButton, type Keyword, keywordOf } from '@drawbridge/messaging/opt-out.ts';
import type { MessageRow } from '../message-row.ts';

/** STOP, or another keyword, where what a person sent is that word: written, or tapped. */
export function keywordIn(content: MessageRow['content']): Keyword | undefined {
  if (content.kind === 'text') return keywordOf(content.text);
  if (content.kind !== 'choice') return undefined;
  return isStopButton(content.text, content.payload) ? 'stop' : undefined;
}
