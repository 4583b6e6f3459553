import { previewMax, previewOf } from '@drawbridge/messaging/preview.ts';
import type { InboundContent, Order } from '../../../channels/contract.ts';

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
    case 'order':
      return orderLines(content).join('\n');
    case 'unsupported':
      return `[unsupported: ${content.what.slice(0, 100)}]`;
    default:
      return previewOf(content);
  }
}

/** What a person ordered: what they wrote, and a line for each product. */
export function orderLines({ text, items }: Order): string[] {
  const lines = items.map(({ productId, quantity, price, currency }) => {
    const each = price === undefined ? '' : ` · ${[price, currency].filter(Boolean).join(' ')}`;
    return `${quantity} × ${productId}${each}`;
  });
  return ['[order]', ...(text === undefined ? [] : [text]), ...lines];
}
