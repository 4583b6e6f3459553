import { useMutation } from '@tanstack/react-query';
import { leaveForTrial } from '../../api/provider-sign-in.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Facts, ProblemNote } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { problemKey, useSignInProblemTexts } from '../../texts/sign-in-problems.ts';
import { checkProvider, type Trial as LastTrial } from './queries.ts';
import { useIdentityProviderTexts } from './texts.ts';

/** Whether the saved settings work, before anybody depends on them. */
export function Trial({ last }: { last: LastTrial | null }) {
  const t = useIdentityProviderTexts();
  const check = useMutation({ mutationFn: checkProvider });
  const leave = useMutation({ mutationFn: leaveForTrial });
  const error = check.error ?? leave.error;
  return (
    <>
      <p>{t('trialText')}</p>
      <div>
        <Button isBusy={check.isPending} onClick={() => check.mutate()}>
          {t('check')}
        </Button>{' '}
        <Button isBusy={leave.isPending} onClick={() => leave.mutate()}>
          {t('tryIt')}
        </Button>
      </div>
      {error && <ProblemNote error={error} />}
      {check.data && (
        <div role="status">
          <Badge tone={check.data.ok ? 'good' : 'bad'}>{t(check.data.ok ? 'good' : 'bad')}</Badge>{' '}
          <span lang="en">{check.data.detail}</span>
          {check.data.ok && (
            <Facts
              facts={[
                [t('page'), check.data.authorization_endpoint, 'page'],
                [t('endsSessions'), t(check.data.ends_sessions ? 'yes' : 'no'), 'ends'],
                [t('tellsSignOuts'), t(check.data.tells_sign_outs ? 'yes' : 'no'), 'tells'],
              ]}
            />
          )}
        </div>
      )}
      {last && <LastOne trial={last} />}
    </>
  );
}

function LastOne({ trial }: { trial: LastTrial }) {
  const t = useIdentityProviderTexts();
  const why = useSignInProblemTexts();
  const formats = useFormats();
  const { at, problem, detail, email, subject, groups, role, einvoicing_role, claims } = trial;
  const list = (words: readonly string[]) => <bdi>{words.join(', ') || '–'}</bdi>;
  return (
    <section aria-label={t('lastTrial')}>
      <h3>{t('lastTrial')}</h3>
      <p>
        <Badge tone={problem === null ? 'good' : 'bad'}>
          {t(problem === null ? 'good' : 'bad')}
        </Badge>{' '}
        {problem !== null && why(problemKey(problem))}
      </p>
      <Facts
        facts={[
          [t('when'), formats.instant(at), 'at'],
          [t('code'), problem && <code>{problem}</code>, 'code'],
          [t('detail'), detail && <bdi lang="en">{detail}</bdi>, 'detail'],
          [t('email'), email && <bdi>{email}</bdi>, 'email'],
          [t('subject'), subject && <bdi>{subject}</bdi>, 'subject'],
          [t('groupsFound'), list(groups), 'groups'],
          [t('rolesGiven'), list([role, einvoicing_role].filter((each) => each !== null)), 'roles'],
          [t('claims'), list(claims), 'claims'],
        ]}
      />
    </section>
  );
}
