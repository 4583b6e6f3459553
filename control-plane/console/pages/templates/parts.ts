import type { Template } from './queries.ts';

interface Header {
  readonly format: string;
  readonly text?: string;
}

interface TemplateButton {
  readonly type: string;
  readonly text: string;
  readonly url?: string;
}

/** What a template has beside its text. */
interface Parts {
  readonly header?: Header;
  readonly footer?: string;
  readonly buttons?: readonly TemplateButton[];
  readonly parameterFormat?: 'positional' | 'named';
  readonly bodyExamples?: readonly string[];
}

export const partsOf = ({ definition }: Template) => definition as Parts;

/** The variable of a header: the one in its text, or the address of its file. */
export const headerVariable = 'header';
const buttonVariable = (at: number) => `button_${at}`;

/** Every variable that the template needs: of its header, its body, its buttons. */
export function variablesOf(template: Template): readonly string[] {
  const { header } = partsOf(template);
  return [
    ...(isFile(header) || holdsVariable(header?.text) ? [headerVariable] : []),
    ...template.variables,
    ...openButtons(template).map(({ at }) => buttonVariable(at)),
  ];
}

/** The button that this variable belongs to. */
export const buttonOf = (template: Template, variable: string) =>
  openButtons(template).find(({ at }) => buttonVariable(at) === variable)?.button;

export const isFile = (header: Header | undefined) =>
  ['image', 'video', 'document'].includes(header?.format ?? '');

const holdsVariable = (text: string | undefined) => /\{\{.+?\}\}/.test(text ?? '');

/** Buttons whose address ends in a variable, with their places. */
function openButtons(template: Template) {
  const { buttons = [] } = partsOf(template);
  return buttons
    .map((button, at) => ({ button, at }))
    .filter(({ button: { type, url } }) => type === 'url' && holdsVariable(url));
}

export type Values = Readonly<Record<string, string>>;

/** The values of all variables, as WhatsApp takes them. */
export function componentsOf(template: Template, values: Values) {
  const { header, parameterFormat } = partsOf(template);
  const text = (name: string, value = '') => ({
    type: 'text',
    text: value,
    ...(parameterFormat === 'named' ? { parameter_name: name } : {}),
  });
  const ofHeader = () =>
    isFile(header)
      ? { type: header!.format, [header!.format]: { link: values[headerVariable] ?? '' } }
      : text(/\{\{\s*(\w+)/.exec(header!.text!)![1]!, values[headerVariable]);
  const components = [
    {
      type: 'header',
      parameters: variablesOf(template).includes(headerVariable) ? [ofHeader()] : [],
    },
    { type: 'body', parameters: template.variables.map((name) => text(name, values[name])) },
    ...openButtons(template).map(({ at }) => ({
      type: 'button',
      sub_type: 'url',
      index: at,
      parameters: [{ type: 'text', text: values[buttonVariable(at)] ?? '' }],
    })),
  ];
  return components.filter(({ parameters }) => parameters.length > 0);
}
