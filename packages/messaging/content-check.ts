import type {
  Card,
  Content,
  ContentFault,
  ContentLimits,
  Interactive,
  Location,
  Media,
  Suggestion,
} from './message.ts';

/** Every fault for which a channel with these limits would refuse the content, in its order. */
export function faultsOf(content: Content, limits: ContentLimits): readonly ContentFault[] {
  if (!limits.kinds.includes(content.kind)) {
    return [fault('unsupported', 'kind', `this channel carries no ${content.kind}`)];
  }
  switch (content.kind) {
    case 'text':
      return text('text', content.text, limits.textMax);
    case 'template':
      return text('template.name', content.template.name, 512);
    case 'media':
      return mediaFaults(content.media, limits);
    case 'location':
      return locationFaults('location', content.location);
    case 'contacts':
      return count('contacts', content.contacts.length, 1, limits.contactsMax);
    case 'interactive':
      return interactiveFaults(content.interactive, limits);
    case 'reaction':
      return text('to', content.to, 512);
    case 'card':
      return [
        ...cardFaults('card', content.card, limits),
        ...suggestionFaults('suggestions', content.suggestions, limits.suggestionsMax, limits),
      ];
    case 'carousel':
      return [
        ...count('cards', content.cards.length, limits.cardsMin, limits.cardsMax),
        ...content.cards.flatMap((card, at) => cardFaults(`cards.${at}`, card, limits)),
        ...suggestionFaults('suggestions', content.suggestions, limits.suggestionsMax, limits),
      ];
    case 'suggestions':
      return [
        ...text('text', content.text, limits.textMax),
        ...count('suggestions', content.suggestions.length, 1, limits.suggestionsMax),
        ...suggestionFaults('suggestions', content.suggestions, limits.suggestionsMax, limits),
      ];
  }
}

function mediaFaults(media: Media, limits: ContentLimits): readonly ContentFault[] {
  if (!limits.mediaTypes.includes(media.type)) {
    return [fault('unsupported', 'media.type', `this channel carries no ${media.type}`)];
  }
  return [
    ...('url' in media.source ? url('media.source.url', media.source.url) : []),
    ...atMost('media.caption', media.caption, limits.captionMax),
  ];
}

function interactiveFaults(
  { header, body, footer, choice }: Interactive,
  limits: ContentLimits,
): readonly ContentFault[] {
  const around = [
    ...atMost('interactive.header', header, limits.interactiveHeaderMax),
    ...text('interactive.body', body, limits.interactiveBodyMax),
    ...atMost('interactive.footer', footer, limits.interactiveHeaderMax),
  ];
  const path = 'interactive.choice';
  if (choice.kind === 'link') {
    return [
      ...around,
      ...text(`${path}.text`, choice.text, limits.buttonTextMax),
      ...url(`${path}.url`, choice.url),
    ];
  }
  if (choice.kind === 'buttons') {
    const faults = choice.buttons.flatMap(({ id, title }, at) => [
      ...text(`${path}.buttons.${at}.id`, id, limits.payloadMax),
      ...text(`${path}.buttons.${at}.title`, title, limits.buttonTextMax),
    ]);
    const many = count(`${path}.buttons`, choice.buttons.length, 1, limits.buttonsMax);
    return [...around, ...many, ...faults, ...unique(`${path}.buttons`, choice.buttons)];
  }
  const rows = choice.sections.flatMap((section) => section.rows);
  return [
    ...around,
    ...text(`${path}.button`, choice.button, limits.buttonTextMax),
    ...count(`${path}.sections`, rows.length, 1, limits.listRowsMax),
    ...rows.flatMap((row, at) => [
      ...text(`${path}.rows.${at}.id`, row.id, limits.payloadMax),
      ...text(`${path}.rows.${at}.title`, row.title, limits.rowTitleMax),
      ...atMost(`${path}.rows.${at}.description`, row.description, limits.rowDescriptionMax),
    ]),
    ...unique(`${path}.rows`, rows),
  ];
}

function cardFaults(path: string, card: Card, limits: ContentLimits): readonly ContentFault[] {
  const isEmpty = [card.title, card.description, card.mediaUrl].every((part) => !part);
  return [
    ...(isEmpty ? [fault('required', path, 'a card has a title, a description or media')] : []),
    ...atMost(`${path}.title`, card.title, limits.cardTitleMax),
    ...atMost(`${path}.description`, card.description, limits.cardDescriptionMax),
    ...(card.mediaUrl === undefined ? [] : url(`${path}.mediaUrl`, card.mediaUrl)),
    ...suggestionFaults(`${path}.suggestions`, card.suggestions, limits.cardSuggestionsMax, limits),
  ];
}

function suggestionFaults(
  path: string,
  suggestions: readonly Suggestion[] = [],
  max: number,
  limits: ContentLimits,
): readonly ContentFault[] {
  return [
    ...count(path, suggestions.length, 0, max),
    ...suggestions.flatMap((suggestion, at) => {
      const here = `${path}.${at}`;
      if (!limits.suggestionKinds.includes(suggestion.kind)) {
        return [fault('unsupported', here, `this channel has no ${suggestion.kind} suggestion`)];
      }
      return [
        ...text(`${here}.text`, suggestion.text, limits.suggestionTextMax),
        ...(suggestion.kind === 'reply'
          ? text(`${here}.payload`, suggestion.payload, limits.payloadMax)
          : []),
        ...(suggestion.kind === 'url' ? url(`${here}.url`, suggestion.url) : []),
        ...(suggestion.kind === 'view-location' ? locationFaults(here, suggestion) : []),
      ];
    }),
  ];
}

function locationFaults(path: string, { latitude, longitude }: Location): readonly ContentFault[] {
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? [] : [fault('invalid', path, 'not a latitude and longitude in degrees')];
}

function text(field: string, value: string, max: number): readonly ContentFault[] {
  if (value.trim() === '') return [fault('required', field, 'it is empty')];
  return atMost(field, value, max);
}

function atMost(field: string, value: string | undefined, max: number): readonly ContentFault[] {
  if (value === undefined || lengthOf(value) <= max) return [];
  return [fault('too_long', field, `at most ${max} characters`)];
}

/** The number of code points, which is what the networks count. */
function lengthOf(value: string): number {
  return value.length > 100_000 ? value.length : [...value].length;
}

function count(field: string, found: number, min: number, max: number): readonly ContentFault[] {
  if (found < min) return [fault('too_few', field, `at least ${min}`)];
  return found > max ? [fault('too_many', field, `at most ${max}`)] : [];
}

function unique(field: string, items: readonly { readonly id: string }[]): readonly ContentFault[] {
  const isUnique = new Set(items.map((item) => item.id)).size === items.length;
  return isUnique ? [] : [fault('invalid', field, 'two have the same id')];
}

function url(field: string, value: string): readonly ContentFault[] {
  const isWeb = /^https?:\/\//i.test(value) && URL.canParse(value) && value.length <= 2_048;
  return isWeb ? [] : [fault('invalid', field, 'not an http or https address')];
}

function fault(code: ContentFault['code'], field: string, message: string): ContentFault {
  return { code, field, message };
}
