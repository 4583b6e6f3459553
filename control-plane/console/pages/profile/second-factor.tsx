import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { BeginDialog } from './begin-dialog.tsx';
import { type Proof, ProveDialog } from './prove-dialog.tsx';
import { disableSecondFactor, renewRecoveryCodes, secondFactorQuery } from './queries.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { useProfileTexts } from './texts.ts';

type Asked = 'begin' | 'disable' | 'renew';

export function SecondFactor() {
  const t = useProfileTexts();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { data, error } = useQuery(secondFactorQuery);
  const [asked, setAsked] = useState<Asked>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => setAsked(undefined);
  const changed = async () => {
    close();
    await queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const disable = useMutation({
    mutationFn: ({ password, code }: Proof) => disableSecondFactor(password, code),
    onSuccess: changed,
  });
  const renew = useMutation({
    mutationFn: ({ password, code }: Proof) => renewRecoveryCodes(password, code),
    onSuccess: async ({ recovery_codes }) => {
      setCodes(recovery_codes);
      await changed();
    },
  });
  if (error) return <ProblemNote error={error} />;
  if (data === undefined) return <Skeleton lines={2} />;
  return (
    <>
      {data.confirmed_at ? (
        <>
          <div>
            <Badge tone="good">{t('on')}</Badge>
          </div>
          <p>
            {t('onSince', { since: formats.instant(data.confirmed_at) })}{' '}
            {t('codesLeft', { count: data.recovery_codes_left })}
          </p>
          <div>
            <Button onClick={() => setAsked('renew')}>{t('renewCodes')}</Button>{' '}
            <Button kind="dangerous" onClick={() => setAsked('disable')}>
              {t('turnOff')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <div>
            <Badge tone="warning">{t('off')}</Badge>
          </div>
          <p>{t('offText')}</p>
          <Button onClick={() => setAsked('begin')}>{t('turnOn')}</Button>
        </>
      )}
      {asked === 'begin' && (
        <BeginDialog
          onClose={close}
          onConfirmed={async (made) => {
            setCodes(made);
            await changed();
          }}
        />
      )}
      {asked === 'disable' && (
        <ProveDialog title={t('turnOff')} change={disable} onClose={close} isDangerous />
      )}
      {asked === 'renew' && <ProveDialog title={t('renewCodes')} change={renew} onClose={close} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}
