import { type RemoteInvoice, refusedByMapping } from '../../invoices/remote-invoices.ts';
import {
  type Answers,
  approveDraft,
  makeRemoteConnector,
  type RemotePreview,
} from '../../mapping/approval.ts';
import { objectionsTable } from '../../mapping/tables.ts';
import { type Failed, failed, type Outcome } from '../../outcome.ts';
import { watchedConnectors } from '../../store/home.ts';
import type { CommandContext } from '../command.ts';
import { type KeyOptions, type Remote, withRemote } from '../remote.ts';
import { mappingPlace, requireDraft } from './place.ts';

interface Options extends KeyOptions {
  readonly profile?: string;
  readonly answer: readonly string[];
}

export async function approve(
  context: CommandContext,
  options: Options,
  name: string,
): Promise<Outcome> {
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  const draft = requireDraft(found.place);
  if (draft.kind === 'failed') return draft;
  const given = answersOf(options.answer);
  if (given.kind === 'failed') return given;
  const { home, profile, drafts } = found.place;
  return withRemote(context, home, options, async (remote): Promise<Outcome> => {
    const connector = await connectorFor(context, remote, name, profile.id);
    if (connector.kind === 'failed') return connector;
    const place = { connectorId: connector.id, profile: profile.id };
    const approved = await approveDraft(remote.call, place, draft.mapping, (preview) =>
      asked(context, preview, given.answers),
    );
    if (approved.kind === 'failed') return approved;
    const { documents, objections } = approved.preview;
    const data = { name, profile: profile.id, connector_id: connector.id, documents, objections };
    const passed = `${documents.passed} of ${documents.read} documents would pass.`;
    if (approved.kind === 'open') {
      const table = objectionsTable(approved.open, 'Nothing was approved. These are not answered:');
      const how = 'Correct the mapping or the documents, or answer each with --answer ID=REASON.';
      const shown = [passed, table, how];
      return { kind: 'done', data: { ...data, approved: false }, shown, exit: 'validation' };
    }
    drafts.write(name, draft.file, 'approved');
    const refused = await refusedByMapping(remote.call, connector.id);
    const isWatched = watchedConnectors(home).includes(name);
    const shown = [
      `Approved at ${remote.url} as version ${approved.version}. ${passed}`,
      ...(refused.length === 0 ? [] : [resubmissionText(name, refused, isWatched)]),
    ].join('\n');
    const rejected = refused.map(({ id, source_ref }) => ({ id, source_ref }));
    const { version } = approved;
    return { kind: 'done', data: { ...data, approved: true, version, rejected }, shown };
  });
}

/** A document is read some time before its invoice is made. */
const readBeforeMs = 15 * 60_000;

/** How documents that an earlier mapping refused are submitted again: nothing does so by itself. */
function resubmissionText(
  name: string,
  refused: readonly RemoteInvoice[],
  isWatched: boolean,
): string {
  const what =
    refused.length === 1
      ? '1 document was rejected because the mapping did not fit. Have it submitted again'
      : `${refused.length} documents were rejected because the mapping did not fit. Have them submitted again`;
  if (!isWatched) return `${what} in the console, or by POST /v1/invoices.`;
  const first = Math.min(...refused.map((each) => Date.parse(each.created_at)));
  const time = `${new Date(first - readBeforeMs).toISOString().slice(0, 19)}Z`;
  return `${what}: drawbridge cursor rewind ${name} --to ${time} --send-again`;
}

type Given = { readonly kind: 'answers'; readonly answers: Answers } | Failed;

function answersOf(texts: readonly string[]): Given {
  const answers = new Map<string, string>();
  for (const text of texts) {
    const [, id = '', reason = ''] = /^(obj_[0-9a-f]+)=(.*\S.*)$/s.exec(text) ?? [];
    if (id === '')
      return failed('usage', '--answer takes OBJECTION=REASON, such as obj_1f2e…=Known.');
    answers.set(id, reason.trim());
  }
  return { kind: 'answers', answers };
}

/** The connector of the control plane that reads this one; one is made where there is none. */
async function connectorFor(
  { runtime, output }: CommandContext,
  { call, identity, connectorOf }: Remote,
  name: string,
  profile: string,
): Promise<{ readonly kind: 'found'; readonly id: string } | Failed> {
  const found = await connectorOf(name);
  if (found.kind === 'failed') return found;
  if (found.id !== undefined) return { kind: 'found', id: found.id };
  if (!output.quiet) {
    runtime.stderr.write(
      `The control plane has no connector for "${name}" of this agent yet: one is made, for ${profile}.\n`,
    );
  }
  const made = await makeRemoteConnector(call, identity.agentId, name, profile);
  return made.kind === 'failed' ? made : { kind: 'found', id: made.value };
}

/** Characters of a reason, as the API takes them. */
const reasonLengthMax = 500;

/** The answers that were given, and those to the other objections from the terminal where there is one. */
async function asked(
  { runtime }: CommandContext,
  { documents, objections }: RemotePreview,
  given: Answers,
): Promise<Answers> {
  const open = objections.filter(({ id, accepted }) => !accepted && !given.has(id));
  if (open.length === 0 || !runtime.stdin.isTTY) return given;
  const { input } = await import('@inquirer/prompts');
  runtime.stderr.write(
    `${documents.passed} of ${documents.read} documents would pass. ${open.length} objections want an answer.\n`,
  );
  const answers = new Map(given);
  for (const { id, words } of open) {
    const message = `${words}\n  Why may it be approved all the same? (nothing: leave it)`;
    const reason = (await input({ message })).trim().slice(0, reasonLengthMax);
    if (reason === '') return answers;
    answers.set(id, reason);
  }
  return answers;
}
