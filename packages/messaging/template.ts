/** How variables are written: `{{1}}`, `{{2}}` … or `{{first_name}}`. */
type ParameterFormat = 'positional' | 'named';

/** The network's categories, by which it prices and restricts messages. */
export type TemplateCategory = 'AUTHENTICATION' | 'MARKETING' | 'UTILITY';

/** The header of a template. */
export interface TemplateHeader {
  readonly format: 'text' | 'image' | 'video' | 'document' | 'location';
  /** Of a text header only. */
  readonly text?: string;
  /** A value for its variable, or the network's handle of an uploaded sample file. */
  readonly example?: string;
}

/** One button of a template. */
export interface TemplateButton {
  readonly type: 'quick-reply' | 'url' | 'phone' | 'copy-code' | 'otp' | 'flow' | 'other';
  readonly text: string;
  /** Of a url button; may end in one variable. */
  readonly url?: string;
  /** The whole address with a value, where it ends in a variable. */
  readonly example?: string;
  readonly phone?: string;
}

/** A registered text with places for values. */
export interface Template {
  readonly name: string;
  /** As the network writes it: `en_US`, `ms`. */
  readonly language: string;
  readonly category: TemplateCategory;
  readonly parameterFormat: ParameterFormat;
  readonly header?: TemplateHeader;
  readonly body: string;
  readonly footer?: string;
  readonly buttons?: readonly TemplateButton[];
  /** One example for each variable of the body, in order; the network's reviewers read them. */
  readonly bodyExamples?: readonly string[];
}

/** The value for one variable of a template. */
export type TemplateParameter = { readonly name?: string } & (
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'currency';
      readonly fallback: string;
      readonly code: string;
      readonly amount1000: number;
    }
  | { readonly type: 'date-time'; readonly fallback: string }
  | {
      readonly type: 'image' | 'video' | 'document';
      readonly url: string;
      readonly filename?: string;
    }
  | { readonly type: 'payload'; readonly payload: string }
);

/** The values for one part of a template. */
export interface TemplateComponent {
  readonly type: 'header' | 'body' | 'button';
  /** Of a button: its kind; `index` is its place from 0. */
  readonly subType?: string;
  readonly index?: number;
  readonly parameters: readonly TemplateParameter[];
}

/** A template with its values, ready to be sent. */
export interface TemplateUse {
  readonly name: string;
  readonly language: string;
  readonly components: readonly TemplateComponent[];
}

const placeholder = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** Names of the variables in a text, in order of first use; positional ones are `1`, `2` … */
export function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(placeholder)].map((match) => match[1]!))];
}

export function hasVariable(text: string | undefined): boolean {
  return variablesOf(text ?? '').length > 0;
}

/** Whether a button's address ends in a variable. */
export function endsInVariable({ type, url }: TemplateButton): boolean {
  return type === 'url' && hasVariable(url);
}

/** Whether a header is a file, which each message names separately. */
export function isFileHeader({ format }: TemplateHeader): boolean {
  return format === 'image' || format === 'video' || format === 'document';
}

/** The text, or which variables and values do not match. */
export type Rendering =
  | { readonly kind: 'rendered'; readonly text: string }
  | {
      readonly kind: 'refused';
      readonly missing: readonly string[];
      readonly surplus: readonly string[];
    };

/**
 * The text with each variable replaced by its value (`1`, `2` … or names). Every variable must have
 * a value and every value a variable. Values are inserted as they are: braces in them mean nothing.
 */
export function render(text: string, values: Readonly<Record<string, string>>): Rendering {
  const wanted = variablesOf(text);
  const missing = wanted.filter((name) => !Object.hasOwn(values, name));
  const surplus = Object.keys(values).filter((name) => !wanted.includes(name));
  if (missing.length + surplus.length > 0) return { kind: 'refused', missing, surplus };
  const rendered = text.replace(placeholder, (_all, name: string) => values[name]!);
  return { kind: 'rendered', text: rendered };
}

/** The text of values that are known to fit it. */
export function rendered(text: string, values: Readonly<Record<string, string>>): string {
  const rendering = render(text, values);
  if (rendering.kind === 'refused') throw new RangeError('a variable has no value');
  return rendering.text;
}

/** The values of a component by variable name, as `render` takes them. */
export function valuesOf(component: TemplateComponent): Readonly<Record<string, string>> {
  return Object.fromEntries(
    component.parameters.map((parameter, at) => [parameter.name ?? `${at + 1}`, shown(parameter)]),
  );
}

function shown(parameter: TemplateParameter): string {
  switch (parameter.type) {
    case 'text':
      return parameter.text;
    case 'currency':
    case 'date-time':
      return parameter.fallback;
    case 'payload':
      return parameter.payload;
    case 'image':
    case 'video':
    case 'document':
      return parameter.url;
  }
}
