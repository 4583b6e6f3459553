import type { GroupRoles, Provider, ProviderRequest } from './queries.ts';

/** The settings as they are typed. */
export interface Draft {
  readonly name: string;
  readonly sign_in_name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Empty: the one that is kept stays. */
  readonly client_secret: string;
  readonly scopes: string;
  readonly groups_claim: string;
  readonly group_roles: readonly GroupRoles[];
  readonly default_roles: Pick<GroupRoles, 'role' | 'einvoicing_role'>;
  readonly email_domains: string;
  readonly proof_acr_values: string;
  readonly proof_amr_values: string;
  readonly is_required: boolean;
  readonly is_enabled: boolean;
}

const noRoles = { role: null, einvoicing_role: null };
export const newGroup: GroupRoles = { group: '', ...noRoles };

export function draftOf(provider: Provider | null): Draft {
  const words = (list: readonly string[] | undefined) => (list ?? []).join(' ');
  return {
    name: provider?.name ?? '',
    sign_in_name: provider?.sign_in_name ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scopes: words(provider?.scopes) || 'openid email profile',
    groups_claim: provider?.groups_claim ?? 'groups',
    group_roles: provider?.group_roles ?? [newGroup],
    default_roles: provider?.default_roles ?? noRoles,
    email_domains: words(provider?.email_domains),
    proof_acr_values: words(provider?.proof_acr_values),
    proof_amr_values: words(provider?.proof_amr_values),
    is_required: provider?.is_required ?? false,
    is_enabled: provider?.is_enabled ?? false,
  };
}

export function requestOf(draft: Draft): ProviderRequest {
  const { client_secret, default_roles, group_roles, ...rest } = draft;
  const hasDefault = default_roles.role !== null || default_roles.einvoicing_role !== null;
  return {
    ...rest,
    ...(client_secret === '' ? {} : { client_secret }),
    scopes: wordsOf(draft.scopes),
    group_roles: group_roles.filter(({ group }) => group.trim() !== ''),
    default_roles: hasDefault ? default_roles : null,
    email_domains: wordsOf(draft.email_domains),
    proof_acr_values: wordsOf(draft.proof_acr_values),
    proof_amr_values: wordsOf(draft.proof_amr_values),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
