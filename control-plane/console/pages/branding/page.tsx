import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Logo } from './logo.tsx';
import { Proofs } from './proofs.tsx';
import { type Branding, type BrandingPatch, brandingQuery, changeBranding } from './queries.ts';
import { useBrandingTexts } from './texts.ts';

export function BrandingPage() {
  const t = useBrandingTexts();
  const queryClient = useQueryClient();
  const mayWrite = mayDo(useSession(), 'messaging', 'branding:write');
  const { data: branding, error, refetch } = useQuery(brandingQuery);
  const change = useMutation({
    mutationFn: (patch: BrandingPatch) => changeBranding(patch),
    onSuccess: (now) => queryClient.setQueryData(brandingQuery.queryKey, now),
  });
  return (
    <Page title={t('title')} lead={t('lead')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {branding === undefined && !error && <Skeleton lines={6} />}
      {change.error && <ProblemNote error={change.error} />}
      {change.isSuccess && <p role="status">{t('saved')}</p>}
      {branding && (
        <>
          <Card title={t('logo')}>
            <Logo branding={branding} mayWrite={mayWrite} onChange={change.mutate} />
          </Card>
          <Card title={t('names')}>
            {mayWrite ? (
              <Names branding={branding} change={change} />
            ) : (
              <Facts
                facts={[
                  [t('domain'), branding.custom_domain, 'domain'],
                  [t('senderName'), branding.email_sender?.name, 'name'],
                  [t('senderAddress'), branding.email_sender?.address, 'address'],
                ]}
              />
            )}
          </Card>
          <Proofs branding={branding} />
        </>
      )}
    </Page>
  );
}

interface NamesProps {
  readonly branding: Branding;
  readonly change: {
    readonly error: unknown;
    readonly isPending: boolean;
    mutate(patch: BrandingPatch): void;
  };
}

function Names({ branding: { custom_domain, email_sender }, change }: NamesProps) {
  const t = useBrandingTexts();
  const [domain, setDomain] = useState(custom_domain ?? '');
  const [name, setName] = useState(email_sender?.name ?? '');
  const [address, setAddress] = useState(email_sender?.address ?? '');
  const fields = change.error instanceof Problem ? change.error.fields : {};
  const sender = { name: name === '' ? null : name, address };
  const save = () =>
    change.mutate({
      custom_domain: domain === '' ? null : domain,
      email_sender: address === '' ? null : sender,
    });
  return (
    <Form onSubmit={save}>
      <TextField
        label={t('domain')}
        hint={t('domainHint')}
        dir="ltr"
        placeholder="chat.example.com"
        value={domain}
        problem={fields.custom_domain?.join(' ')}
        onChange={({ target }) => setDomain(target.value.trim())}
      />
      <TextField
        label={t('senderAddress')}
        hint={t('senderHint')}
        type="email"
        dir="ltr"
        required={name !== ''}
        value={address}
        problem={fields['email_sender.address']?.join(' ')}
        onChange={({ target }) => setAddress(target.value)}
      />
      <TextField
        label={t('senderName')}
        maxLength={100}
        value={name}
        problem={fields['email_sender.name']?.join(' ')}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" isBusy={change.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}
