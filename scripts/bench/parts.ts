import { build } from '@drawbridge/binding/json/build.ts';
import { printXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type {
  AuthorityContext,
  OutboundDocument,
  WireResponse,
} from '@drawbridge/control-plane/authorities/contract.ts';
import { peppol } from '@drawbridge/control-plane/authorities/peppol/adapter.ts';
import {
  exchangeLimits,
  exchangeWith,
} from '@drawbridge/control-plane/einvoice/pipeline/submission/exchange.ts';
import { loopbackToo, publicOnly } from '@drawbridge/control-plane/platform/outbound/address.ts';
import { openOutboundClient } from '@drawbridge/control-plane/platform/outbound/client.ts';
import { openSender } from '@drawbridge/control-plane/webhooks/send.ts';
import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { compileRules } from '@drawbridge/rules/engine/compile.ts';
import { runRules } from '@drawbridge/rules/engine/run.ts';
import { SchemaStage } from '@drawbridge/validation/xsd.ts';
import { secretOf, sign } from '@drawbridge/webhooks/signature.ts';
import { mappings } from '../demo/mappings.ts';
import { eventTypes } from './receiver.ts';

/** CPU milliseconds of this process for one invoice, by part. */
export type PartCosts = Readonly<Record<string, number>>;

export interface PartsOptions {
  readonly erp: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly folder: string;
  readonly refs: readonly string[];
  readonly authorityUrl: string;
  readonly receiverUrl: string;
}

/** How many documents the pipeline reads from a source at once. */
const batch = 100;
const rounds = 3;
const never = new AbortController().signal;

/** The cost of each part of the pipeline, measured alone. */
export async function partCosts(options: PartsOptions): Promise<PartCosts> {
  const { refs } = options;
  const profile = profileById('PINT-AE')!;
  const binding = profile.bindings.invoice;
  const connector = await connectorKind('sqlite')!.open(options.settings, {
    clock: () => new Date(),
    allowedRoots: [options.folder],
  });
  const pull = async () => {
    const found = [];
    for (let at = 0; at < refs.length; at += batch) {
      found.push(...(await connector.readMany(refs.slice(at, at + batch), never)));
    }
    return found.map((each) => {
      if (each.kind !== 'found') throw new Error(`the sample is ${each.kind}`);
      return each.document;
    });
  };
  const documents = await pull();
  const mapping = approved();
  const mapped = documents.map((each) => apply(each, mapping).cim);
  const made = mapped.map((cim) => build(binding, profile.complete(cim)).root);
  const xmls = made.map((root) => emit(binding, root));
  const schema = new SchemaStage('bench/parts', printXsd(binding));
  const rules = compileRules(binding.root, profile.releases.at(-1)!.billing);
  const submission = await submissionOf(xmls[0]!, options.authorityUrl);
  const webhook = webhookOf(options.receiverUrl);
  const each = async (work: (index: number) => unknown): Promise<void> => {
    for (const index of refs.keys()) await work(index);
  };
  const parts: Record<string, () => Promise<unknown>> = {
    pull,
    map: () => each((at) => apply(documents[at]!, mapping)),
    'complete and emit': () =>
      each((at) => emit(binding, build(binding, profile.complete(mapped[at]!)).root)),
    XSD: () => each((at) => schema.check(xmls[at]!)),
    rules: () => each((at) => runRules(rules, made[at]!, profile.codeLists.billing)),
    'submit codec': () => each((at) => submission.encode(xmls[at]!, at)),
    'authority on the wire': () => each((at) => submission.exchange(xmls[at]!)),
    sign: () => each(webhook.sign),
    'webhooks on the wire': () => each(webhook.send),
  };
  const costs: Record<string, number> = {};
  for (const [name, work] of Object.entries(parts)) {
    costs[name] = (await cpuMs(work)) / refs.length;
  }
  await connector.close();
  await webhook.close();
  await submission.close();
  return costs;
}

/** CPU milliseconds of this process, all threads, for one round of warm work. */
export async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  await work();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}

function approved(): Mapping {
  const fields = mappings['PINT-AE'].fields.map((field) => ({ ...field, status: 'approved' }));
  return { profile: 'PINT-AE', fields } as Mapping;
}

/** The adapter with an exchange that answers at once, and the exchange without the adapter. */
async function submissionOf(xml: string, baseUrl: string) {
  const document = (bytes: string, at: number): OutboundDocument => ({
    invoiceId: `inv_${at}`,
    submissionKey: `sub_${at}`,
    profile: 'PINT-AE',
    xml: bytes,
    number: `AE-${at}`,
    issueDate: '2026-09-14',
    countryC1: 'AE',
    sender: { scheme: '0235', id: '1002345678' },
    receiver: { scheme: '0235', id: '1008765432' },
    documentTypeId:
      'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1::2.1',
    processId: 'urn:peppol:bis:billing',
  });
  const credentials = { dialect: 'phoss-ap', token: 'sandbox-token', delivered_on: 'receipt' };
  let path = '';
  let headers: Readonly<Record<string, string>> = {};
  const client = openOutboundClient(exchangeLimits);
  const exchange = exchangeWith({ baseUrl, credentials }, client);
  const send = (body: string): Promise<WireResponse> =>
    exchange({ method: 'POST', path, headers, body });
  const context = (wired: AuthorityContext['exchange']): AuthorityContext => ({
    endpoint: { baseUrl, credentials },
    exchange: wired,
    clock: () => new Date(),
    cache: new Map(),
  });
  let answer: WireResponse | undefined;
  const first = context(async (request) => {
    ({ path, headers } = request);
    answer = await send(request.body as string);
    return answer;
  });
  const [outcome] = await peppol.submit([document(xml, -1)], first);
  if (outcome?.kind !== 'delivered') throw new Error(`the sample is ${outcome?.kind}`);
  const canned = context(async () => answer!);
  return {
    encode: (bytes: string, at: number) => peppol.submit([document(bytes, at)], canned),
    exchange: send,
    close: () => client.close(),
  };
}

/** The webhooks of one invoice. */
function webhookOf(url: string) {
  const secrets = [secretOf(new Uint8Array(32).fill(7))];
  const requests = () =>
    eventTypes.map((event) => {
      const signedAt = new Date();
      const timestamp = signedAt.toISOString();
      const told = { event, id: 'inv_01k9zq3v7m2n4p6r8t0w2y4a6c', profile: 'PINT-AE', timestamp };
      return sign({ eventId: 'evt_1', payload: JSON.stringify(told), signedAt, secrets });
    });
  const sender = openSender({
    policies: { live: publicOnly, sandbox: loopbackToo },
    stopwatch: () => performance.now(),
  });
  const signed = requests();
  return {
    sign: requests,
    send: async () => {
      const onWritten = (): void => {};
      const sandbox = { environment: 'sandbox', onWritten } as const;
      await Promise.all(signed.map((each) => sender.send({ url, ...sandbox, ...each })));
    },
    close: () => sender.close(),
  };
}
