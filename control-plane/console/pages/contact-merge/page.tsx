import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { Card, Cards, EmptyState, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useChannelTexts } from '../../texts/channels.ts';
import { type Contact, contactQuery, contactsKey, contactsQuery } from '../contacts/queries.ts';
import styles from './choice.module.css';
import { mergeContacts } from './queries.ts';
import { useMergeTexts } from './texts.ts';
import { type Contested, contestedBetween } from './values.ts';

const route = getRouteApi('/signed-in/contacts/$id/merge');

/** Two contacts that are one person become one: which one goes, and whose values are kept. */
export function ContactMergePage() {
  const t = useMergeTexts();
  const { id } = route.useParams();
  const { with: otherId } = route.useSearch();
  const mayMerge = mayDo(useSession(), 'messaging', 'contacts:delete');
  const { data: own, error, refetch } = useQuery(contactQuery(id));
  return (
    <Page
      title={t('title', { name: own ? nameOf(own) : '' })}
      lead={t('lead')}
      actions={
        <ButtonLink to="/contacts/$id" params={{ id }}>
          {t('back')}
        </ButtonLink>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!mayMerge && <PermissionNote permission="contacts:delete" />}
      {own === undefined && !error && <Skeleton lines={6} />}
      {own && mayMerge && otherId === undefined && <Search own={own} />}
      {own && mayMerge && otherId !== undefined && (
        <Pair key={otherId} own={own} otherId={otherId} />
      )}
    </Page>
  );
}

const nameOf = ({ name, phone, id }: Contact) => name ?? phone ?? id;

/** The other contact is looked for; those with the same name come first. */
function Search({ own }: { own: Contact }) {
  const t = useMergeTexts();
  const [text, setText] = useState(own.name ?? '');
  return (
    <Card title={t('which')}>
      <Filters action={t('search')} onFind={(form) => setText(String(form.get('text')).trim())}>
        <TextField
          label={t('find')}
          name="text"
          type="search"
          dir="auto"
          maxLength={200}
          defaultValue={text}
        />
      </Filters>
      <PagedList
        query={contactsQuery(text === '' ? {} : { text })}
        label={t('which')}
        keyOf={({ id }) => id}
        columns={[
          { name: 'name', title: t('name'), cell: (row) => <bdi>{nameOf(row)}</bdi> },
          { name: 'phone', title: t('phone'), cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
          {
            name: 'choose',
            title: t('choose'),
            cell: ({ id }) =>
              id === own.id ? (
                t('thisOne')
              ) : (
                <ButtonLink to="/contacts/$id/merge" params={{ id: own.id }} search={{ with: id }}>
                  {t('choose')}
                </ButtonLink>
              ),
          },
        ]}
        empty={<EmptyState title={t('noMatchTitle')}>{t('noMatch')}</EmptyState>}
      />
    </Card>
  );
}

function Pair({ own, otherId }: { own: Contact; otherId: string }) {
  const t = useMergeTexts();
  const { data: other, error, refetch } = useQuery(contactQuery(otherId));
  if (other === undefined) {
    return error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : <Skeleton />;
  }
  return (
    <>
      <Cards>
        <Side title={t('stays')} contact={own} />
        <Side title={t('goes')} contact={other} />
      </Cards>
      <div>
        <ButtonLink to="/contacts/$id/merge" params={{ id: otherId }} search={{ with: own.id }}>
          {t('swap')}
        </ButtonLink>
      </div>
      <Choices own={own} other={other} />
    </>
  );
}

function Side({ title, contact }: { title: string; contact: Contact }) {
  const t = useMergeTexts();
  const channels = useChannelTexts();
  const { name, phone, segments, attributes, channel_identifiers: identifiers } = contact;
  return (
    <Card title={title}>
      <Facts
        facts={[
          [t('name'), name && <bdi>{name}</bdi>, 'name'],
          [t('phone'), phone && <bdi dir="ltr">{phone}</bdi>, 'phone'],
          [t('lists'), segments.length > 0 && <bdi>{segments.join(', ')}</bdi>, 'lists'],
          ...identifiers.map(
            ({ channel, external_id: address }) =>
              [
                channels(channel),
                <bdi key={address}>{address}</bdi>,
                `${channel} ${address}`,
              ] as const,
          ),
          ...Object.entries(attributes).map(
            ([key, value]) =>
              [
                <bdi key={key}>{key}</bdi>,
                <bdi key={key}>{String(value)}</bdi>,
                `attributes.${key}`,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}

function Choices({ own, other }: { own: Contact; other: Contact }) {
  const t = useMergeTexts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const [ofOther, setOfOther] = useState<readonly string[]>([]);
  const contested = contestedBetween(own, other);
  const choose = (name: string, isOther: boolean) =>
    setOfOther([...ofOther.filter((each) => each !== name), ...(isOther ? [name] : [])]);
  const merge = useMutation({
    mutationFn: () => mergeContacts(own.id, other.id, ofOther),
    onSuccess: async () => {
      await whileShown(() => navigate({ to: '/contacts/$id', params: { id: own.id } }));
      await queryClient.invalidateQueries({ queryKey: contactsKey });
    },
  });
  return (
    <Card title={t('values')}>
      {contested.length === 0 && <p>{t('nothingContested')}</p>}
      {contested.map((value) => (
        <Choice
          key={value.name}
          value={value}
          isOther={ofOther.includes(value.name)}
          onChoose={(isOther) => choose(value.name, isOther)}
        />
      ))}
      <p>{t('consequences')}</p>
      {merge.error instanceof Problem && merge.error.code === 'contact_exists' && (
        <p>{t('third')}</p>
      )}
      <div>
        <Confirm
          action={t('merge')}
          title={t('mergeTitle', { name: nameOf(other) })}
          isDangerous
          onConfirm={() => merge.mutateAsync()}
        >
          {t('mergeText')}
        </Confirm>
      </div>
    </Card>
  );
}

interface ChoiceProps {
  readonly value: Contested;
  readonly isOther: boolean;
  onChoose(isOther: boolean): void;
}

/** Whose value of the two is kept. */
function Choice({ value: { name, own, others }, isOther, onChoose }: ChoiceProps) {
  const t = useMergeTexts();
  const label = name === 'name' || name === 'phone' ? t(name) : name.slice('attributes.'.length);
  return (
    <fieldset className={styles.choice}>
      <legend>
        <bdi>{label}</bdi>
      </legend>
      {[own, others].map((text, at) => (
        <label key={text} className={styles.value}>
          <input
            type="radio"
            name={name}
            checked={isOther === (at === 1)}
            onChange={() => onChoose(at === 1)}
          />
          <bdi>{text}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
