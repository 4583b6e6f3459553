/** Whether the values of a message fit its template, as the network will check them. */
import {
  endsInVariable,
  isFileHeader,
  rendered,
  type Template,
  type TemplateComponent,
  valuesOf,
  variablesOf,
} from './template.ts';

/** What is wrong with the values; `field` is its path in a request of the API. */
export interface TemplateUseFault {
  readonly field: string;
  readonly message: string;
}

/** The first reason for which the network would refuse these values; undefined when none is known. */
export function faultOfUse(
  template: Template,
  components: readonly TemplateComponent[],
): TemplateUseFault | undefined {
  return [
    ...bodyFaults(template, components),
    ...headerFaults(template, components),
    ...buttonFaults(template, components),
    ...spaceFaults(components),
  ][0];
}

/** The text of the body as a person reads it, of values without a fault. */
export function textOfUse({ body }: Template, components: readonly TemplateComponent[]): string {
  return rendered(body, valuesOfBody(components));
}

function valuesOfBody(components: readonly TemplateComponent[]) {
  const component = components.find(({ type }) => type === 'body');
  return component === undefined ? {} : valuesOf(component);
}

const componentsField = 'template.components';

function bodyFaults(
  { body }: Template,
  components: readonly TemplateComponent[],
): TemplateUseFault[] {
  const given = valuesOfBody(components);
  const wanted = variablesOf(body);
  const missing = wanted.filter((variable) => !Object.hasOwn(given, variable));
  const surplus = Object.keys(given).filter((variable) => !wanted.includes(variable));
  return [
    ...when(
      missing.length > 0,
      componentsField,
      `lacks a value of the body for ${missing.join(', ')}`,
    ),
    ...when(
      surplus.length > 0,
      componentsField,
      `gives ${surplus.join(', ')}, which are not in the body`,
    ),
  ];
}

function headerFaults(
  { header }: Template,
  components: readonly TemplateComponent[],
): TemplateUseFault[] {
  const given = components.find(({ type }) => type === 'header')?.parameters ?? [];
  if (header !== undefined && isFileHeader(header)) {
    const isThere = given.length === 1 && given[0]!.type === header.format;
    return when(!isThere, componentsField, `lacks the ${header.format} of the header`);
  }
  const wanted = variablesOf(header?.text ?? '').length;
  return [
    ...when(wanted > given.length, componentsField, 'lacks the value of the header'),
    ...when(
      header?.format !== 'location' && wanted < given.length,
      componentsField,
      'gives a value of the header, which has no place for it',
    ),
  ];
}

/** Of other kinds than addresses not all values are known. */
function buttonFaults(
  { buttons = [] }: Template,
  components: readonly TemplateComponent[],
): TemplateUseFault[] {
  const given = components.filter(({ type, parameters }) => {
    return type === 'button' && parameters.length > 0;
  });
  const lacking = buttons.findIndex(
    (button, index) => endsInVariable(button) && !given.some((each) => each.index === index),
  );
  const surplus = given.find(({ index }) => index === undefined || buttons[index] === undefined);
  return [
    ...when(
      lacking >= 0,
      componentsField,
      `lacks the value of the button with the index ${lacking}`,
    ),
    ...when(
      surplus !== undefined,
      componentsField,
      `gives a value of the button with the index ${surplus?.index ?? 'none'}, which there is not`,
    ),
  ];
}

/** The network refuses values with line breaks, tabs or many spaces. */
function spaceFaults(components: readonly TemplateComponent[]): TemplateUseFault[] {
  return components.flatMap(({ parameters }, at) =>
    parameters.flatMap((parameter, place) =>
      when(
        parameter.type === 'text' && /[\n\r\t]| {5,}/.test(parameter.text),
        `${componentsField}.${at}.parameters.${place}.text`,
        'has no line breaks, no tabs, and at most four spaces in a row',
      ),
    ),
  );
}

function when(isSo: boolean, field: string, message: string): TemplateUseFault[] {
  return isSo ? [{ field, message }] : [];
}
