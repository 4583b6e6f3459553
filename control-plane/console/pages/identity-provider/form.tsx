import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { RoleFields } from '../members/role-fields.tsx';
import { type Draft, draftOf, newGroup, requestOf } from './draft.ts';
import styles from './form.module.css';
import { type GroupRoles, type Provider, providerQuery, saveProvider } from './queries.ts';
import { useIdentityProviderTexts } from './texts.ts';

/** The settings, to be changed. */
export function ProviderSettings({ provider }: { provider: Provider | null }) {
  const t = useIdentityProviderTexts();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => draftOf(provider));
  const save = useMutation({
    mutationFn: () => saveProvider(requestOf(draft)),
    onSuccess: (now) => {
      queryClient.setQueryData(providerQuery.queryKey, now);
      setDraft(draftOf(now.provider)); // without the secret
    },
  });
  const fields = save.error instanceof Problem ? save.error.fields : {};
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const text = (name: TextName, more: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField
      label={t(name)}
      hint={t(`${name}_hint`)}
      dir="ltr"
      autoComplete="off"
      value={draft[name]}
      problem={fields[name]?.join(' ')}
      onChange={({ target }) => set({ [name]: target.value })}
      {...more}
    />
  );
  return (
    <Form saving={save} onSubmit={() => save.mutate()}>
      {text('name', { required: true, dir: 'auto' })}
      {text('sign_in_name', { required: true })}
      {text('issuer', { required: true, type: 'url' })}
      {text('client_id', { required: true })}
      {text('client_secret', {
        type: 'password',
        autoComplete: 'new-password',
        hint: provider?.has_client_secret ? t('secretKept') : t('client_secret_hint'),
      })}
      {text('scopes', { required: true })}
      {text('groups_claim', { required: true })}
      <Groups rows={draft.group_roles} onChange={(group_roles) => set({ group_roles })} />
      <fieldset className={styles.fields}>
        <legend>{t('defaultRoles')}</legend>
        <p>{t('defaultRolesHint')}</p>
        <RoleFields
          roles={draft.default_roles}
          onChange={({ role, einvoicing_role }) =>
            set({ default_roles: { role, einvoicing_role } })
          }
        />
      </fieldset>
      {text('email_domains')}
      {text('proof_acr_values')}
      {text('proof_amr_values')}
      <Switch
        label={t('enabled')}
        hint={t('enabledHint')}
        isOn={draft.is_enabled}
        onChange={(is_enabled) => set({ is_enabled })}
      />
      <Switch
        label={t('required')}
        hint={t('requiredHint')}
        isOn={draft.is_required}
        onChange={(is_required) => set({ is_required })}
      />
      {save.error && <ProblemNote error={save.error} />}
      {save.isSuccess && <p role="status">{t('saved')}</p>}
      <Button type="submit" kind="main" isBusy={save.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}

type TextName = {
  [Name in keyof Draft]: Draft[Name] extends string ? Name : never;
}[keyof Draft];

interface GroupsProps {
  readonly rows: readonly GroupRoles[];
  onChange(rows: readonly GroupRoles[]): void;
}

/** What the groups of the provider are here. */
function Groups({ rows, onChange }: GroupsProps) {
  const t = useIdentityProviderTexts();
  const change = (at: number, row: GroupRoles) => onChange(rows.with(at, row));
  return (
    <fieldset className={styles.fields}>
      <legend>{t('groups')}</legend>
      <p>{t('groupsHint')}</p>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own while it is typed
        <div key={at} className={styles.row}>
          <TextField
            label={t('group')}
            dir="ltr"
            value={row.group}
            onChange={({ target }) => change(at, { ...row, group: target.value })}
          />
          <RoleFields
            roles={row}
            onChange={({ role, einvoicing_role }) => change(at, { ...row, role, einvoicing_role })}
          />
          <Button onClick={() => onChange(rows.toSpliced(at, 1))}>{t('removeGroup')}</Button>
        </div>
      ))}
      <Button onClick={() => onChange([...rows, newGroup])}>{t('addGroup')}</Button>
    </fieldset>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
}

function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />{' '}
      {label}
      <br />
      <small>{hint}</small>
    </label>
  );
}
