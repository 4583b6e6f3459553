/**
 * Texts that a team writes once and answers with often:
 *
 *     fillCannedReply('Hello {{contact.first_name}}', { contact, agentName });
 *     // { text: 'Hello Mei', missing: [] }
 */

/** What is known when a canned reply is put into an answer. */
export interface ReplyFacts {
  readonly contact: {
    readonly name: string | null;
    readonly phone: string | null;
    readonly attributes: Readonly<Record<string, string | number | boolean>>;
  };
  /** Who answers; null: a program. */
  readonly agentName: string | null;
}

type Value = string | null | undefined;

const plainVariables = {
  'contact.name': ({ contact }) => contact.name,
  'contact.first_name': ({ contact }) => contact.name?.trim().split(/\s+/u)[0],
  'contact.phone': ({ contact }) => contact.phone,
  'agent.name': ({ agentName }) => agentName,
} satisfies Record<string, (facts: ReplyFacts) => Value>;

const attributePrefix = 'contact.attributes.';

/** What may stand between two pairs of braces, for people. */
export const cannedReplyVariables = [
  ...Object.keys(plainVariables),
  `${attributePrefix}<name>`,
] as readonly string[];

/** What is wrong with the variables of a text; undefined when nothing is. */
export function faultOfCannedReply(text: string): string | undefined {
  const unknown = variablesOf(text).find((name) => !isKnown(name));
  if (unknown !== undefined) {
    return `{{${unknown}}} is no variable; there are: ${cannedReplyVariables.join(', ')}`;
  }
  const rest = text.replaceAll(variable, '');
  return /\{\{|\}\}/.test(rest) ? 'has {{ or }} without its counterpart' : undefined;
}

/**
 * The text with what is known put in place of its variables. `missing` names those without a
 * value, each once; they stand in the text as they were written.
 */
export function fillCannedReply(
  text: string,
  facts: ReplyFacts,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const filled = text.replaceAll(variable, (written, name: string) => {
    const value = knownValue(name, facts)?.trim();
    if (value) return value;
    missing.add(name);
    return written;
  });
  return { text: filled, missing: [...missing] };
}

const variable = /\{\{\s*([^{}]{1,100}?)\s*\}\}/gu;

function variablesOf(text: string): readonly string[] {
  return [...text.matchAll(variable)].map(([, name]) => name!);
}

const isPlain = (name: string): name is keyof typeof plainVariables =>
  Object.hasOwn(plainVariables, name);

function isKnown(name: string): boolean {
  return isPlain(name) || (name.startsWith(attributePrefix) && name !== attributePrefix);
}

function knownValue(name: string, facts: ReplyFacts): Value {
  if (isPlain(name)) return plainVariables[name](facts);
  const attribute = name.slice(attributePrefix.length);
  const { attributes } = facts.contact;
  return Object.hasOwn(attributes, attribute) ? String(attributes[attribute]) : undefined;
}
