import { approvedPart, type RemoteMapping, readRemoteMapping } from '../../mapping/approval.ts';
import { fieldsTable } from '../../mapping/tables.ts';
import { failed, type Outcome } from '../../outcome.ts';
import type { CommandContext } from '../command.ts';
import { askConnector, faulted } from '../connector/source-calls.ts';
import { type KeyOptions, withRemote } from '../remote.ts';
import { type MappingPlace, mappingPlace, requireDraft } from './place.ts';

interface Options extends KeyOptions {
  readonly profile?: string;
  readonly source: boolean;
  readonly remote: boolean;
}

export async function show(
  context: CommandContext,
  options: Options,
  name: string,
): Promise<Outcome> {
  if (options.source) return showSource(context, name);
  const found = mappingPlace(context, name, options.profile);
  if (found.kind === 'failed') return found;
  if (options.remote) return showRemote(context, options, found.place);
  const draft = requireDraft(found.place);
  if (draft.kind === 'failed') return draft;
  const { profile, drafts } = found.place;
  const path = drafts.path(name, profile.id, 'draft');
  const data = { name, profile: profile.id, draft: path, mapping: draft.mapping };
  const company = draft.file.company ?? [];
  const left = company.length === 0 ? '' : `Left to the company profile: ${company.join(', ')}.\n`;
  return {
    kind: 'done',
    data,
    shown: [
      fieldsTable(draft.mapping, `Draft for ${name}, ${profile.title}:`),
      `${left}Draft: ${path}`,
    ],
  };
}

/** What the control plane reads documents by, and how many wait for it. */
async function showRemote(
  context: CommandContext,
  options: KeyOptions,
  { home, connector: { name }, profile }: MappingPlace,
): Promise<Outcome> {
  return withRemote(context, home, options, async ({ call, connectorOf }): Promise<Outcome> => {
    const found = await connectorOf(name);
    if (found.kind === 'failed') return found;
    if (found.id === undefined) {
      return failed(
        'mapping_absent',
        `The control plane has no connector for "${name}" of this agent yet: drawbridge mapping approve ${name} makes one.`,
      );
    }
    const read = await readRemoteMapping(call, { connectorId: found.id, profile: profile.id });
    if (read.kind === 'failed') return read;
    const { version, mapping, documentsWaiting, next } = read.value;
    const data = {
      name,
      profile: profile.id,
      connector_id: found.id,
      version,
      documents_waiting: documentsWaiting,
      next,
      mapping,
    };
    const title = `At the control plane for ${name}, ${profile.title}:`;
    const words = [waitingWords(read.value, name), ...next].join('\n');
    return { kind: 'done', data, shown: [fieldsTable(mapping, title), words] };
  });
}

function waitingWords(remote: RemoteMapping, name: string): string {
  const { documentsWaiting: count } = remote;
  if (count === 0) return 'No document waits.';
  const documents = count === 1 ? 'One document waits' : `${count} documents wait`;
  if (approvedPart(remote).fields.length > 0) return `${documents} to be submitted.`;
  const review = `drawbridge mapping test ${name}`;
  return `${documents} for a first mapping. Next: ${review}, then drawbridge mapping approve ${name}.`;
}

const sampleLengthMax = 40;

async function showSource(context: CommandContext, name: string): Promise<Outcome> {
  const asked = await askConnector(context, name, (one, signal) => one.describe(signal));
  if (asked.kind === 'failed') return asked;
  if (asked.value.kind === 'unreachable') return faulted(asked.value.fault);
  const { columns, joins } = asked.value;
  const rows = columns.map(({ section, origin, column, type, samples }) => {
    return [section, origin, column, type, (samples[0] ?? '').slice(0, sampleLengthMax)];
  });
  const head = ['section', 'origin', 'column', 'type', 'sample'];
  return { kind: 'done', data: { name, columns, joins }, shown: { head, rows } };
}
