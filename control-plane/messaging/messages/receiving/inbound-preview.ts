import { previewMax, previewOf } from '@drawbridge/messaging/preview.ts';
import type { InboundContent } from '../../../channels/contract.ts';

/** What a person sent, as text for lists. */
export function inboundPreview(content: InboundContent): string {
  return whole(content).replaceAll('\0', '').slice(0, previewMax);
}

function whole(content: InboundContent): string {
  switch (content.kind) {
    case 'choice':
      return content.text;
    case 'media':
      return `[${content.type}] ${content.caption ?? content.filename ?? ''}`.trimEnd();
    case 'unsupported':
      return `[unsupported: ${content.what.slice(0, 100)}]`;
    default:
      return previewOf(content);
  }
}
