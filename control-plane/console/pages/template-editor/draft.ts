import type { OwnTemplate, ReviewedTemplate, Template } from '../templates/queries.ts';

export type Category = Template['category'];
type Header = NonNullable<ReviewedTemplate['header']>;
type ButtonKind = 'quick-reply' | 'url' | 'phone';

export interface ButtonDraft {
  readonly key: number;
  readonly kind: ButtonKind;
  readonly text: string;
  /** The address or the number. */
  readonly target: string;
  readonly example: string;
}

/** A template while it is written. */
export interface Draft {
  readonly name: string;
  readonly language: string;
  readonly category: Category;
  readonly appId: string;
  readonly headerFormat: Header['format'] | '';
  readonly headerText: string;
  readonly headerExample: string;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly ButtonDraft[];
  /** By variable. */
  readonly examples: Readonly<Record<string, string>>;
}

export const emptyDraft: Draft = {
  name: '',
  language: 'en',
  category: 'UTILITY',
  appId: '',
  headerFormat: '',
  headerText: '',
  headerExample: '',
  body: '',
  footer: '',
  buttons: [],
  examples: {},
};

const placeholder = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** Names of the variables in the text, in order of first use. */
export const variablesIn = (body: string): readonly string[] => [
  ...new Set([...body.matchAll(placeholder)].map((match) => match[1]!)),
];

export const holdsVariable = (text: string): boolean => text.search(placeholder) >= 0;

/** What the network is asked to approve; undefined while name or text is missing. */
export function reviewedOf(draft: Draft): ReviewedTemplate | undefined {
  const { name, language, category, appId, headerFormat, body, footer, buttons } = draft;
  const isWhole = name.trim() && body.trim() && buttons.every(({ text }) => text.trim());
  if (!isWhole) return undefined;
  const variables = variablesIn(body);
  const examples = variables.map((each) => draft.examples[each]?.trim() ?? '');
  const isNamed = variables.some((each) => !/^\d+$/.test(each));
  return {
    name: name.trim(),
    language,
    category,
    parameter_format: isNamed ? 'named' : 'positional',
    body,
    ...(headerFormat === '' ? {} : { header: headerOf(draft, headerFormat) }),
    ...(footer.trim() && { footer }),
    ...(buttons.length > 0 && { buttons: buttons.map(buttonOf) }),
    ...(examples.length > 0 && examples.every(Boolean) && { body_examples: examples }),
    ...(appId && { app_id: appId }),
  };
}

function headerOf({ headerText, headerExample }: Draft, format: Header['format']): Header {
  const example = headerExample.trim() && { example: headerExample.trim() };
  return format === 'text' ? { format, text: headerText, ...example } : { format, ...example };
}

function buttonOf({ kind, text, target, example }: ButtonDraft) {
  switch (kind) {
    case 'url':
      return { type: kind, text, url: target, ...(example && { example }) };
    case 'phone':
      return { type: kind, text, phone: target };
    case 'quick-reply':
      return { type: kind, text };
  }
}

/** A text of ours, which no network reviews. */
export function ownOf({ name, language, category, body }: Draft): OwnTemplate | undefined {
  const isWhole = name.trim() !== '' && body.trim() !== '';
  return isWhole ? { name: name.trim(), language, category, body } : undefined;
}

interface Definition {
  readonly header?: Header;
  readonly footer?: string;
  readonly buttons?: NonNullable<ReviewedTemplate['buttons']>;
  readonly bodyExamples?: readonly string[];
}

/** The draft of another one like this; a name is used once, so it is asked for again. */
export function draftOf({ language, category, body, variables, app_id, ...rest }: Template): Draft {
  const { header, footer, buttons = [], bodyExamples = [] } = rest.definition as Definition;
  return {
    ...emptyDraft,
    language,
    category,
    body,
    appId: app_id ?? '',
    headerFormat: header?.format ?? '',
    headerText: header?.text ?? '',
    headerExample: header?.example ?? '',
    footer: footer ?? '',
    examples: Object.fromEntries(variables.map((name, at) => [name, bodyExamples[at] ?? ''])),
    buttons: buttons.flatMap(({ type, text, url, phone, example }, key) =>
      type === 'url' || type === 'phone' || type === 'quick-reply'
        ? [{ key, kind: type, text, target: url ?? phone ?? '', example: example ?? '' }]
        : [],
    ),
  };
}
