import { companyStep } from './company-step.ts';
import { layoutStep } from './layout-step.ts';
import { mappingStep } from './mapping-step.ts';
import { sourceStep } from './source-step.ts';
import { finding, type State, success } from './state.ts';
import type { Step } from './step.ts';
import { endLines, objectionStep, submissionStep } from './submission-step.ts';
import { say } from './texts.ts';
import type { FoundAcceptance, Kept } from './work.ts';

/** What comes next, by what was answered and found so far. */
export function nextStep(state: State): Step {
  const first = sourceStep(state) ?? layoutStep(state);
  if (first !== undefined) return first;
  const kept = success(state, 'kept');
  if (finding(state, 'identity')?.isEnrolled === false) return enrolFirst(kept);
  return (
    companyStep(state) ??
    mappingStep(state) ??
    objectionStep(state) ??
    submissionStep(state) ??
    end(state, kept.name)
  );
}

/** The source is kept; it goes on from here once the host is enrolled. */
function enrolFirst({ name, wasThere }: Kept): Step {
  return {
    kind: 'pause',
    forgets: 'identity',
    says: [...(wasThere ? [say('kept.again', { name })] : []), say('enrol-first', { name })],
    data: { connector: name, next: 'enroll' },
  };
}

function end(state: State, name: string): Step {
  const accepted = success(state, 'accepted');
  const connectorId = 'connectorId' in accepted ? accepted.connectorId : undefined;
  const policy = finding(state, 'policy');
  const from = policy?.kind === 'set' ? policy.from : undefined;
  const invoice = invoiceOf(accepted);
  const data = {
    connector: name,
    ...(connectorId !== undefined && { connector_id: connectorId }),
    questions: state.entries.filter(({ by }) => by === 'person').length,
    ...(invoice !== undefined && { invoice }),
    ...(from !== undefined && { submit_from: from }),
  };
  return { kind: 'end', says: endLines(state), data };
}

/** What became of the first invoice, where one was made. */
function invoiceOf(accepted: FoundAcceptance) {
  switch (accepted.kind) {
    case 'accepted':
      return { id: accepted.id, source_ref: accepted.ref, status: accepted.status };
    case 'not-accepted':
      return accepted.id && { id: accepted.id, source_ref: accepted.ref, status: 'rejected' };
    default:
      return undefined;
  }
}
