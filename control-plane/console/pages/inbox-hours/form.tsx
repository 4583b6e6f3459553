import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type Draft, draftOf, requestOf, type Span, type Weekday } from './draft.ts';
import styles from './form.module.css';
import { type InboxSettings, inboxSettingsQuery, saveInboxSettings } from './queries.ts';
import { useHoursTexts } from './texts.ts';

const minutesMax = 525_600;

interface HoursFormProps {
  readonly settings: InboxSettings;
  readonly mayManage: boolean;
}

/** The settings, to be changed by who may. */
export function HoursForm({ settings, mayManage }: HoursFormProps) {
  const t = useHoursTexts();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => draftOf(settings));
  const save = useMutation({
    mutationFn: () => saveInboxSettings(requestOf(draft)),
    onSuccess: (now) => {
      queryClient.setQueryData(inboxSettingsQuery.queryKey, now);
      setDraft(draftOf(now));
    },
  });
  const set = (change: Partial<Draft>) => {
    save.reset();
    setDraft({ ...draft, ...change });
  };
  return (
    <Form isWide onSubmit={() => !save.isPending && save.mutate()}>
      <fieldset disabled={!mayManage} className={styles.all}>
        <SelectField
          label={t('zone')}
          value={draft.timeZone}
          onChange={({ target }) => set({ timeZone: target.value })}
        >
          {[...new Set([draft.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(
            (each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ),
          )}
        </SelectField>
        <h2>{t('week')}</h2>
        <p>{t('weekText')}</p>
        {draft.week.map(({ day, spans }) => (
          <DayFields
            key={day}
            day={day}
            spans={spans}
            onChange={(changed) =>
              set({
                week: draft.week.map((each) => (each.day === day ? { day, spans: changed } : each)),
              })
            }
          />
        ))}
        <Holidays days={draft.holidays} onChange={(holidays) => set({ holidays })} />
        <h2>{t('promises')}</h2>
        <p>{t('promisesText')}</p>
        <MinutesField
          label={t('first')}
          value={draft.firstMinutes}
          onChange={(firstMinutes) => set({ firstMinutes })}
        />
        <MinutesField
          label={t('next')}
          value={draft.nextMinutes}
          onChange={(nextMinutes) => set({ nextMinutes })}
        />
      </fieldset>
      {save.error && <ProblemNote error={save.error} />}
      {save.isSuccess && <p role="status">{t('saved')}</p>}
      {mayManage && (
        <Button type="submit" kind="main" isBusy={save.isPending}>
          {t('save')}
        </Button>
      )}
    </Form>
  );
}

interface DayFieldsProps {
  readonly day: Weekday;
  readonly spans: readonly Span[];
  onChange(spans: readonly Span[]): void;
}

const usual: Span = { from: '09:00', to: '18:00' };

function DayFields({ day, spans, onChange }: DayFieldsProps) {
  const t = useHoursTexts();
  const set = (at: number, change: Partial<Span>) =>
    onChange(spans.map((span, nth) => (nth === at ? { ...span, ...change } : span)));
  return (
    <fieldset className={styles.day}>
      <legend>{t(day)}</legend>
      {spans.length === 0 && <p>{t('closed')}</p>}
      {spans.map(({ from, to }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other name than their place
        <div key={at} className={styles.span}>
          <TextField
            label={t('from')}
            type="time"
            required
            value={from}
            onChange={({ target }) => set(at, { from: target.value })}
          />
          <TextField
            label={t('to')}
            type="time"
            required
            value={to}
            onChange={({ target }) => set(at, { to: target.value })}
          />
          <Button
            aria-label={t('removeSpan', { day: t(day), from, to })}
            onClick={() => onChange(spans.filter((_, nth) => nth !== at))}
          >
            {t('remove')}
          </Button>
        </div>
      ))}
      <Button
        aria-label={t('addSpan', { day: t(day) })}
        onClick={() => onChange([...spans, usual])}
      >
        {t('add')}
      </Button>
    </fieldset>
  );
}

interface HolidaysProps {
  readonly days: readonly string[];
  onChange(days: readonly string[]): void;
}

function Holidays({ days, onChange }: HolidaysProps) {
  const t = useHoursTexts();
  const formats = useFormats();
  const [day, setDay] = useState('');
  const add = () => {
    onChange([...new Set([...days, day])].sort());
    setDay('');
  };
  return (
    <fieldset className={styles.day}>
      <legend>{t('holidays')}</legend>
      {days.length === 0 && <p>{t('noHolidays')}</p>}
      <ul>
        {days.map((each) => (
          <li key={each} className={styles.span}>
            <time dateTime={each}>{formats.day(each)}</time>
            <Button
              aria-label={t('removeHoliday', { day: formats.day(each) })}
              onClick={() => onChange(days.filter((other) => other !== each))}
            >
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.span}>
        <TextField
          label={t('holiday')}
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <Button disabled={day === ''} onClick={add}>
          {t('addHoliday')}
        </Button>
      </div>
    </fieldset>
  );
}

interface MinutesFieldProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

function MinutesField({ label, value, onChange }: MinutesFieldProps) {
  const t = useHoursTexts();
  return (
    <TextField
      label={label}
      hint={t('minutesHint')}
      type="number"
      min={1}
      max={minutesMax}
      step={1}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
