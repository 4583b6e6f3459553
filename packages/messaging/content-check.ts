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
      return text('reaction.message_id', content.to, 512);
    case 'card':
      return [
        ...cardFaults('card', content.card, limits),
        ...suggestionFaults('suggestions', content.suggestions, limits.suggestionsMax, limits),
      ];
    case 'carousel':
      return [
        ...count('carousel', content.cards.length, limits.cardsMin, limits.cardsMax),
        ...content.cards.flatMap((card, at) => cardFaults(`carousel.${at}`, card, limits)),
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
    ...('url' in media.source ? url('media.link', media.source.url) : []),
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
  if (choice.kind === 'link') {
    return [
      ...around,
      ...text('interactive.link.text', choice.text, limits.buttonTextMax),
      ...url('interactive.link.url', choice.url),
    ];
  }
  if (choice.kind === 'buttons') {
    const path = 'interactive.buttons';
    const faults = choice.buttons.flatMap(({ id, title }, at) => [
      ...text(`${path}.${at}.id`, id, limits.payloadMax),
      ...text(`${path}.${at}.title`, title, limits.buttonTextMax),
    ]);
    const many = count(path, choice.buttons.length, 1, limits.buttonsMax);
    return [...around, ...many, ...faults, ...unique(path, choice.buttons)];
  }
  const path = 'interactive.list';
  const rows = choice.sections.flatMap((section) => section.rows);
  return [
    ...around,
    ...text(`${path}.button`, choice.button, limits.buttonTextMax),
    ...count(`${path}.sections`, rows.length, 1, limits.listRowsMax),
    ...choice.sections.flatMap((section, at) =>
      section.rows.flatMap((row, place) => {
        const here = `${path}.sections.${at}.rows.${place}`;
        return [
          ...text(`${here}.id`, row.id, limits.payloadMax),
          ...text(`${here}.title`, row.title, limits.rowTitleMax),
          ...atMost(`${here}.description`, row.description, limits.rowDescriptionMax),
        ];
      }),
    ),
    ...unique(`${path}.sections`, rows),
  ];
}

function cardFaults(path: string, card: Card, limits: ContentLimits): readonly ContentFault[] {
  const isEmpty = [card.title, card.description, card.mediaUrl].every((part) => !part);
  return [
    ...(isEmpty ? [fault('required', path, 'a card has a title, a description or media')] : []),
    ...atMost(`${path}.title`, card.title, limits.cardTitleMax),
    ...atMost(`${path}.description`, card.description, limits.cardDescriptionMax),
    ...(card.mediaUrl === undefined ? [] : url(`${path}.media_url`, card.mediaUrl)),
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
