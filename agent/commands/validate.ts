import type { Finding, Report } from '@drawbridge/validation/validate.ts';
import { type Command, Option } from 'commander';
import { failed, type Outcome, type Table } from '../outcome.ts';
import type { Rules } from '../rules/rules.ts';
import { loadRules } from '../rules/rules-in-use.ts';
import type { Runtime } from '../runtime.ts';
import { wrapText } from '../text-wrapping.ts';
import { addAction, type CommandContext, command } from './command.ts';
import { readDocument } from './read-document.ts';

interface Options {
  readonly profile: string;
  readonly complete: boolean;
  readonly explain: boolean;
}

export function validateCommand(runtime: Runtime): Command {
  const target = command({
    name: 'validate',
    summary: 'Hold a document against the rules of a profile; offline, nothing is sent anywhere.',
    examples: [
      'drawbridge validate invoice.xml --profile BIS-3.0',
      'drawbridge validate invoice.json --profile PINT-AE --complete --explain',
      'drawbridge validate - --profile PINT-MY --json < invoice.xml',
    ],
  })
    .argument('<file>', 'UBL XML or the JSON form of an invoice; - reads standard input')
    .addOption(new Option('--profile <id>', 'whose rules, e.g. PINT-AE').makeOptionMandatory())
    .option('--complete', 'fill in a JSON document first, as a submission does', false)
    .option('--explain', 'say why each fault is one and how to mend it', false);
  return addAction(target, runtime, validate);
}

async function validate(
  { runtime, settings }: CommandContext,
  options: Options,
  file: string,
): Promise<Outcome> {
  const rules = await loadRules(settings.home);
  const profile = rules.profiles.find(({ id }) => id === options.profile);
  if (profile === undefined) {
    const ids = rules.profiles.map(({ id }) => id);
    return failed('usage', `--profile is one of ${ids.join(', ')}.`);
  }
  const read = await readDocument(file, rules.documentBytesMax, runtime);
  if (read.kind === 'failed') return read;
  const validated = rules.validate(read.bytes, profile.id, options.complete)!;
  if (validated.kind === 'failed') return validated;
  const report = options.explain ? explained(validated.report, rules) : validated.report;
  const hasPassed = report.errors.length === 0;
  const status = hasPassed ? 'passed' : 'failed';
  const data = { file, profile: profile.id, type: validated.type, status, ...report };
  const name = file === '-' ? 'Standard input' : file;
  const title = `${name} ${status} as ${validated.type} of ${profile.title}.`;
  return { kind: 'done', data, shown: shownReport(title, report), exit: exitOf[status] };
}

const exitOf = { passed: 'ok', failed: 'validation' } as const;

interface ExplainedFinding extends Finding {
  readonly explanation?: { readonly why: string; readonly fix: string; readonly erp: string };
}

interface ShownReport extends Report {
  readonly errors: readonly ExplainedFinding[];
  readonly warnings: readonly ExplainedFinding[];
}

function explained(report: Report, { explain }: Rules): ShownReport {
  const withText = (finding: Finding): ExplainedFinding => {
    const known = explain(finding.rule);
    if (known === undefined) return finding;
    const { why, fix, erp } = known;
    return { ...finding, explanation: { why, fix, erp } };
  };
  return {
    ...report,
    errors: report.errors.map(withText),
    warnings: report.warnings.map(withText),
  };
}

/** Findings that the table shows; --json has all of them. */
const rowsMax = 200;
const whereWidth = 44;
const messageWidth = 64;

function shownReport(title: string, report: ShownReport): Table | string {
  const { errors, warnings } = report;
  if (errors.length + warnings.length === 0) return title;
  const stage = report.schema === 'failed' ? 'schema' : 'rules';
  const findings = [...errors, ...warnings];
  const hidden = findings.length - rowsMax;
  const counts = `${count(errors, 'error')}, ${count(warnings, 'warning')}`;
  const more = hidden > 0 ? ` The first ${rowsMax} are shown, all with --json.` : '';
  return {
    title: `${title} ${counts}.${more}`,
    head: ['stage', 'rule', 'severity', 'where', 'message'],
    rows: findings.slice(0, rowsMax).map((finding) => {
      const { rule, severity, field, path } = finding;
      const where =
        path === undefined ? wrapText(field, whereWidth, '/') : wrapText(path, whereWidth, '.');
      return [stage, rule, severity, where, messageOf(finding)];
    }),
  };
}

function messageOf({ message, explanation }: ExplainedFinding): string {
  const lines = [message];
  if (explanation !== undefined) {
    lines.push(`Why: ${explanation.why}`, `Fix: ${explanation.fix}`);
  }
  return lines.map((line) => wrapText(line, messageWidth)).join('\n');
}

function count(findings: readonly Finding[], what: string): string {
  return `${findings.length} ${what}${findings.length === 1 ? '' : 's'}`;
}
