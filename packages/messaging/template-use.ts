import {
  hasVariable,
  isFile,
  isOpen,
  render,
  type Template,
  type TemplateComponent,
  type TemplateUse,
  valuesOf,
} from './template.ts';

type Components = readonly TemplateComponent[];

/** The body as it reads with the values, or why the network would refuse this use of the template. */
export type UseReading =
  | { readonly kind: 'rendered'; readonly text: string }
  | { readonly kind: 'refused'; readonly problem: string };

export function readUse(template: Template, { components }: TemplateUse): UseReading {
  const body = components.find(({ type }) => type === 'body');
  const rendering = render(template.body, body === undefined ? {} : valuesOf(body));
  if (rendering.kind === 'refused') {
    const { missing, surplus } = rendering;
    const problem =
      missing.length > 0
        ? `lacks a value of the body for ${missing.join(', ')}`
        : `gives ${surplus.join(', ')}, which are not in the body`;
    return { kind: 'refused', problem };
  }
  const problem = problemOfHeader(template, components) ?? problemOfButtons(template, components);
  return problem === undefined ? rendering : { kind: 'refused', problem };
}

function problemOfHeader({ header }: Template, components: Components): string | undefined {
  // The place of a header has a form of its own, which only the network knows.
  if (header?.format === 'location') return undefined;
  const values = components.find(({ type }) => type === 'header')?.parameters ?? [];
  if (header !== undefined && isFile(header)) {
    const isIt = values.length === 1 && values[0]!.type === header.format;
    return isIt ? undefined : `lacks the ${header.format} of the header`;
  }
  const needed = hasVariable(header?.text) ? 1 : 0;
  if (values.length < needed) return 'lacks the value of the header';
  return values.length > needed ? 'gives a value of the header, which has none' : undefined;
}

function problemOfButtons({ buttons = [] }: Template, components: Components): string | undefined {
  const place = buttons.findIndex((button, at) => {
    const isIt = ({ type, subType, index, parameters }: TemplateComponent) =>
      type === 'button' &&
      subType?.toLowerCase() === 'url' &&
      index === at &&
      parameters.length > 0;
    return isOpen(button) && !components.some(isIt);
  });
  return place < 0 ? undefined : `lacks the end of the address of button ${place}`;
}
