import { useQuery, useQueryClient } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Confirm } from '../../design/confirm.tsx';
import { CopyField } from '../../design/copy-field.tsx';
import { Card, EmptyState, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { ProviderSettings } from './form.tsx';
import { providerQuery, removeProvider, type Settings } from './queries.ts';
import { useIdentityProviderTexts } from './texts.ts';
import { Trial } from './trial.tsx';

/** Who signs the members of the workspace in. */
export function IdentityProviderPage() {
  const t = useIdentityProviderTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'members:write');
  const { data, error, refetch } = useQuery(providerQuery);
  return (
    <Page title={t('title')} lead={t('lead')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={6} />}
      {data && (mayWrite ? <Content settings={data} /> : <Shown settings={data} />)}
    </Page>
  );
}

function Content({ settings }: { settings: Settings }) {
  const t = useIdentityProviderTexts();
  const queryClient = useQueryClient();
  const { provider, redirect_uris, sign_out_uris, backchannel_logout_uri } = settings;
  const page = (name: string) => `${sign_out_uris[0]}?${new URLSearchParams({ workspace: name })}`;
  return (
    <>
      <Card title={t('register')}>
        <p>{t('registerText')}</p>
        {redirect_uris.map((uri) => (
          <CopyField key={uri} label={t('redirectUri')} text={uri} />
        ))}
        {sign_out_uris.map((uri) => (
          <CopyField key={uri} label={t('signOutUri')} text={uri} />
        ))}
        <CopyField label={t('backchannelUri')} text={backchannel_logout_uri} />
      </Card>
      <Card title={t('settings')}>
        <ProviderSettings provider={provider} />
      </Card>
      {provider && (
        <>
          <Card title={t('trial')}>
            <Trial last={provider.last_trial} />
          </Card>
          <Card title={t('forPeople')}>
            <p>{t('forPeopleText')}</p>
            <CopyField label={t('signInPage')} text={page(provider.sign_in_name)} />
            <Confirm
              action={t('remove')}
              title={t('removeTitle')}
              isDangerous
              onConfirm={async () => {
                await removeProvider();
                await queryClient.invalidateQueries({ queryKey: providerQuery.queryKey });
              }}
            >
              {t('removeText')}
            </Confirm>
          </Card>
        </>
      )}
    </>
  );
}

function Shown({ settings: { provider } }: { settings: Settings }) {
  const t = useIdentityProviderTexts();
  if (provider === null) return <EmptyState title={t('none')}>{t('noneText')}</EmptyState>;
  return (
    <Card title={provider.name}>
      <Facts
        facts={[
          [t('sign_in_name'), provider.sign_in_name, 'name'],
          [t('issuer'), <bdi key="issuer">{provider.issuer}</bdi>, 'issuer'],
          [t('email_domains'), provider.email_domains.join(', '), 'domains'],
          [t('enabled'), t(provider.is_enabled ? 'yes' : 'no'), 'enabled'],
          [t('required'), t(provider.is_required ? 'yes' : 'no'), 'required'],
        ]}
      />
    </Card>
  );
}
