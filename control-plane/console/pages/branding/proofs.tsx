import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type Branding, brandingQuery, verifyBranding } from './queries.ts';
import { useBrandingTexts } from './texts.ts';

type Proof = NonNullable<Branding['custom_domain_proof']>;

/** The DNS records that show that domain and sender are the workspace's own. */
export function Proofs({ branding }: { branding: Branding }) {
  const t = useBrandingTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'branding:write');
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: verifyBranding,
    onSuccess: (now) => queryClient.setQueryData(brandingQuery.queryKey, now),
  });
  const { custom_domain, custom_domain_proof, email_sender, email_sender_proof } = branding;
  if (custom_domain === null && email_sender === null) return null;
  return (
    <Card title={t('proofs')}>
      <p>{t('proofsText')}</p>
      {custom_domain_proof && <ProofNote of={custom_domain ?? ''} proof={custom_domain_proof} />}
      {email_sender_proof && (
        <ProofNote of={email_sender?.address ?? ''} proof={email_sender_proof} />
      )}
      {verify.error && <ProblemNote error={verify.error} />}
      {mayWrite && (
        <Button isBusy={verify.isPending} onClick={() => verify.mutate()}>
          {t('verify')}
        </Button>
      )}
    </Card>
  );
}

function ProofNote({ of, proof: { status, record, checked_at, problem } }: ProofNoteProps) {
  const t = useBrandingTexts();
  const formats = useFormats();
  const isProved = status === 'proved';
  return (
    <>
      <h3>
        <bdi>{of}</bdi> <Badge tone={isProved ? 'good' : 'warning'}>{t(status)}</Badge>
      </h3>
      <Copyable
        label={t('record', { of })}
        text={`${record.name} ${record.type} "${record.value}"`}
      />
      {checked_at && (
        <p>
          {t('checked', { at: formats.instant(checked_at) })} {problem}
        </p>
      )}
    </>
  );
}

interface ProofNoteProps {
  readonly of: string;
  readonly proof: Proof;
}
