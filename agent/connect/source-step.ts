import { fileKinds } from '@drawbridge/connectors/file-content/settings.ts';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { isReference } from '../config/secret-reference.ts';
import {
  type Address,
  readAddress,
  type SourceKind,
  sourceKinds,
  usualSchemes,
  usualUser,
} from './address.ts';
import { answer, finding, type State } from './state.ts';
import { ask, type Choice, type Question, type Step, work } from './step.ts';
import { say } from './texts.ts';
import type { FoundPath, Source } from './work.ts';

/** Where is it? Kind, address and login, which are tried at once; undefined when the source answers. */
export function sourceStep(state: State): Step | undefined {
  const given = answer(state, 'address');
  if (given === undefined && answer(state, 'kind') === undefined) return ask(kindQuestion());
  if (given === undefined) return ask(addressQuestion(kindOf(state)!));
  const address = readAddress(given, kindOf(state));
  if (address.kind === 'unreadable') return ask(unreadable(state, faultOf(address)));
  if (address.kind === 'path') {
    const step = path(state, address.path);
    if (step !== undefined) return step;
  } else if (answer(state, 'password') === undefined) {
    return ask(passwordQuestion(state, address));
  }
  const found = finding(state, 'source');
  if (found === undefined) {
    const header = answer(state, 'header');
    return work({ id: 'source', source: sourceOf(state), ...(header !== undefined && { header }) });
  }
  return found.kind === 'fault' ? ask(faulted(state, address, found.fault)) : undefined;
}

function kindOf(state: State): SourceKind | undefined {
  return sourceKinds.find(({ kind }) => kind === answer(state, 'kind'));
}

function faultOf({ why }: Extract<Address, { kind: 'unreadable' }>): string {
  const schemes = usualSchemes.map((scheme) => `${scheme}://`).join(' or ');
  return say(`address.${why}`, { schemes });
}

function kindQuestion(): Question {
  return {
    id: 'kind',
    kind: 'choice',
    message: say('kind'),
    why: say('kind.why'),
    default: 'mysql',
    choices: sourceKinds.map(({ kind, title }) => ({ value: kind, name: title })),
  };
}

function addressQuestion(kind: SourceKind): Question {
  const form = kind.address.kind;
  return {
    id: 'address',
    kind: 'text',
    message: say(`address.${form}`),
    why: say(`address.${form}.why`),
    default: exampleOf(kind),
    problem: (text) => {
      const address = readAddress(text, kind);
      return address.kind === 'unreadable' ? faultOf(address) : undefined;
    },
  };
}

function exampleOf({ address }: SourceKind): string {
  switch (address.kind) {
    case 'server':
      return `${usualUser}@localhost:${address.port}/erp`;
    case 'mailbox':
      return 'invoices@localhost/INBOX';
    default:
      return address.example;
  }
}

/** An address of the command line cannot be asked for as it was typed. */
function unreadable(state: State, cause: string): Question {
  const kind = kindOf(state);
  return {
    ...(kind === undefined ? kindQuestion() : mendQuestion(['address'], [])),
    says: [cause],
    fault: { error: 'usage', cause },
    ...(kind === undefined && {
      choices: sourceKinds.map(({ kind: value, title }) => ({
        value,
        name: title,
        leads: { forgets: 'address', answers: { kind: value } },
      })),
    }),
  };
}

function path(state: State, wanted: string): Step | undefined {
  const found = finding(state, 'path');
  if (found === undefined) return work({ id: 'path', path: wanted });
  if (found.kind !== 'folder' && found.kind !== 'file') {
    const endings = fileKinds.map((kind) => `.${kind}`).join(', ');
    const cause = say(`path.${found.kind}`, { path: found.path, endings });
    return ask({
      ...mendQuestion(['address'], ['again']),
      says: [cause],
      fault: { error: 'file_missing', cause },
    });
  }
  return undefined;
}

function passwordQuestion(
  state: State,
  address: Exclude<Address, { kind: 'path' | 'unreadable' }>,
) {
  const script = grantsOf(sourceOf(state));
  return {
    id: 'password',
    kind: 'secret',
    message: say('password', { user: address.user }),
    why: say('password.why'),
    ...(script !== undefined && { says: [say('grants'), '', ...script.trimEnd().split('\n'), ''] }),
  } as const;
}

/** The least rights that a source needs as far as it is known, as a script; undefined where there are none. */
export function grantsOf({ kind: name, settings }: Source): string | undefined {
  const kind = connectorKind(name);
  const reading = { ...settings, writeBack: { mode: 'none' }, drafts: { mode: 'none' } };
  const parsed = kind?.grants === undefined ? undefined : kind.settings.safeParse(reading);
  return parsed?.success === true ? kind!.grants!(parsed.data) : undefined;
}

function faulted(
  state: State,
  address: Address,
  fault: { readonly code: string; readonly message: string },
): Question {
  const isServer = address.kind !== 'path';
  const isEncryptable = fault.code === 'tls_required' || fault.code === 'unreachable';
  const tls =
    address.kind === 'mailbox' && isEncryptable
      ? (['tls-starttls', 'tls-unverified', 'tls-off'] as const)
      : fault.code === 'tls_required'
        ? (['tls-verify', 'tls-unverified'] as const)
        : [];
  const refused = fault.code === 'access_denied' && isServer;
  const script = refused ? grantsOf(sourceOf(state)) : undefined;
  const question = mendQuestion(
    isServer ? (refused ? ['password', 'address'] : ['address', 'password']) : ['address'],
    ['again', ...tls],
  );
  const isLasting = ['file_missing', 'not_a_database', 'database_missing'].includes(fault.code);
  return {
    ...question,
    default:
      (address.kind === 'mailbox' ? undefined : tls[0]) ??
      (refused ? 'password' : isLasting ? 'address' : 'again'),
    says: [
      fault.message,
      ...(script === undefined ? [] : [say('grants'), '', ...script.trimEnd().split('\n'), '']),
    ],
    fault: { error: 'connector_failed', cause: `${fault.message} (${fault.code})` },
  };
}

type Mending = 'again' | 'tls-verify' | 'tls-starttls' | 'tls-unverified' | 'tls-off';

/** How to go on after a fault; what is chosen is asked again, or tried again. */
function mendQuestion(
  asks: readonly ('address' | 'password')[],
  tries: readonly Mending[],
): Question {
  const choices: Choice[] = [
    ...tries.map((value) => ({
      value,
      name: say(`mend.${value}`),
      leads: {
        forgets: value === 'again' && !asks.includes('password') ? 'path' : 'source',
        ...(value !== 'again' && { answers: { tls: value.slice('tls-'.length) } }),
      },
    })),
    ...asks.map((value) => ({ value, name: say(`mend.${value}`), leads: { forgets: value } })),
  ];
  return {
    id: 'mend',
    kind: 'choice',
    message: say('mend'),
    why: say('mend.why'),
    default: choices[0]!.value,
    choices,
  };
}

/** The source as far as it is known; `sections` and the like are added to its settings later. */
export function sourceOf(state: State): Source {
  const address = readAddress(answer(state, 'address') ?? '', kindOf(state));
  const given = answer(state, 'password') ?? '';
  const password = given === '' ? {} : { password: given };
  const tls = answer(state, 'tls');
  switch (address.kind) {
    case 'server': {
      const { connector, host, port, database, user } = address;
      const settings = { host, port, database, user, ...password, ...(tls && { tls }) };
      return { kind: connector, settings, roots: [] };
    }
    case 'mailbox': {
      const { connector, host, port, user, mailbox } = address;
      const settings = { host, port, user, mailbox, ...password, ...(tls && { tls }) };
      return { kind: connector, settings, roots: [] };
    }
    case 'path':
      return sourceAt(finding(state, 'path'));
    case 'unreadable':
      return { kind: '', settings: {}, roots: [] };
  }
}

function sourceAt(found: FoundPath | undefined): Source {
  if (found?.connector === undefined) return { kind: '', settings: {}, roots: [] };
  const { connector, kind, path: place } = found;
  const roots = found.folder === undefined ? [] : [found.folder];
  return { kind: connector, settings: { [kind]: place }, roots };
}

/** A name for the connector: of the database, the file or the folder. */
export function nameOf(state: State): string {
  const address = readAddress(answer(state, 'address') ?? '', kindOf(state));
  const told =
    address.kind === 'server'
      ? address.database
      : address.kind === 'mailbox'
        ? address.mailbox
        : (finding(state, 'path')
            ?.path.replace(/^.*[\\/]/, '')
            .replace(/\.[^.]*$/, '') ?? '');
  const plain = told
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'erp' : plain;
}

/** What is wrong with a secret that stands on a command line. */
export function secretProblem(text: string): string | undefined {
  return isReference(text) || text === '' ? undefined : say('password.reference');
}
