import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { ContactDialog } from '../contacts/contact-dialog.tsx';
import { type Contact, contactQuery, contactsKey, removeContact } from '../contacts/queries.ts';
import { useContactTexts } from '../contacts/texts.ts';
import { Consents } from './consents.tsx';
import { Said } from './said.tsx';

const route = getRouteApi('/signed-in/contacts/$id');

/** One contact: who it is, what they agreed to, and what was said. */
export function ContactPage() {
  const t = useContactTexts();
  const { id } = route.useParams();
  const { data: contact, error, refetch } = useQuery(contactQuery(id));
  const title = contact?.name ?? contact?.phone ?? t('title');
  return (
    <Page title={title} actions={contact && <Actions contact={contact} />}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {contact === undefined && !error && <Skeleton lines={8} />}
      {contact && <Content contact={contact} />}
    </Page>
  );
}

function Actions({ contact }: { contact: Contact }) {
  const t = useContactTexts();
  const session = useSession();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      {mayDo(session, 'messaging', 'contacts:write') && (
        <Button onClick={() => setChanging(true)}>{t('change')}</Button>
      )}
      {mayDo(session, 'messaging', 'contacts:delete') && (
        <ButtonLink to="/contacts/$id/merge" params={{ id: contact.id }}>
          {t('merge')}
        </ButtonLink>
      )}
      {mayDo(session, 'messaging', 'contacts:delete') && (
        <Confirm
          action={t('remove')}
          title={t('removeTitle')}
          isDangerous
          onConfirm={async () => {
            await removeContact(contact.id);
            await whileShown(() => navigate({ to: '/contacts' }));
            await queryClient.invalidateQueries({ queryKey: contactsKey });
          }}
        >
          {t('removeText')}
        </Confirm>
      )}
      {isChanging && (
        <ContactDialog
          contact={contact}
          onClose={() => setChanging(false)}
          onKept={() => setChanging(false)}
        />
      )}
    </>
  );
}

function Content({ contact }: { contact: Contact }) {
  const t = useContactTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const { id, name, phone, segments, attributes, channel_identifiers: own } = contact;
  return (
    <>
      <Card title={t('about')}>
        <Facts
          facts={[
            [t('name'), name && <bdi>{name}</bdi>, 'name'],
            [t('phone'), phone && <bdi dir="ltr">{phone}</bdi>, 'phone'],
            [t('segments'), segments.length > 0 && <bdi>{segments.join(', ')}</bdi>, 'segments'],
            ...own.map(
              ({ channel, external_id }) =>
                [
                  channels(channel),
                  <bdi key={external_id} dir="ltr">
                    {external_id}
                  </bdi>,
                  `${channel} ${external_id}`,
                ] as const,
            ),
            [t('since'), formats.instant(contact.created_at), 'since'],
            [t('changed'), formats.instant(contact.updated_at), 'changed'],
          ]}
        />
      </Card>
      {Object.keys(attributes).length > 0 && (
        <Card title={t('attributes')}>
          <Facts
            facts={Object.entries(attributes).map(
              ([key, value]) =>
                [<bdi key={key}>{key}</bdi>, <bdi key={key}>{String(value)}</bdi>, key] as const,
            )}
          />
        </Card>
      )}
      <Consents contactId={id} />
      <Said contactId={id} />
    </>
  );
}
