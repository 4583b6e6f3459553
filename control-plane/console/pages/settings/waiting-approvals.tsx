import { useQueryClient } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useFormats } from '../../texts/formats.ts';
import { endHold, type WaitingApproval, waitingApprovalsQuery } from './approval-queries.ts';
import { useApprovalTexts } from './approval-texts.ts';

interface WaitingApprovalsProps {
  readonly waiting: readonly WaitingApproval[];
  /** It takes two people: who has put it forward does not approve it. */
  readonly takesTwo: (kind: WaitingApproval['kind']) => boolean;
}

/** What waits, who has put it forward, and the way to approve it. */
export function WaitingApprovals({ waiting, takesTwo }: WaitingApprovalsProps) {
  const t = useApprovalTexts();
  const formats = useFormats();
  return (
    <ul>
      {waiting.map((item) => {
        const {
          kind,
          connector_id,
          connector_name,
          profile,
          fields,
          submit_from,
          documents_waiting,
        } = item;
        const by = item.put_forward_by.map(({ id, name }) => name ?? id).join(', ');
        return (
          <li key={`${kind} ${connector_id} ${profile}`}>
            <p>
              <strong>
                <bdi>{connector_name}</bdi>
              </strong>{' '}
              {kind === 'mapping' &&
                t('mappingWaits', { profile: profile ?? '', count: fields ?? 0 })}
              {kind === 'first_mapping' && t('firstMapping', { profile: profile ?? '' })}
              {kind === 'live_submission' &&
                t('submissionWaits', { day: formats.day(submit_from ?? '') })}
            </p>
            {documents_waiting !== undefined && (
              <p>{t('documentsWaiting', { count: documents_waiting })}</p>
            )}
            {kind !== 'first_mapping' && (
              <p>
                {by === '' ? t('byNobody') : t('by', { by })} · {formats.instant(item.since)}
              </p>
            )}
            {item.is_yours && takesTwo(kind) ? (
              <Badge tone="warning">{t('anotherPerson')}</Badge>
            ) : (
              <ApprovalAction item={item} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ApprovalAction({
  item: { kind, connector_id: id, connector_name: name, profile },
}: ApprovalActionProps) {
  const t = useApprovalTexts();
  const queryClient = useQueryClient();
  const session = useSession();
  if (kind !== 'live_submission') {
    const mayApprove = mayDo(session, 'einvoicing', 'mappings:approve');
    return (
      <ButtonLink to="/sources/$id" params={{ id }} search={{ profile }}>
        {t(mayApprove ? 'review' : 'look')}
      </ButtonLink>
    );
  }
  if (!mayDo(session, 'einvoicing', 'connectors:write')) return null;
  return (
    <Confirm
      action={t('endHold')}
      title={t('endHoldTitle', { name })}
      onConfirm={async () => {
        await endHold(id);
        await queryClient.invalidateQueries(waitingApprovalsQuery);
      }}
    >
      {t('endHoldText')}
    </Confirm>
  );
}

interface ApprovalActionProps {
  readonly item: WaitingApproval;
}
