import { useSession } from '../../api/session.ts';
import { Card, Facts, Page } from '../../design/page.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { useProfileTexts } from './texts.ts';

/** What somebody sees and changes of their own account. */
export function ProfilePage() {
  const t = useProfileTexts();
  const { user, tenant, role, einvoicing_role, signed_in_by } = useSession();
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Card title={t('you')}>
        <Facts
          facts={[
            [t('name'), <bdi key="name">{user.name}</bdi>, 'name'],
            [t('email'), user.email, 'email'],
            [t('workspace'), <bdi key="workspace">{tenant.name}</bdi>, 'workspace'],
            [t('einvoicingRole'), einvoicing_role ?? t('noRole'), 'einvoicing'],
            [t('messagingRole'), role ?? t('noRole'), 'messaging'],
          ]}
        />
      </Card>
      {signed_in_by === 'provider' ? (
        <Card title={t('password')}>
          <p>{t('byProvider')}</p>
        </Card>
      ) : (
        <>
          <Card title={t('password')}>
            <PasswordForm />
          </Card>
          <Card title={t('secondFactor')}>
            <SecondFactor />
          </Card>
        </>
      )}
      <Card title={t('sessions')}>
        <Sessions />
      </Card>
    </Page>
  );
}
