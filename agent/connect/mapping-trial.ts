import { withCompany } from '@drawbridge/mapping/company.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { type Drafts, openDrafts } from '../mapping/drafts.ts';
import { previewLocally } from '../mapping/local-preview.ts';
import { fileOf, mappingOf } from '../mapping/mapping-file.ts';
import { proposeMapping } from '../mapping/proposal.ts';
import {
  previewDocuments,
  type SampleOutcome,
  type SourceSample,
  sampleSource,
} from '../mapping/source.ts';
import type { ConfiguredConnector } from '../store/connectors.ts';
import { openConnectors } from '../store/home.ts';
import { configuredSources } from '../sync/configured-sources.ts';
import { askOnce } from '../sync/single-call.ts';
import { breakingFields, halfBreakdown } from './breaking-fields.ts';
import { withChanges } from './mapping-changes.ts';
import { isRequired, openFields, sureMin } from './open-fields.ts';
import { lackingFields, refusingFields, unroundedFields } from './refused-fields.ts';
import type { ChangedTrial, FoundMapping, RemoteFault, Trial } from './work.ts';
import type { WorkContext } from './work-context.ts';

/** Values of a column that are shown. */
const samplesMax = 3;

/** Proposes a mapping, or changes one, and tries it on the newest documents; it becomes the draft. */
export async function tryMapping(
  context: WorkContext,
  { connector: name, profile: profileId, company }: Trial,
  change: ChangedTrial | undefined,
): Promise<FoundMapping> {
  const profile = profileById(profileId)!;
  const connector = connectorOf(context, name);
  const read = await sampleOf(context, name);
  if ('kind' in read) return read;
  const drafts = openDrafts(context.home.path);
  const known = change && (change.mapping ?? draftOf(drafts, name, profileId));
  const now = context.runtime.clock();
  const isFirst = change === undefined || known === undefined;
  const given = isFirst ? proposeMapping(read, profile) : withChanges(known, change.changes);
  const trial = { connector: name, profile, mapping: given, company };
  const breaking = new Set([...(await breakingFields(trial, read, now)), ...halfBreakdown(given)]);
  // Some show only once the company is known: what is proposed first tells of them, later they are left out.
  const kept = given.fields.filter(({ target }) => !breaking.has(target));
  const mapping = isFirst ? given : { ...given, fields: kept };
  drafts.write(name, fileOf(mapping, profile, connector), 'draft');
  const tried = { ...trial, mapping };
  const whole = withCompany(mapping, company, profile.id);
  const preview = await previewLocally(tried, read, now);
  const passing = await firstPassing(tried, read, now);
  return {
    kind: 'mapping',
    mapping,
    sure: mapping.fields.filter(({ confidence = 1 }) => confidence >= sureMin).length,
    open: openFields(mapping, profile, company),
    unsure: mapping.fields.flatMap(({ target, confidence = 1 }) => {
      const isLeft = confidence < sureMin || breaking.has(target);
      const isNeeded = isRequired(profile, target) && !target.startsWith('tax_');
      return isLeft && !isNeeded ? [target] : [];
    }),
    values: preview.valueMaps
      .filter(({ unrecognised }) => unrecognised.length > 0)
      .map(({ target, values, recognised, unrecognised, list }) => {
        return { target, values, recognised, unrecognised, list };
      }),
    columns: read.columns.map(({ section, column, samples }) => {
      return { place: `${section}.${column}`, sample: samples.slice(0, samplesMax).join(', ') };
    }),
    documents: preview.documents,
    refusals: preview.refusals.map(({ rule, message, documents }) => ({
      rule,
      message,
      documents,
    })),
    objections: preview.objections.map(({ id, words }) => ({ id, words })),
    lacking: lackingFields(whole, profile, preview.refusals),
    unrounded: unroundedFields(mapping, preview.refusals),
    refusing: refusingFields(mapping, profile, preview.refusals),
    ...(passing !== undefined && { passing }),
  };
}

function draftOf(drafts: Drafts, connector: string, profile: string): Mapping | undefined {
  const read = drafts.read(connector, profile, 'draft');
  return read.kind === 'read' ? mappingOf(read.file) : undefined;
}

async function firstPassing(
  tried: Parameters<typeof previewLocally>[0],
  sample: SourceSample,
  now: Date,
): Promise<string | undefined> {
  for (const document of sample.documents) {
    const alone = { ...sample, documents: [document], unread: [] };
    const { documents } = await previewLocally(tried, alone, now);
    if (documents.passed === 1) return document.ref;
  }
  return undefined;
}

function connectorOf({ home }: WorkContext, name: string): ConfiguredConnector {
  const all = openConnectors(home);
  const found = all.kind === 'opened' ? all.value.find((one) => one.name === name) : undefined;
  if (found === undefined) throw new Error('the connector was kept a moment ago');
  return found;
}

async function sampleOf(
  { home, settings, runtime }: WorkContext,
  name: string,
): Promise<SourceSample | RemoteFault> {
  const sources = configuredSources(home, settings, runtime);
  const used = await askOnce(sources, name, runtime.stop, (one, signal) =>
    sampleSource(one, previewDocuments, signal),
  );
  const outcome: SampleOutcome =
    used.kind === 'used' ? used.value : { kind: 'unreachable', fault: used.fault };
  if (outcome.kind === 'sampled') return outcome.sample;
  return { kind: 'fault', error: 'connector_failed', cause: outcome.fault.message };
}
