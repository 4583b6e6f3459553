import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { type FilledReply, filledRepliesQuery } from '../canned-replies/queries.ts';
import styles from './canned-picker.module.css';
import { useInboxTexts } from './texts.ts';

interface CannedPickerOptions {
  readonly conversationId: string;
  /** What is written so far. */
  readonly text: string;
  /** Whether it is an answer, and no note. */
  readonly isWanted: boolean;
  onText(text: string): void;
}

interface CannedPicker {
  /** What stands above the field: the choice, and what went wrong. */
  readonly shown: ReactNode;
  /** For the field. */
  readonly attributes: Readonly<Record<`aria-${string}`, string | undefined>>;
  /** Whether the key was for the choice, and is used up. */
  press(event: KeyboardEvent): boolean;
}

/** At the end of a text: a slash, and what was typed of a shortcut or title. */
const asked = /(?<=^|\s)\/([^\s/]*)$/u;

/** Chooses a canned reply where somebody types a slash. The focus stays in the field. */
export function useCannedPicker(options: CannedPickerOptions): CannedPicker {
  const { conversationId, text, isWanted, onText } = options;
  const t = useInboxTexts();
  const id = useId();
  const wanted = isWanted ? asked.exec(text)?.[1]?.toLowerCase() : undefined;
  const { data, error } = useQuery({
    ...filledRepliesQuery(conversationId),
    enabled: wanted !== undefined,
  });
  const [at, setAt] = useState(0);
  const [closedAt, setClosedAt] = useState<string>();
  const take = (reply: FilledReply) => onText(text.replace(asked, () => reply.text));
  useEffect(() => {
    if (wanted !== undefined) setAt(0); // what was typed finds others
  }, [wanted]);

  const isOpen = wanted !== undefined && closedAt !== text && data !== undefined;
  const found = isOpen ? matching(data.results, wanted) : [];
  const chosen = found[at];
  const optionId = (reply: FilledReply) => `${id}-${reply.id}`;
  const press = (event: KeyboardEvent) => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false;
    const act = {
      ArrowDown: () => setAt((at + 1) % Math.max(found.length, 1)),
      ArrowUp: () => setAt((at + found.length - 1) % Math.max(found.length, 1)),
      Escape: () => setClosedAt(text),
      ...(chosen && { Enter: () => take(chosen), Tab: () => take(chosen) }),
    }[event.key];
    if (act === undefined) return false;
    event.preventDefault();
    act();
    return true;
  };

  return {
    press,
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': chosen && id,
      'aria-activedescendant': chosen && optionId(chosen),
    },
    shown: (
      <>
        {error && wanted !== undefined && <ProblemNote error={error} />}
        {isOpen && (
          <p role="status" className={styles.text}>
            {data.results.length === 0
              ? t('cannedNone')
              : t('cannedFound', { count: found.length })}
          </p>
        )}
        {isOpen && data.results.length === 0 && <ManageLink />}
        {found.length > 0 && (
          <div role="listbox" id={id} aria-label={t('canned')} className={styles.picker}>
            {found.map((reply) => (
              <Option
                key={reply.id}
                id={optionId(reply)}
                reply={reply}
                isChosen={reply === chosen}
                onChoose={() => take(reply)}
              />
            ))}
          </div>
        )}
      </>
    ),
  };
}

/** Those whose shortcut begins so, then those whose title contains it. */
function matching(replies: readonly FilledReply[], wanted: string): readonly FilledReply[] {
  const isShort = ({ shortcut }: FilledReply) => shortcut.startsWith(wanted);
  const others = replies.filter(
    (reply) => !isShort(reply) && reply.title.toLowerCase().includes(wanted),
  );
  return [...replies.filter(isShort), ...others];
}

interface OptionProps {
  readonly id: string;
  readonly reply: FilledReply;
  readonly isChosen: boolean;
  onChoose(): void;
}

function Option({ id, reply, isChosen, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
    <div
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles.option}
      ref={(element) => {
        if (isChosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
      onClick={onChoose}
    >
      <code className={styles.shortcut}>
        <bdi dir="ltr">/{reply.shortcut}</bdi>
      </code>
      <bdi>{reply.title}</bdi>
      <span className={styles.text} dir="auto">
        {reply.text}
      </span>
    </div>
  );
}

function ManageLink() {
  const t = useInboxTexts();
  const mayManage = mayDo(useSession(), 'messaging', 'inbox:manage');
  if (!mayManage) return null;
  return (
    <div>
      <ButtonLink to="/inbox/canned-replies">{t('canned')}</ButtonLink>
    </div>
  );
}
