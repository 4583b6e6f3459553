import { accessOf, faultQuestion, trialOf } from './company-step.ts';
import { triedOf } from './mapping-step.ts';
import { answer, finding, type State, success } from './state.ts';
import { ask, type Question, type Step, work } from './step.ts';
import { say } from './texts.ts';
import type { FoundAcceptance, Hold, TriedMapping } from './work.ts';

/** Does it hold? Each objection is answered. */
export function objectionStep(state: State): Step | undefined {
  const tried = triedOf(state);
  const open = openObjections(state).filter(({ id }) => answer(state, id) === undefined);
  const [first] = open;
  if (first === undefined) return undefined;
  const isFirst = tried.objections.every(({ id }) => answer(state, id) === undefined);
  return ask(objectionQuestion(first, isFirst ? previewLines(tried) : []));
}

/** Those that were seen here, and those that the control plane found besides. */
function openObjections(state: State): TriedMapping['objections'] {
  const tried = triedOf(state).objections;
  const accepted = finding(state, 'accepted');
  return accepted?.kind === 'open' ? [...tried, ...accepted.objections] : tried;
}

function previewLines({ documents, refusals }: TriedMapping): readonly string[] {
  return [
    say('preview', documents),
    ...refusals.map((refusal) => `  ${say('preview.refusal', { ...refusal })}`),
    '',
  ];
}

function objectionQuestion(
  { id, words }: TriedMapping['objections'][number],
  says: readonly string[],
): Question {
  return {
    id,
    kind: 'text',
    message: say('objection'),
    why: say('objection.why'),
    default: say('objection.known'),
    isDeliberate: true,
    says: [...says, words],
  };
}

/** Go: the mapping is approved, the first invoice is submitted, and what comes after is said. */
export function submissionStep(state: State): Step | undefined {
  const accepted = finding(state, 'accepted');
  if (accepted === undefined) return work(acceptance(state));
  if (accepted.kind === 'fault') return ask(faultQuestion(accepted, 'accepted', ['api-key']));
  if (accepted.kind === 'open') {
    const isAnswered = accepted.objections.every(({ id }) => answer(state, id) !== undefined);
    return isAnswered ? work(acceptance(state)) : objectionStep(state);
  }
  const hold = answer(state, 'policy');
  if (hold === undefined) return ask(policyQuestion());
  const set = finding(state, 'policy');
  if (set === undefined) {
    const { connectorId } = accepted;
    const { connector } = trialOf(state);
    return work({
      id: 'policy',
      access: accessOf(state),
      connectorId,
      connector,
      hold: holdOf(hold),
    });
  }
  return set.kind === 'fault' ? ask(faultQuestion(set, 'policy', ['api-key'])) : undefined;
}

function holdOf(answered: string | undefined): Hold {
  return answered === 'release' || answered === 'approval' ? answered : 'none';
}

function acceptance(state: State) {
  const { passing } = triedOf(state);
  const reasons = openObjections(state).map(({ id }) => [id, answer(state, id) ?? ''] as const);
  return {
    id: 'accepted',
    access: accessOf(state),
    trial: trialOf(state),
    ...(passing !== undefined && { ref: passing }),
    reasons: Object.fromEntries(reasons),
  } as const;
}

function policyQuestion(): Question {
  return {
    id: 'policy',
    kind: 'choice',
    message: say('policy'),
    why: say('policy.why'),
    default: 'release',
    choices: [
      { value: 'release', name: say('policy.release') },
      { value: 'approval', name: say('policy.approval') },
      { value: 'none', name: say('policy.none') },
    ],
  };
}

/** What was reached, and what is still to be done until invoices go out live. */
export function endLines(state: State): readonly string[] {
  const accepted = success(state, 'accepted');
  const reached = reachedLine(accepted);
  const id = 'connectorId' in accepted ? accepted.connectorId : '';
  const { connector: name } = trialOf(state);
  const set = finding(state, 'policy');
  const watching =
    set?.kind === 'set' && set.from !== undefined
      ? say('end.watched', { name, day: set.from })
      : say('end.unwatched', { name });
  return [reached, '', watching, '', say('end.live', { id, name })];
}

function reachedLine(accepted: FoundAcceptance): string {
  switch (accepted.kind) {
    case 'accepted':
      return say('end.accepted', { ref: accepted.ref, id: accepted.id, status: accepted.status });
    case 'not-accepted':
      return say('end.not-accepted', { ref: accepted.ref, why: accepted.why });
    default:
      return say('end.approved', { why: say('no-passing') });
  }
}
