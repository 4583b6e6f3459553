import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { got, messaging, Problem } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextAreaField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import { useCannedPicker } from './canned-picker.tsx';
import styles from './composer.module.css';
import { afterSending, draftsOf, useDrafts } from './drafts.ts';
import { reloadThreads } from './kept-conversations.ts';
import { useShortcuts } from './keyboard.tsx';
import {
  type Conversation,
  contactQuery,
  type InboxMessage,
  messagesQuery,
  type WrittenChannel,
  writtenChannels,
} from './queries.ts';
import { TemplateReply } from './template-reply.tsx';
import { useInboxTexts } from './texts.ts';
import { windowEnd } from './window.ts';

type Reply = components['schemas']['ConversationReplyRequest'];
type Mode = 'text' | 'template' | 'note';

interface ComposerProps {
  readonly conversation: Conversation;
  /** Called with each change of the answer. */
  onTyped(): void;
}

/** Where people answer: in their own words, by a template, or with a note for the team. */
export function Composer({ conversation, onTyped }: ComposerProps) {
  const t = useInboxTexts();
  const channelTexts = useChannelTexts();
  const formats = useFormats();
  const clock = useClock();
  const queryClient = useQueryClient();
  const { id } = conversation;
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosenMode, setMode] = useState<Mode>('text');
  const [chosenChannel, setChannel] = useState<WrittenChannel>();
  const [drafts, change] = useDrafts(useSession().user.id, id);
  const { data } = useInfiniteQuery(messagesQuery(id));
  const said = data?.pages.flatMap(({ results }) => results) ?? [];
  const channels = useChannels(conversation, said);
  const channel = chosenChannel ?? channels[0];
  const end = channel === 'wa' && data !== undefined ? windowEnd(said, clock()) : undefined;
  const isClosed = end?.kind === 'closed';
  // What was written before the window closed stays in sight, so that it is not lost.
  const isOnlyTemplate = isClosed && drafts.text.trim() === '';
  const mode = isOnlyTemplate && chosenMode === 'text' ? 'template' : chosenMode;
  const isTooLate = isClosed && mode === 'text';

  const settled = () => reloadThreads(queryClient, [{ conversation_id: id }]);
  const reply = useMutation({
    mutationFn: (body: Reply) =>
      got(
        messaging.POST('/team-inbox/api/conversations/{id}/reply/', {
          params: { path: { id }, header: { 'Idempotency-Key': draftsOf(id).key } },
          body,
        }),
      ),
    onSuccess: (_, { text = '' }) =>
      change({ key: newKey(), text: afterSending(draftsOf(id).text, text) }),
    onError: (error) => {
      if (error instanceof Problem) change({ key: newKey() });
    },
    onSettled: settled,
  });
  const note = useMutation({
    mutationFn: (text: string) =>
      got(
        messaging.POST('/team-inbox/api/conversations/{id}/notes/', {
          params: { path: { id } },
          body: { text },
        }),
      ),
    onSuccess: (_, text) => change({ note: afterSending(draftsOf(id).note, text) }),
    onSettled: settled,
  });
  const write = (next: Mode) => {
    // At once: the next key that is pressed belongs to the answer, and is no shortcut.
    flushSync(() => setMode(next));
    field.current?.focus();
  };
  const askCanned = () => {
    write('text');
    change({ text: drafts.text.replace(/(?<=\S)$/u, ' ').concat('/') });
  };
  useShortcuts({ r: () => write('text'), n: () => write('note'), '/': askCanned });
  const picker = useCannedPicker({
    conversationId: id,
    text: drafts.text,
    isWanted: mode === 'text',
    onText: (text) => change({ text }),
  });
  const unfilled = mode === 'text' ? unfilledVariable.exec(drafts.text)?.[0] : undefined;

  const isBusy = reply.isPending || note.isPending;
  function send(event?: FormEvent): void {
    event?.preventDefault();
    if (isBusy || isTooLate || mode === 'template') return;
    const text = drafts[mode].trim();
    if (text === '' || unfilled !== undefined) return;
    if (mode === 'note') note.mutate(text);
    else reply.mutate({ text, ...(channel === undefined ? {} : { channel }) });
  }

  return (
    <section className={styles.composer} aria-label={t('answer')}>
      <div className={styles.modes}>
        {(['text', 'template', 'note'] as const).map((each) => (
          <Button
            key={each}
            kind="plain"
            aria-pressed={mode === each}
            disabled={each === 'text' && isOnlyTemplate}
            onClick={() => write(each)}
          >
            {t(`mode_${each}`)}
          </Button>
        ))}
        {mode !== 'note' && channels.length > 1 && (
          <SelectField
            label={t('by')}
            value={channel}
            onChange={({ target }) => setChannel(target.value as WrittenChannel)}
          >
            {channels.map((each) => (
              <option key={each} value={each}>
                {channelTexts(each)}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {mode !== 'note' && end && (
        <p className={styles.window}>
          {end.kind === 'open'
            ? t('windowOpen', { when: formats.instant(end.until.toISOString()) })
            : t('windowClosed')}
        </p>
      )}
      {mode === 'template' && channel !== undefined && (
        <TemplateReply
          key={channel}
          channel={channel}
          isBusy={reply.isPending}
          onSend={(message) => reply.mutate({ channel, message })}
        />
      )}
      {mode !== 'template' && (
        <form onSubmit={send} className={styles.form}>
          {mode === 'text' && picker.shown}
          <TextAreaField
            ref={field}
            {...(mode === 'text' && picker.attributes)}
            problem={unfilled && t('unfilled', { variable: unfilled })}
            label={mode === 'note' ? t('noteLabel') : t('replyLabel')}
            maxLength={10_000}
            value={drafts[mode]}
            onChange={({ target }) => {
              change({ [mode]: target.value });
              if (mode === 'text') onTyped();
            }}
            onKeyDown={(event) => {
              if (mode === 'text' && picker.press(event)) return;
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
            }}
          />
          <div className={styles.send}>
            {mode === 'note' && <FileButton id={id} onKept={settled} />}
            {mode === 'text' && <Button onClick={askCanned}>{t('canned')}</Button>}
            <Button type="submit" kind="main" isBusy={isBusy} disabled={isTooLate}>
              {mode === 'note' ? t('keepNote') : t('send')}
            </Button>
          </div>
        </form>
      )}
      {mode !== 'note' && reply.error && <ProblemNote error={reply.error} />}
      {mode === 'note' && note.error && <ProblemNote error={note.error} />}
    </section>
  );
}

/** What a canned reply asks for and nobody has filled in. */
const unfilledVariable = /\{\{\s*(contact|agent)\.[^{}]*\}\}/u;

/** Channels by which the person can be reached, that of their newest message first. */
function useChannels(
  { contact, last_channel }: Conversation,
  said: readonly InboxMessage[],
): readonly WrittenChannel[] {
  const { data } = useQuery({ ...contactQuery(contact.id), retry: false });
  const inbound = said.find(({ direction, channel }) => direction === 'in' && channel !== 'voice');
  const wanted = [
    inbound?.channel,
    last_channel,
    ...said.map(({ channel }) => channel),
    ...(data?.channel_identifiers.map(({ channel }) => channel) ?? []),
  ];
  return [...new Set(wanted)].filter((each): each is WrittenChannel =>
    writtenChannels.some((written) => written === each),
  );
}

/** Keeps a file with the conversation, for the team. */
function FileButton({ id, onKept }: { id: string; onKept: () => void }) {
  const t = useInboxTexts();
  const input = useRef<HTMLInputElement>(null);
  const keeping = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set('file', file);
      return got(
        messaging.POST('/team-inbox/api/conversations/{id}/attachments/', {
          params: { path: { id } },
          body: form as unknown as { file: string },
          bodySerializer: (body) => body as unknown as FormData,
        }),
      );
    },
    onSuccess: onKept,
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('attach')}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) keeping.mutate(file);
          target.value = '';
        }}
      />
      <Button isBusy={keeping.isPending} onClick={() => input.current?.click()}>
        {t('attach')}
      </Button>
      {keeping.error && <ProblemNote error={keeping.error} />}
    </>
  );
}
