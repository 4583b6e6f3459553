import type { Channel, Content, Suggestion } from '../message.ts';
import {
  endsInVariable,
  isFileHeader,
  rendered,
  type Template,
  type TemplateComponent,
  type TemplateParameter,
  variablesOf,
} from '../template.ts';
import { isTrackable, rewriteLinks } from './links.ts';
import {
  buttonVariable,
  fill,
  headerVariable,
  type Person,
  type Variables,
  variablesNeeded,
} from './variables.ts';

/** What all messages of a broadcast share, before they are written for each person. */
export interface Blueprint {
  readonly channel: Channel;
  readonly template: Template;
  readonly variables: Variables;
  /** Short links begin with it; undefined: addresses stay as they are. */
  readonly linkBase: string | undefined;
  /** Carriers hold this text: nothing outside of its variables may change. */
  readonly isRegistered: boolean;
}

/** A message's content with its preview, or the variable for which the person has no value. */
export type Composition =
  | { readonly kind: 'composed'; readonly content: Content; readonly preview: string }
  | { readonly kind: 'missing'; readonly variable: string };

/**
 * The message to one person. `codeOf` gives the short link's code for an address; it is called only
 * for addresses that the message contains.
 */
export function compose(
  blueprint: Blueprint,
  person: Person,
  codeOf: (url: string) => string,
): Composition {
  const { template, variables, linkBase } = blueprint;
  const filling = fill(variablesNeeded(template), variables, person);
  if (filling.kind === 'missing') return filling;
  const shorten = (text: string) =>
    linkBase === undefined ? text : rewriteLinks(text, (url) => linkBase + codeOf(url));
  return blueprint.channel === 'wa'
    ? asTemplate(blueprint, filling.values, shorten, codeOf)
    : asText(blueprint, filling.values, shorten);
}

type Values = Readonly<Record<string, string>>;
type Rewrite = (text: string) => string;

/** WhatsApp has the template's text: only the values are sent. */
function asTemplate(
  { template, linkBase }: Blueprint,
  values: Values,
  shorten: Rewrite,
  codeOf: (url: string) => string,
): Composition {
  const { name, language, body, buttons = [] } = template;
  const inBody = valuesIn(body, values, (text) => shorten(oneLine(text)));
  const bodyParameters = variablesOf(body).map((variable) =>
    textParameter(template, variable, inBody[variable]!),
  );
  const components: TemplateComponent[] = [
    ...headerComponents(template, values),
    ...(bodyParameters.length === 0 ? [] : [{ type: 'body', parameters: bodyParameters } as const]),
    ...buttons.flatMap((button, index) => {
      if (!endsInVariable(button)) return [];
      const value = values[buttonVariable(index)]!;
      // A button registered with our own address before its variable takes only the code.
      const isOurs = linkBase !== undefined && button.url!.startsWith(`${linkBase}{{`);
      const text = isOurs && isTrackable(value) ? codeOf(value) : value;
      const parameters = [{ type: 'text', text } as const];
      return [{ type: 'button', subType: 'url', index, parameters } as const];
    }),
  ];
  return {
    kind: 'composed',
    content: { kind: 'template', template: { name, language, components } },
    preview: rendered(body, inBody),
  };
}

function headerComponents({ header, ...rest }: Template, values: Values): TemplateComponent[] {
  const value = values[headerVariable];
  if (header === undefined || value === undefined) return [];
  if (isFileHeader(header)) {
    const type = header.format as 'image' | 'video' | 'document';
    return [{ type: 'header', parameters: [{ type, url: value }] }];
  }
  const [variable = '1'] = variablesOf(header.text ?? '');
  return [{ type: 'header', parameters: [textParameter(rest, variable, oneLine(value))] }];
}

function textParameter(
  { parameterFormat }: Pick<Template, 'parameterFormat'>,
  variable: string,
  text: string,
): TemplateParameter {
  return { type: 'text', text, ...(parameterFormat === 'named' ? { name: variable } : {}) };
}

/** Channels without templates get the whole text. */
function asText(
  { channel, template, isRegistered }: Blueprint,
  values: Values,
  shorten: Rewrite,
): Composition {
  const { header, body, footer, buttons = [] } = template;
  const written = isRegistered
    ? rendered(body, valuesIn(body, values, shorten))
    : shorten(
        rendered(
          body,
          valuesIn(body, values, (text) => text),
        ),
      );
  const composed = (content: Content) => ({ kind: 'composed', content, preview: written }) as const;
  if (channel === 'sms') return composed({ kind: 'text', text: written });
  const above =
    header?.text === undefined ? undefined : withOne(header.text, values[headerVariable]);
  const text = [above, written, footer].filter((part) => part !== undefined).join('\n\n');
  const suggestions = buttons.flatMap(({ type, text: label, url, phone }, index): Suggestion[] => {
    if (type === 'quick-reply') return [{ kind: 'reply', text: label, payload: label }];
    if (type === 'phone' && phone !== undefined) return [{ kind: 'dial', text: label, phone }];
    if (type !== 'url' || url === undefined) return [];
    const whole = withOne(url, values[buttonVariable(index)]);
    return [{ kind: 'url', text: label, url: shorten(whole) }];
  });
  if (suggestions.length === 0) return composed({ kind: 'text', text });
  return composed({ kind: 'suggestions', text, suggestions });
}

/** The values of the variables in a text, each rewritten. */
function valuesIn(text: string, values: Values, rewrite: Rewrite): Values {
  return Object.fromEntries(variablesOf(text).map((name) => [name, rewrite(values[name]!)]));
}

/** A text whose only variable, if it has one, has this value. */
function withOne(text: string, value: string | undefined): string {
  const [variable] = variablesOf(text);
  return rendered(text, variable === undefined ? {} : { [variable]: value ?? '' });
}

/** The network refuses values with line breaks, tabs or many spaces. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
