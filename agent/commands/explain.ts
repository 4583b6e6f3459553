import type { Explanation } from '@drawbridge/explanations/explain.ts';
import type { Command } from 'commander';
import { errors, exits } from '../errors.ts';
import type { Outcome } from '../outcome.ts';
import { loadRules } from '../rules/rules-in-use.ts';
import type { Runtime } from '../runtime.ts';
import { wrapText } from '../text-wrapping.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function explainCommand(runtime: Runtime): Command {
  const target = command({
    name: 'explain',
    summary: 'Say in plain words what a rule or an error code means, and how to mend it; offline.',
    examples: [
      'drawbridge explain PINT-AE-ibr-132-ae',
      'drawbridge explain BIS-3.0-BR-CO-15 --json',
      'drawbridge explain ERR_DRAWBRIDGE_2001',
    ],
  }).argument('<id>', 'rule id of a validation error, or error code of this program');
  return addAction(target, runtime, explainId);
}

async function explainId({ settings }: CommandContext, __: object, id: string): Promise<Outcome> {
  const error = Object.entries(errors).find(([, { code }]) => code === id.toUpperCase());
  if (error !== undefined) return explainError(...error);
  const { explain, suggest } = await loadRules(settings.home);
  const explanation = explain(id);
  if (explanation !== undefined) {
    return { kind: 'done', data: explanation, shown: explanationText(explanation) };
  }
  const suggestions = [...suggest(id), ...likeErrors(id)];
  const meant = suggestions.length === 0 ? '' : ` Perhaps: ${suggestions.join(', ')}.`;
  const cause = `Nothing is known by the id "${id.slice(0, idShownMax)}".${meant}`;
  return { kind: 'failed', error: 'rule_unknown', cause, suggestions };
}

const idShownMax = 80;
const width = 100;

function explainError(name: string, { code, exit, next }: (typeof errors)[keyof typeof errors]) {
  const meaning = Object.entries(exits).find(([, number]) => number === exit)![0];
  const shown = `${code}  ${name.replaceAll('_', ' ')}\n\nFix    ${next}\nExit   ${exit} (${meaning})`;
  return { kind: 'done', data: { code, name, fix: next, exit }, shown } satisfies Outcome;
}

/** The error codes that differ from `id` by one digit; none when `id` is no error code. */
function likeErrors(id: string): string[] {
  if (!/^ERR_DRAWBRIDGE_\d{1,4}$/i.test(id)) return [];
  const codes = Object.values(errors).map(({ code }) => code);
  const differing = (code: string) => [...code].filter((each, at) => each !== id[at]).length;
  return codes.filter((code) => differing(code) === 1).slice(0, 5);
}

function explanationText({ rule, severity, message, why, fix, erp, fields }: Explanation): string {
  const head = severity === undefined ? rule : `${rule}  ${severity}`;
  const parts = [
    ['Why', why],
    ['Fix', fix],
    ['ERP', erp],
    ['Fields', fields.join(', ')],
  ].filter(([, text]) => text !== '');
  const lines = parts.map(([name, text]) => {
    const body = wrapText(text!, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
    return `${name!.padEnd(indent)}${body}`;
  });
  return [head, ...(message === undefined ? [] : [wrapText(message, width)]), '', ...lines].join(
    '\n',
  );
}

const indent = 8;
