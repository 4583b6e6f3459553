import { stateLookup } from '@drawbridge/mapping/code-names.ts';
import { withCompany } from '@drawbridge/mapping/company.ts';
import { isAvailable } from '@drawbridge/mapping/coverage.ts';
import {
  companyOfAnswers,
  type FoundCompanyValue,
} from '@drawbridge/mapping/discovery/found-company.ts';
import {
  type Company,
  type CompanyField,
  type CompanyFieldName,
  companyField,
  companyFields,
  companyProblems,
  isCompanyField,
} from '@drawbridge/profiles/company.ts';
import {
  countryFacts,
  profileById,
  profileOfCountry,
  profiles,
} from '@drawbridge/profiles/registry.ts';
import { keyVariable } from '../control-plane/api-key.ts';
import { answer, draftedProfile, finding, type State, success } from './state.ts';
import { ask, type Question, type Step, work } from './step.ts';
import { say } from './texts.ts';
import type { FoundIdentity, RemoteAccess, RemoteFault, Trial } from './work.ts';

/** Who are you? The profile, the control plane, and what neither it nor the ERP says of the company. */
export function companyStep(state: State): Step | undefined {
  const identity = finding(state, 'identity');
  if (identity === undefined) return work({ id: 'identity' });
  if (answer(state, 'profile') === undefined) return ask(profileQuestion(state, identity));
  const step = remote(state, identity);
  if (step !== undefined) return step;
  const proposed = finding(state, 'proposed');
  if (proposed === undefined) {
    const earlier = state.before[draftedProfile];
    return work({ id: 'proposed', trial: trialOf(state), ...(earlier && { earlier }) });
  }
  if (proposed.kind === 'fault') return ask(faultQuestion(proposed, 'proposed', []));
  const paths = proposed.open.map(({ path }) => path);
  const offered = answer(state, 'company-found') === undefined ? offeredBySource(state, paths) : [];
  if (offered.length > 0) return ask(offeredQuestion(offered));
  const open = companyQuestion(state, paths);
  if (open !== undefined) return ask(open);
  const company = companyOf(state);
  const isNew = Object.keys(saidOfCompany(state)).length > 0;
  if (!isNew) return undefined;
  const told = finding(state, 'company');
  if (told === undefined) return work({ id: 'company', access: accessOf(state), company });
  return told.kind === 'fault' ? ask(refusedQuestion(state, told)) : undefined;
}

/** Of answers that the control plane refuses, each can be given anew; what follows from another by that one. */
function refusedQuestion(state: State, fault: RemoteFault): Question {
  const question = faultQuestion(fault, 'company', ['api-key']);
  const ids = [...new Set((fault.refused ?? []).flatMap((name) => sourceOfAnswer(state, name)))];
  if (ids.length === 0) return question;
  const answers = ids.map((id) => `\`--answer ${id}=…\``).join(', ');
  const cause = say('company.refused', { cause: fault.cause, answers });
  const anew = ids.map((id) => ({
    value: id,
    name: say('mend.answer', { label: labelOf(id) }),
    leads: { forgets: id },
  }));
  return {
    ...question,
    default: ids[0]!,
    choices: [...anew, ...question.choices!],
    says: [cause],
    fault: { error: fault.error, cause },
  };
}

function labelOf(id: string): string {
  const name = id.slice('company.'.length);
  return isCompanyField(name) ? companyField(name).label : say('company-found');
}

/** The question whose answer a value of the company profile is, or follows from. */
function sourceOfAnswer(state: State, name: string): readonly string[] {
  const candidates = [name, ...(basis[name] ?? [])];
  const asked = candidates.find((each) => answer(state, `company.${each}`) !== undefined);
  if (asked !== undefined) return [`company.${asked}`];
  return answer(state, 'company-found') === undefined ? [] : ['company-found'];
}

const basis: Readonly<Record<string, readonly CompanyFieldName[]>> = {
  country: ['vat'],
  subdivision: ['city'],
  endpoint_id: ['vat'],
  endpoint_scheme: ['endpoint_id', 'vat'],
  registration_type: ['registration_id'],
};

function profileQuestion(state: State, identity: FoundIdentity): Question {
  const known = knownProfile(state, identity);
  const { name, wasThere } = success(state, 'kept');
  return {
    id: 'profile',
    kind: 'choice',
    message: say('profile'),
    why: say('profile.why'),
    ...(known !== undefined && { default: known }),
    ...(wasThere && { says: [say('kept.again', { name })] }),
    choices: profiles.map(({ id, title }) => ({ value: id, name: `${title} (${id})` })),
  };
}

/** The profile that other sources have, or that of the company's country; else nobody but a person says it. */
function knownProfile(state: State, identity: FoundIdentity): string | undefined {
  const source = finding(state, 'source');
  const told = companyOfAnswers((source?.kind === 'discovered' && source.company) || []);
  const country = identity.country ?? told.country ?? countryOfVat(told);
  return identity.profile ?? profileOfCountry(country ?? '')?.id;
}

function remote(state: State, identity: FoundIdentity): Step | undefined {
  if (!identity.hasKey && answer(state, 'api-key') === undefined) {
    return ask({
      id: 'api-key',
      kind: 'secret',
      message: say('api-key'),
      why: say('api-key.why'),
    });
  }
  const found = finding(state, 'remote');
  if (found === undefined || isAnsweredSince(state, 'url', 'remote')) {
    return work({ id: 'remote', access: accessOf(state) });
  }
  if (found.kind !== 'fault') return undefined;
  return ask(
    found.error === 'api_address_other'
      ? urlQuestion(found)
      : faultQuestion(found, 'remote', ['api-key']),
  );
}

function isAnsweredSince({ entries }: State, question: string, done: string): boolean {
  const answered = entries.findLastIndex(({ id, by }) => id === question && by !== 'work');
  return answered > entries.findLastIndex(({ id, by }) => id === done && by === 'work');
}

/** The key is of the sandbox, whose address is not that of the enrolment. */
function urlQuestion({ error, cause }: RemoteFault): Question {
  return {
    id: 'url',
    kind: 'text',
    message: say('url'),
    why: say('url.why'),
    says: [cause],
    fault: { error, cause: say('url.other', { cause }) },
  };
}

export function accessOf(state: State): RemoteAccess {
  const url = answer(state, 'url');
  return {
    key: answer(state, 'api-key') ?? `env:${keyVariable}`,
    ...(url !== undefined && { url }),
  };
}

/** How to go on after work that failed: it is done again, or something is asked again. */
export function faultQuestion(
  { error, cause }: RemoteFault,
  done: string,
  asks: readonly 'api-key'[],
): Question {
  return {
    id: 'mend',
    kind: 'choice',
    message: say('mend'),
    why: say('mend.why'),
    default: asks[0] ?? 'again',
    choices: [
      { value: 'again', name: say('mend.again'), leads: { forgets: done } },
      ...asks.map((id) => ({ value: id, name: say(`mend.${id}`), leads: { forgets: id } })),
    ],
    says: [cause],
    fault: { error, cause },
  };
}

export function trialOf(state: State): Trial {
  return {
    connector: success(state, 'kept').name,
    profile: answer(state, 'profile')!,
    company: companyOf(state),
  };
}

/** What the control plane knew, what was said since, and what follows from both. */
function companyOf(state: State): Company {
  return withDerived(state, { ...companyKnown(state), ...saidOfCompany(state) });
}

function withDerived(state: State, said: Company): Company {
  if (Object.keys(said).length === 0) return said;
  return { ...derived(said, answer(state, 'profile')!), ...said };
}

function companyKnown(state: State): Company {
  const found = finding(state, 'remote');
  return found?.kind === 'company' ? found.company : {};
}

function saidOfCompany(state: State): Company {
  const isTaken = answer(state, 'company-found') === 'take';
  const taken = isTaken ? companyOfAnswers(foundInSource(state)) : {};
  const answered = companyFields.flatMap(({ name }) => {
    const said = answer(state, `company.${name}`);
    return said === undefined || said === '' ? [] : [[name, said]];
  });
  return { ...taken, ...Object.fromEntries(answered) };
}

/** What the source says and the control plane does not know, as far as it keeps to the rules of this profile's country. */
function foundInSource(state: State): readonly FoundCompanyValue[] {
  const found = finding(state, 'source');
  const all = (found?.kind === 'discovered' && found.company) || [];
  const known = companyKnown(state);
  const company = withDerived(state, { ...companyOfAnswers(all), ...known });
  return all.filter(
    ({ field, value }) =>
      known[field] === undefined && companyField(field).problem(value, company) === undefined,
  );
}

/** What the source says of the company, where any of it is asked for. */
function offeredBySource(state: State, open: readonly string[]): readonly FoundCompanyValue[] {
  const profile = answer(state, 'profile')!;
  const found = foundInSource(state);
  const company = { ...companyOf(state), ...companyOfAnswers(found) };
  const isAsked = stillOpen(open, company, profile).length < open.length;
  return isAsked ? found : [];
}

function offeredQuestion(offered: readonly FoundCompanyValue[]): Question {
  const shown = offered.map(
    ({ field, value, from }) => `${companyField(field).label}: ${value} (${from})`,
  );
  return {
    id: 'company-found',
    kind: 'choice',
    message: say('company-found'),
    why: say('company-found.why'),
    default: 'take',
    choices: [
      { value: 'take', name: say('company-found.take') },
      { value: 'ask', name: say('company-found.ask') },
    ],
    says: shown,
  };
}

/** What follows from the profile and other answers, so that it need not be asked. */
function derived(said: Company, profile: string): Company {
  const country = said.country ?? onlyCountry(profile) ?? countryOfVat(said);
  const facts = countryFacts(country ?? '');
  const endpoint = facts.isEndpointVat && said.vat?.slice(2);
  const stateOf = stateLookup(facts.subdivisions ?? {});
  const all: Partial<Record<CompanyFieldName, string | undefined>> = {
    country,
    registration_type: said.registration_id && facts.registrationTypes?.[0],
    subdivision: stateOf(said.city ?? ''),
    endpoint_scheme: (said.endpoint_id ?? endpoint) && facts.endpointScheme,
    endpoint_id: endpoint,
    default_currency: facts.currency,
  };
  const told = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(told) as Company;
}

/** The country of a profile that is of one. */
function onlyCountry(profile: string): string | undefined {
  const countries = Object.keys(profileById(profile)?.company.countries ?? {});
  return countries.length === 1 ? countries[0] : undefined;
}

/** Numbers of Greece begin with EL. */
function countryOfVat({ vat }: Company): string | undefined {
  return vat?.slice(0, 2).replace('EL', 'GR');
}

/** Asks for the next thing that the company can say of what is open. */
function companyQuestion(state: State, open: readonly string[]): Question | undefined {
  const profile = answer(state, 'profile')!;
  const company = companyOf(state);
  const left = stillOpen(open, company, profile);
  for (const field of inOrder) {
    const id = `company.${field.name}`;
    if (company[field.name] !== undefined || answer(state, id) !== undefined) continue;
    const isRequired = targetsOf(field.name, company, profile).some((path) => left.includes(path));
    const isRuled =
      left.length < open.length &&
      profileById(profile)?.company.asked?.includes(field.name) === true;
    if (isRequired || isRuled) {
      const found = foundInSource(state).find((one) => one.field === field.name);
      return fieldQuestion(field, company, profile, found);
    }
  }
  return undefined;
}

/** The tax number first: the country and others follow from it. */
const inOrder = [...companyFields].sort((one, other) => rankOf(one) - rankOf(other));

function rankOf({ name }: CompanyField): number {
  return name === 'legal_name' ? 0 : name === 'vat' ? 1 : 2;
}

/** Of these paths those that neither the company profile nor what a profile makes of it fills. */
export function stillOpen(
  paths: readonly string[],
  company: Company,
  profileId: string,
): readonly string[] {
  const known = withCompany({ fields: [] }, company, profileId).fields;
  const targets = new Set(known.map(({ target }) => target));
  const { filled } = profileById(profileId)!;
  return paths.filter((path) => !isAvailable(path, targets, filled));
}

/** What a field of the company profile fills, found by filling it. */
function targetsOf(name: CompanyFieldName, company: Company, profile: string): readonly string[] {
  const withIt = withCompany({ fields: [] }, { ...company, [name]: '1' }, profile).fields;
  const without = withCompany({ fields: [] }, company, profile).fields;
  const known = new Set(without.map(({ target }) => target));
  return withIt.flatMap(({ target }) => (known.has(target) ? [] : [target]));
}

function fieldQuestion(
  { name, label, help, example, problem }: CompanyField,
  company: Company,
  profile: string,
  found: FoundCompanyValue | undefined,
): Question {
  const proposed =
    found?.value ?? derived({ ...company, endpoint_id: company.endpoint_id ?? '1' }, profile)[name];
  return {
    id: `company.${name}`,
    kind: 'text',
    message: label,
    why:
      found === undefined
        ? say('company.why', { help, example })
        : say('company.why-found', { help, from: found.from }),
    ...(proposed !== undefined && { default: proposed }),
    problem: (text) => {
      const said = { ...company, [name]: text };
      const wrong = text === '' ? say('company.empty') : problem(text, said);
      return wrong === undefined ? followingProblem(company, said, profile) : `${label} ${wrong}`;
    },
  };
}

/** What is wrong with that which follows from an answer, and so is not asked. */
function followingProblem(before: Company, said: Company, profile: string): string | undefined {
  const whole = { ...derived(said, profile), ...said };
  for (const [name, wrong] of Object.entries(companyProblems(whole))) {
    if (!isCompanyField(name) || name in said || name in before) continue;
    return say('company.follows', { label: companyField(name).label, problem: wrong });
  }
  return undefined;
}
