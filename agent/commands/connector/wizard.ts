import type { z } from 'zod';
import { type SettingSchema as Field, schemaOf } from '../../config/connector-settings.ts';

/** Asks for each setting of a kind on the terminal; structured ones are given as JSON. */
export async function askSettings(schema: z.ZodType): Promise<Record<string, unknown>> {
  const { properties = {}, required = [] } = schemaOf(schema);
  const answers: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const answer = await ask(name, field, required.includes(name));
    if (answer !== undefined) answers[name] = answer;
  }
  return answers;
}

async function ask(name: string, field: Field, isRequired: boolean): Promise<unknown> {
  const { confirm, input, password, select } = await import('@inquirer/prompts');
  const message = field.description ? `${name} (${field.description})` : name;
  if (field.secret) {
    const secret = await password({ message, mask: true });
    return secret === '' && !isRequired ? undefined : secret;
  }
  if (field.enum !== undefined) return select({ message, choices: [...field.enum] });
  if (field.type === 'boolean') {
    return confirm({
      message,
      ...(typeof field.default === 'boolean' && { default: field.default }),
    });
  }
  const text = await input({
    message: field.type === 'string' ? message : `${message}, as JSON`,
    required: isRequired,
    ...(field.default !== undefined && { default: asText(field.default) }),
    validate: (typed) =>
      (typed === '' && !isRequired) || readable(typed, field) || 'this is no JSON',
  });
  if (text === '') return undefined;
  return field.type === 'string' ? text : JSON.parse(text);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readable(text: string, field: Field): boolean {
  if (field.type === 'string') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
