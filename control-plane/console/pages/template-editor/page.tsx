import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { newKey } from '../../api/new-key.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../design/field.tsx';
import { Card, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { UnsavedChanges } from '../../design/unsaved-changes.tsx';
import { useSettled } from '../../design/use-settled.ts';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useChannelTexts } from '../../texts/channels.ts';
import { appsQuery } from '../channels/queries.ts';
import { PhonePreview, withExamples } from '../templates/phone-preview.tsx';
import {
  checkQuery,
  keepTemplate,
  type ReviewedTemplate,
  submitTemplate,
  type TemplateChannel,
  templateChannels,
  templateQuery,
  templatesKey,
} from '../templates/queries.ts';
import { useTemplateTexts } from '../templates/texts.ts';
import { ButtonFields } from './buttons.tsx';
import { type Category, type Draft, draftOf, emptyDraft, ownOf, reviewedOf } from './draft.ts';
import styles from './page.module.css';
import { Examples, HeaderFields } from './parts.tsx';

const route = getRouteApi('/signed-in/templates/new');
const categories = ['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const;

export function TemplateEditorPage() {
  const t = useTemplateTexts();
  const { channel: wanted, from } = route.useSearch();
  const channel = templateChannels.find((each) => each === wanted) ?? 'wa';
  const { data, error } = useQuery({
    ...templateQuery(channel, from ?? ''),
    enabled: from !== undefined,
  });
  const isReady = from === undefined || data !== undefined;
  return (
    <Page title={t('write')}>
      {error && <ProblemNote error={error} />}
      {!isReady && !error && <Skeleton lines={8} />}
      {isReady && (
        // Whoever chooses another channel keeps what they have written.
        <Editor channel={channel} first={data ? draftOf(data) : emptyDraft} />
      )}
    </Page>
  );
}

function Editor({ channel, first }: { channel: TemplateChannel; first: Draft }) {
  const t = useTemplateTexts();
  const channelTexts = useChannelTexts();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const [begun] = useState(first);
  const [draft, setDraft] = useState(begun);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const isReviewed = channel === 'wa';
  const reviewed = isReviewed ? reviewedOf(draft) : undefined;
  const own = isReviewed ? undefined : ownOf(draft);
  const found = useFindings(reviewed);
  // A repeat after a lost answer has the key of before, and makes one template.
  const key = useRef(newKey());
  const keep = useMutation({
    mutationFn: () =>
      channel === 'wa'
        ? submitTemplate(reviewed!, key.current)
        : keepTemplate(channel, own!, key.current),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: templatesKey });
      await whileShown(() => navigate({ to: '/templates/$channel/$id', params: { channel, id } }));
    },
    onError: (error) => {
      if (error instanceof Problem) key.current = newKey();
    },
  });
  const isWhole = (reviewed ?? own) !== undefined;
  const problemOf = (field: string) =>
    found?.findings
      .filter((finding) => finding.field === field)
      .map(({ message, code }) => `${message} (${code})`)
      .join('; ') || undefined;
  return (
    <>
      <UnsavedChanges isUnsaved={draft !== begun && !keep.isPending} />
      <form
        className={styles.editor}
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole && !keep.isPending) keep.mutate();
        }}
      >
        <div className={styles.fields}>
          <Card>
            <SelectField
              label={t('channel')}
              value={channel}
              onChange={({ target }) => {
                keep.reset(); // what was said of the other channel
                void navigate({ to: '/templates/new', search: { channel: target.value } });
              }}
            >
              {templateChannels.map((each) => (
                <option key={each} value={each}>
                  {channelTexts(each)}
                </option>
              ))}
            </SelectField>
            {isReviewed && <AppField value={draft.appId} onChange={(appId) => change({ appId })} />}
            <TextField
              label={t('name')}
              hint={isReviewed && t('nameHint')}
              required
              maxLength={512}
              value={draft.name}
              problem={problemOf('name')}
              onChange={({ target }) => change({ name: target.value })}
            />
            <div className={styles.row}>
              <TextField
                label={t('language')}
                hint={t('languageHint')}
                required
                dir="ltr"
                minLength={2}
                maxLength={20}
                value={draft.language}
                problem={problemOf('language')}
                onChange={({ target }) => change({ language: target.value })}
              />
              <SelectField
                label={t('category')}
                value={draft.category}
                onChange={({ target }) => change({ category: target.value as Category })}
              >
                {categories.map((each) => (
                  <option key={each} value={each}>
                    {t(each)}
                  </option>
                ))}
              </SelectField>
            </div>
          </Card>
          <Card>
            {isReviewed && (
              <HeaderFields draft={draft} problem={problemOf('header')} onChange={change} />
            )}
            <TextAreaField
              label={t('body')}
              hint={t('bodyHint')}
              required
              rows={6}
              maxLength={4_096}
              value={draft.body}
              problem={problemOf('body')}
              onChange={({ target }) => change({ body: target.value })}
            />
            {isReviewed && (
              <TextField
                label={t('footer')}
                dir="auto"
                maxLength={200}
                value={draft.footer}
                problem={problemOf('footer')}
                onChange={({ target }) => change({ footer: target.value })}
              />
            )}
            <Examples draft={draft} isReviewed={isReviewed} onChange={change} />
          </Card>
          {isReviewed && (
            <Card title={t('buttons')}>
              <ButtonFields
                buttons={draft.buttons}
                problemOf={(at) => problemOf(`buttons.${at}`)}
                onChange={(buttons) => change({ buttons })}
              />
            </Card>
          )}
        </div>
        <div className={styles.side}>
          <PhonePreview
            shown={{
              body: withExamples(draft.body, draft.examples),
              footer: draft.footer,
              buttons: draft.buttons,
              ...(draft.headerFormat === ''
                ? {}
                : { header: { format: draft.headerFormat, text: headerShown(draft) } }),
            }}
          />
          {isReviewed && (
            <Card title={t('findings')}>
              <div role="status">
                {found === undefined && <p>{t('writeFirst')}</p>}
                {found?.findings.length === 0 && <Badge tone="good">{t('noFindings')}</Badge>}
                <ul>
                  {found?.findings.map(({ field, message, code }) => (
                    <li key={`${field} ${message}`}>
                      <Badge tone="bad">{field}</Badge> {message} <code>{code}</code>
                    </li>
                  ))}
                </ul>
              </div>
            </Card>
          )}
          {keep.error && <ProblemNote error={keep.error} />}
          <div>
            <Button type="submit" kind="main" isBusy={keep.isPending}>
              {isReviewed ? t('submit') : t('keep')}
            </Button>
          </div>
        </div>
      </form>
    </>
  );
}

const headerShown = ({ headerText, headerExample }: Draft) =>
  headerText.replace(/\{\{.+?\}\}/, (whole) => headerExample || whole);

/** What the network would refuse, a moment after it was typed. */
function useFindings(reviewed: ReviewedTemplate | undefined) {
  const settled = useSettled(JSON.stringify(reviewed ?? null));
  const asked = JSON.parse(settled) as ReviewedTemplate | null;
  const { data } = useQuery({
    ...checkQuery(asked!),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  return reviewed === undefined ? undefined : data;
}

/** Asked for where there are several numbers. */
function AppField({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const t = useTemplateTexts();
  const { data } = useQuery(appsQuery('wa'));
  if (data === undefined || data.results.length < 2) return null;
  return (
    <SelectField
      label={t('app')}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{t('choose')}</option>
      {data.results.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
