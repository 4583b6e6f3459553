import { type ProfileId, profileIds } from '@drawbridge/profiles/contract.ts';
import type { Finding, Report } from '@drawbridge/validation/validate.ts';
import { type Command, Option } from 'commander';
import type { Edge } from '../edge.ts';
import type { Outcome, Table } from '../output.ts';
import { wrapped } from '../wrap.ts';
import { act, command, type Setting } from './command.ts';

interface Options {
  readonly profile: ProfileId;
  readonly complete: boolean;
  readonly explain: boolean;
}

export function validateCommand(edge: Edge): Command {
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
    .addOption(
      new Option('--profile <id>', 'whose rules').choices(profileIds).makeOptionMandatory(),
    )
    .option('--complete', 'fill in a JSON document first, as a submission does', false)
    .option('--explain', 'say why each fault is one and how to mend it', false);
  return act(target, edge, validate);
}

async function validate({ edge }: Setting, options: Options, file: string): Promise<Outcome> {
  // The profiles are large; no other command waits for them.
  const { judgeDocument, readDocument } = await import('./document-judge.ts');
  const { profileById } = await import('@drawbridge/profiles/registry.ts');
  const read = await readDocument(file, edge);
  if (read.kind === 'failed') return read;
  const profile = profileById(options.profile)!;
  const judged = judgeDocument(read.bytes, profile, options.complete);
  if (judged.kind === 'failed') return judged;
  const report = options.explain ? await explained(judged.report) : judged.report;
  const hasPassed = report.errors.length === 0;
  const status = hasPassed ? 'passed' : 'failed';
  const data = { file, profile: profile.id, type: judged.type, status, ...report };
  const name = file === '-' ? 'Standard input' : file;
  const title = `${name} ${status} as ${judged.type} of ${profile.title}.`;
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

async function explained(report: Report): Promise<ShownReport> {
  const { explain } = await import('@drawbridge/explanations/explain.ts');
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
const placeWidth = 44;
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
      const place =
        path === undefined ? wrapped(field, placeWidth, '/') : wrapped(path, placeWidth, '.');
      return [stage, rule, severity, place, messageOf(finding)];
    }),
  };
}

function messageOf({ message, explanation }: ExplainedFinding): string {
  const lines = [message];
  if (explanation !== undefined) {
    lines.push(`Why: ${explanation.why}`, `Fix: ${explanation.fix}`);
  }
  return lines.map((line) => wrapped(line, messageWidth)).join('\n');
}

function count(findings: readonly Finding[], what: string): string {
  return `${findings.length} ${what}${findings.length === 1 ? '' : 's'}`;
}
