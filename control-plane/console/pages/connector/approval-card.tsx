import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { TextAreaField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import styles from './approval-card.module.css';
import { ErpPlace } from './erp-place.tsx';
import { sentOf } from './mapping-change.ts';
import { useMappingPlace } from './mapping-place.ts';
import {
  approveMapping,
  type Mapping,
  type Objection,
  ofMapping,
  type Preview,
  previewQuery,
} from './queries.ts';
import { useConnectorTexts } from './texts.ts';
import { useSaveMapping } from './use-save-mapping.ts';

interface ApprovalCardProps {
  readonly mapping: Mapping;
  /** Undefined until one was asked for. */
  readonly preview: Preview | undefined;
}

/** Everything that is proposed, approved at once; each objection is answered with a reason first. */
export function ApprovalCard({ mapping, preview }: ApprovalCardProps) {
  const t = useConnectorTexts();
  const queryClient = useQueryClient();
  const place = useMappingPlace();
  const session = useSession();
  const mayApprove = mayDo(session, 'einvoicing', 'mappings:approve');
  const mayPropose = mayDo(session, 'einvoicing', 'connectors:write');
  const save = useSaveMapping();
  const proposal = useMutation({ mutationFn: () => save(mapping.version, sentOf(mapping)) });
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const objections = preview?.objections ?? [];
  const open = objections.filter(({ accepted }) => !accepted);
  const answered = open.filter(({ id }) => (reasons[id] ?? '').trim() !== '');
  const approval = useMutation({
    mutationFn: () =>
      approveMapping(place, {
        version: mapping.version,
        accepted_objections: answered.map(({ id }) => ({ id, reason: reasons[id]!.trim() })),
      }),
    onSuccess: async () => {
      const accepted = objections.map((each) => ({ ...each, accepted: true }));
      queryClient.setQueryData(
        previewQuery(place).queryKey,
        preview && { ...preview, objections: accepted },
      );
      await queryClient.invalidateQueries(ofMapping(place));
    },
  });
  const proposed = mapping.fields.filter(({ status }) => status === 'proposed').length;
  return (
    <Card title={t('approval')}>
      {preview === undefined && <p>{t('notPreviewed')}</p>}
      {preview && objections.length === 0 && <p>{t('nothingAgainst')}</p>}
      {objections.length > 0 && <p>{t('objectionsText')}</p>}
      <Form isWide onSubmit={() => approval.mutate()}>
        {objections.map((objection) => (
          <ObjectionNote
            key={objection.id}
            objection={objection}
            // Without the permission there is nothing to answer.
            reason={mayApprove && !objection.accepted ? (reasons[objection.id] ?? '') : undefined}
            onAnswer={(reason) => setReasons({ ...reasons, [objection.id]: reason })}
          />
        ))}
        {approval.error && <ProblemNote error={approval.error} />}
        {proposal.error && <ProblemNote error={proposal.error} />}
        {approval.isSuccess && <p role="status">{t('approvedAll')}</p>}
        {proposed === 0 && <p>{t('nothingProposed')}</p>}
        {mayApprove && proposed > 0 && (
          <>
            {open.length > answered.length && (
              <p>{t('unanswered', { count: open.length - answered.length })}</p>
            )}
            <Button
              type="submit"
              kind="main"
              isBusy={approval.isPending}
              disabled={open.length > answered.length}
            >
              {t('approveAll', { count: proposed })}
            </Button>
          </>
        )}
        {/* Where two people are asked for, one of them sends what nobody has sent yet. */}
        {mayPropose && mapping.version === 0 && proposed > 0 && (
          <Button isBusy={proposal.isPending} onClick={() => proposal.mutate()}>
            {t('putForward')}
          </Button>
        )}
      </Form>
    </Card>
  );
}

interface ObjectionNoteProps {
  readonly objection: Objection;
  /** Undefined: it needs no answer. */
  readonly reason: string | undefined;
  onAnswer(reason: string): void;
}

function ObjectionNote({ objection, reason, onAnswer }: ObjectionNoteProps) {
  const t = useConnectorTexts();
  const { kind, words, example, accepted } = objection;
  return (
    <div className={styles.objection}>
      <p>
        <Badge tone={accepted ? 'good' : 'bad'}>{t(accepted ? 'accepted' : kind)}</Badge>{' '}
        <span lang="en" dir="auto">
          {words}
        </span>
      </p>
      {example && (
        <p>
          {t('example')}: <bdi>{example.source_ref}</bdi>
        </p>
      )}
      {example?.source && <ErpPlace source={example.source} />}
      {reason !== undefined && (
        <TextAreaField
          label={t('reason')}
          rows={2}
          maxLength={500}
          value={reason}
          onChange={({ target }) => onAnswer(target.value)}
        />
      )}
    </div>
  );
}
