import type { Content } from './message.ts';
import { valuesOf } from './template.ts';

/** The longest text that `previewOf` gives, in characters. */
export const previewMax = 4_096;

/** The content as one text for a list: what it says, or in brackets what it is. */
export function previewOf(content: Content): string {
  return whole(content).slice(0, previewMax);
}

function whole(content: Content): string {
  switch (content.kind) {
    case 'text':
    case 'suggestions':
      return content.text;
    case 'template': {
      const values = content.template.components.flatMap((each) => Object.values(valuesOf(each)));
      return `[${content.template.name}] ${values.join(' · ')}`.trimEnd();
    }
    case 'media':
      return `[${content.media.type}] ${content.media.caption ?? ''}`.trimEnd();
    case 'location': {
      const { latitude, longitude, name } = content.location;
      return `[location] ${name ?? `${latitude}, ${longitude}`}`;
    }
    case 'contacts':
      return `[contact] ${content.contacts.map(({ name }) => name).join(', ')}`;
    case 'interactive':
      return content.interactive.body;
    case 'reaction':
      return content.emoji === '' ? '[reaction removed]' : content.emoji;
    case 'card':
      return `[card] ${content.card.title ?? content.card.description ?? ''}`.trimEnd();
    case 'carousel':
      return `[cards] ${content.cards.map(({ title }) => title ?? '').join(' · ')}`.trimEnd();
  }
}
