import { type Template, type TemplateButton, variablesOf } from './template.ts';

/** A reason for which the network would refuse a template. */
export interface TemplateFinding {
  /** The network's own number where it publishes one. */
  readonly code: string;
  /** `name`, `body`, `header`, `buttons.2` … */
  readonly field: string;
  readonly message: string;
}

/** WhatsApp's published limits. */
const templateLimits = {
  nameMax: 512,
  bodyMax: 1_024,
  edgeMax: 60,
  buttonsMax: 10,
  buttonTextMax: 25,
  urlMax: 2_000,
  /** Templates that an account may hold, unverified and verified. */
  heldMax: 250,
  heldMaxVerified: 6_000,
} as const;

/** The numbers of the network's refusals. */
const numbers = {
  tooMany: '2388019',
  tooLong: '2388040',
  header: '2388047',
  body: '2388072',
  footer: '2388073',
  ratio: '2388293',
  place: '2388299',
} as const;

/** The languages in which the network takes templates. */
const networkLanguages: ReadonlySet<string> = new Set(
  (
    'af sq ar ar_EG ar_AE ar_LB ar_MA ar_QA az be_BY bn bn_IN bg ca zh_CN zh_HK zh_TW hr cs da ' +
    'prs_AF nl nl_BE en en_GB en_US en_AE en_AU en_CA en_GH en_IE en_IN en_JM en_MY en_NZ en_QA ' +
    'en_SG en_UG en_ZA et fil fi fr fr_BE fr_CA fr_CH fr_CI fr_MA ka de de_AT de_CH el gu ha he ' +
    'hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb ps_AF fa pl pt_BR pt_PT pa ' +
    'ro ru sr si_LK sk sl es es_AR es_CL es_CO es_CR es_DO es_EC es_HN es_MX es_PA es_PE es_ES ' +
    'es_UY sw sv ta te th tr uk ur uz vi zu'
  ).split(' '),
);

/** Those of the same tongue, else how one is written. */
function likeLanguages(language: string): string {
  const tongue = language.toLowerCase().slice(0, 2);
  const like = [...networkLanguages].filter((each) => each.slice(0, 2) === tongue);
  return like.length === 0 ? 'en, en_US and the like' : like.join(', ');
}

/** A template may not lead from the network to the network. */
function isNetworkLink(url: string): boolean {
  return /^https?:\/\/([\w-]+\.)*(wa\.me|whatsapp\.com)([/:?#]|$)/i.test(url);
}

/**
 * What the network would refuse, found before its review, which takes hours. `held` is how many
 * templates the account has.
 */
export function lintTemplate(
  template: Template,
  held: { readonly count: number; readonly isVerified: boolean } = { count: 0, isVerified: false },
): readonly TemplateFinding[] {
  const heldMax = held.isVerified ? templateLimits.heldMaxVerified : templateLimits.heldMax;
  return [
    ...when(held.count >= heldMax, numbers.tooMany, 'name', `the account holds ${heldMax} already`),
    ...nameFindings(template),
    ...headerFindings(template),
    ...bodyFindings(template),
    ...footerFindings(template.footer),
    ...buttonFindings(template.buttons ?? []),
  ];
}

function nameFindings({ name, language }: Template): readonly TemplateFinding[] {
  const isName = /^[a-z0-9_]+$/.test(name);
  return [
    ...when(!isName, 'name', 'name', 'only lower-case letters, digits and _'),
    ...tooLong('name', name, templateLimits.nameMax),
    ...when(
      !networkLanguages.has(language),
      'language',
      'language',
      `no language of the network, which has ${likeLanguages(language)}`,
    ),
  ];
}

function headerFindings({ header, parameterFormat }: Template): readonly TemplateFinding[] {
  if (header === undefined) return [];
  const text = header.text ?? '';
  const lacksExample = header.example === undefined || header.example.trim() === '';
  if (header.format !== 'text') {
    const isFile = header.format !== 'location';
    const example = 'header.example';
    return [
      ...when(text !== '', numbers.header, 'header', 'a media header has no text'),
      ...when(isFile && lacksExample, numbers.header, example, 'the handle of a sample file'),
    ];
  }
  return [
    ...when(text.trim() === '', numbers.header, 'header', 'a text header needs its text'),
    ...when(/[\n*~`]/.test(text), numbers.header, 'header', 'no line breaks or formatting'),
    ...when(variablesOf(text).length > 1, numbers.header, 'header', 'at most one variable'),
    ...when(
      variablesOf(text).length > 0 && lacksExample,
      numbers.header,
      'header.example',
      'an example for the variable',
    ),
    ...tooLong('header', text, templateLimits.edgeMax),
    ...formatFindings('header', text, parameterFormat, numbers.header),
  ];
}

function bodyFindings(template: Template): readonly TemplateFinding[] {
  const { body, parameterFormat, bodyExamples } = template;
  const variables = variablesOf(body);
  const text = body.trim();
  const isAtEdge = /^\{\{[^{}]*\}\}|\{\{[^{}]*\}\}[\p{P}\s]*$/u.test(text);
  const isAdjacent = /\}\}[\p{P}\s]*?\{\{/u.test(text);
  return [
    ...when(text === '', numbers.body, 'body', 'a template needs a body'),
    ...when(/\n{3,}|\t| {5,}/.test(body), numbers.body, 'body', 'at most two line breaks, no tabs'),
    ...tooLong('body', body, templateLimits.bodyMax),
    ...formatFindings('body', body, parameterFormat, numbers.body),
    ...when(isAtEdge, numbers.place, 'body', 'no variable first or last'),
    ...when(isAdjacent, numbers.place, 'body', 'no two variables side by side'),
    ...when(
      variables.length > 0 && fixedWords(body) < 2 * variables.length + 1,
      numbers.ratio,
      'body',
      `${variables.length} variables need at least ${2 * variables.length + 1} words around them`,
    ),
    ...when(
      (bodyExamples ?? []).length !== variables.length,
      numbers.body,
      'body_examples',
      `one example for each variable: ${variables.length}, and ${(bodyExamples ?? []).length} given`,
    ),
  ];
}

function footerFindings(footer: string | undefined): readonly TemplateFinding[] {
  if (footer === undefined) return [];
  return [
    ...when(footer.trim() === '', numbers.footer, 'footer', 'it is empty'),
    ...when(/\{\{|\n/.test(footer), numbers.footer, 'footer', 'no variables, no line breaks'),
    ...tooLong('footer', footer, templateLimits.edgeMax),
  ];
}

function buttonFindings(buttons: readonly TemplateButton[]): readonly TemplateFinding[] {
  const isQuick = buttons.map((button) => button.type === 'quick-reply');
  const turns = isQuick.filter((each, at) => at > 0 && each !== isQuick[at - 1]).length;
  const many = (type: TemplateButton['type']) => buttons.filter((each) => each.type === type);
  return [
    ...when(buttons.length > templateLimits.buttonsMax, 'buttons', 'buttons', 'at most ten'),
    ...when(turns > 1, 'buttons', 'buttons', 'quick replies stand together'),
    ...when(many('url').length > 2, 'buttons', 'buttons', 'at most two addresses'),
    ...when(many('phone').length > 1, 'buttons', 'buttons', 'at most one phone number'),
    ...buttons.flatMap(({ text, url, phone, type, example }, at) => [
      ...when(
        (type !== 'url' && url !== undefined) || (type !== 'phone' && phone !== undefined),
        'buttons',
        `buttons.${at}`,
        'an address belongs to a url button, a number to a phone button',
      ),
      ...when(
        type === 'phone' && (phone ?? '').trim() === '',
        'buttons',
        `buttons.${at}.phone`,
        'a phone button needs its number',
      ),
      ...when(
        type === 'url' && isNetworkLink(url ?? ''),
        'buttons',
        `buttons.${at}`,
        'no link into the network itself (wa.me): a quick reply, or a phone button',
      ),
      ...when(
        type === 'url' && (url ?? '').endsWith('{{1}}') && (example ?? '').trim() === '',
        'buttons',
        `buttons.${at}.example`,
        'an example of the whole address',
      ),
      ...when(text.trim() === '', 'buttons', `buttons.${at}`, 'a button needs its text'),
      ...when(/\{\{|\n/.test(text), 'buttons', `buttons.${at}`, 'no variables, no line breaks'),
      ...tooLong(`buttons.${at}`, text, templateLimits.buttonTextMax),
      ...when(
        type === 'url' && !/^https?:\/\/[^{}\s]+(\{\{1\}\})?$/.test(url ?? ''),
        'buttons',
        `buttons.${at}`,
        'an address, with {{1}} at its end or nowhere',
      ),
      ...tooLong(`buttons.${at}`, url ?? '', templateLimits.urlMax),
    ]),
  ];
}

function formatFindings(
  field: string,
  text: string,
  format: Template['parameterFormat'],
  code: string,
): readonly TemplateFinding[] {
  const names = variablesOf(text);
  const braces = text.replace(/\{\{\s*[A-Za-z0-9_]+\s*\}\}/g, '');
  if (/\{\{|\}\}/.test(braces)) return when(true, code, field, 'braces without a variable');
  if (format === 'positional') {
    const isCounted = names.every(
      (name) => /^[1-9]\d*$/.test(name) && Number(name) <= names.length,
    );
    return when(!isCounted, code, field, 'variables are {{1}}, {{2}} … without a gap');
  }
  const isNamed = names.every((name) => /^[a-z][a-z0-9_]*$/.test(name));
  return when(!isNamed, code, field, 'variables are lower-case names');
}

/** Words of the text that are not variables. */
function fixedWords(text: string): number {
  const words = text.replace(/\{\{[^{}]*\}\}/g, ' ').split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function tooLong(field: string, text: string, max: number): readonly TemplateFinding[] {
  return when([...text].length > max, numbers.tooLong, field, `at most ${max} characters`);
}

function when(
  isSo: boolean,
  code: string,
  field: string,
  message: string,
): readonly TemplateFinding[] {
  return isSo ? [{ code, field, message }] : [];
}
