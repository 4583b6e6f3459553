import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useBroadcastTexts } from '../broadcasts/texts.ts';
import { segmentChoicesQuery, segmentQuery } from '../segments/queries.ts';
import type { Draft } from './draft.ts';
import styles from './page.module.css';

interface DraftFieldsProps {
  readonly draft: Draft;
  onChange(part: Partial<Draft>): void;
}

/** Lists and queries, and who of them is left out. */
export function AudienceFields({ draft, onChange }: DraftFieldsProps) {
  const t = useBroadcastTexts();
  const { data, error, refetch } = useQuery(segmentChoicesQuery);
  const chosen = data?.results.find(({ name }) => name === draft.segment);
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton />;
  if (data.results.length === 0) {
    return <ButtonLink to="/contacts/segments">{t('noSegments')}</ButtonLink>;
  }
  return (
    <>
      <SelectField
        label={t('segment')}
        hint={chosen && <SegmentCount id={chosen.id} name={chosen.name} />}
        required
        value={draft.segment}
        onChange={({ target }) => onChange({ segment: target.value })}
      >
        <option value="">{t('choose')}</option>
        {data.results.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <Choice
        text={t('consentOnly')}
        isChosen={draft.isConsentNeeded}
        onChange={(isConsentNeeded) => onChange({ isConsentNeeded })}
      />
      <Choice
        text={t('trackUrls')}
        isChosen={draft.areLinksCounted}
        onChange={(areLinksCounted) => onChange({ areLinksCounted })}
      />
    </>
  );
}

function SegmentCount({ id, name }: { id: string; name: string }) {
  const t = useBroadcastTexts();
  const formats = useFormats();
  const { data } = useQuery(segmentQuery(id));
  return data && t('contacts', { name, shown: formats.number(data.contacts) });
}

const dayHours = { from: '09:00', until: '21:00' };

/** When it goes, and in which hours of each person's own day. */
export function ScheduleFields({ draft, onChange }: DraftFieldsProps) {
  const t = useBroadcastTexts();
  const { hours, timeZone } = draft;
  return (
    <>
      <TextField
        label={t('time')}
        hint={t('now')}
        type="datetime-local"
        value={draft.at}
        onChange={({ target }) => onChange({ at: target.value })}
      />
      <Choice
        text={t('onlyHours')}
        isChosen={hours !== undefined}
        onChange={(isChosen) => onChange({ hours: isChosen ? dayHours : undefined })}
      />
      {hours && (
        <div className={styles.row}>
          <TextField
            label={t('from')}
            type="time"
            required
            value={hours.from}
            onChange={({ target }) => onChange({ hours: { ...hours, from: target.value } })}
          />
          <TextField
            label={t('until')}
            type="time"
            required
            value={hours.until}
            onChange={({ target }) => onChange({ hours: { ...hours, until: target.value } })}
          />
          <SelectField
            label={t('zone')}
            value={timeZone}
            onChange={({ target }) => onChange({ timeZone: target.value })}
          >
            {[...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly text: string;
  readonly isChosen: boolean;
  onChange(isChosen: boolean): void;
}

function Choice({ text, isChosen, onChange }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ target }) => onChange(target.checked)}
      />
      {text}
    </label>
  );
}
