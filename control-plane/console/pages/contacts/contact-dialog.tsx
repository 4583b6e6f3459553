import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { CheckList } from '../../design/check-list.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { segmentChoicesQuery, segmentsKey } from '../segments/queries.ts';
import styles from './contact-dialog.module.css';
import { addContact, type Contact, changeContact, contactsKey } from './queries.ts';
import { useContactTexts } from './texts.ts';

type Attributes = Contact['attributes'];

interface ContactDialogProps {
  /** Undefined: a new one. */
  readonly contact?: Contact;
  onClose(): void;
  onKept(contact: Contact): void;
}

/** Who somebody is: name, phone, lists, and what else is known. */
export function ContactDialog({ contact, onClose, onKept }: ContactDialogProps) {
  const t = useContactTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const { data: known } = useQuery(segmentChoicesQuery);
  const lists = known?.results.filter(({ query }) => query === null) ?? [];
  const [name, setName] = useState(contact?.name ?? '');
  const [phone, setPhone] = useState(contact?.phone ?? '');
  const [segments, setSegments] = useState<readonly string[]>(contact?.segments ?? []);
  const [rows, setRows] = useState(() => rowsOf(contact?.attributes ?? {}));
  const lastRow = useRef(rows.length);
  const keep = useMutation({
    mutationFn: () => {
      const attributes = attributesOf(rows, contact?.attributes ?? {});
      const given = { segments: [...segments], attributes };
      if (contact === undefined) {
        return addContact({
          ...given,
          channel_identifiers: [],
          ...(name && { name }),
          ...(phone && { phone }),
        });
      }
      const removed = Object.keys(contact.attributes).filter((each) => !(each in attributes));
      return changeContact(contact.id, {
        segments: given.segments,
        name: name || null,
        phone: phone || null,
        attributes: { ...attributes, ...Object.fromEntries(removed.map((each) => [each, null])) },
      });
    },
    onSuccess: async (kept) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: contactsKey }),
        queryClient.invalidateQueries({ queryKey: segmentsKey }),
      ]);
      whileShown(() => onKept(kept));
    },
  });
  const ofPhone = keep.error instanceof Problem ? keep.error.fields.phone?.[0] : undefined;
  const change = (key: number, part: Partial<AttributeRow>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <Dialog
      title={contact === undefined ? t('add') : t('edit')}
      onClose={onClose}
      onSubmit={() => !keep.isPending && keep.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={keep.isPending}>
            {t('keep')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('name')}
        dir="auto"
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('phone')}
        hint={t('phoneHint')}
        type="tel"
        dir="ltr"
        required={contact === undefined}
        value={phone}
        problem={ofPhone}
        onChange={({ target }) => setPhone(target.value)}
      />
      {lists.length > 0 && (
        <CheckList
          label={t('lists')}
          options={lists.map((list) => list.name)}
          chosen={segments}
          onChange={setSegments}
        />
      )}
      <fieldset className={styles.attributes}>
        <legend>{t('attributes')}</legend>
        {rows.map((row) => (
          <div key={row.key} className={styles.row}>
            <TextField
              label={t('attribute')}
              dir="auto"
              required
              maxLength={64}
              value={row.name}
              onChange={({ target }) => change(row.key, { name: target.value })}
            />
            <TextField
              label={t('value')}
              dir="auto"
              maxLength={1_000}
              value={row.value}
              onChange={({ target }) => change(row.key, { value: target.value })}
            />
            <Button
              kind="plain"
              aria-label={t('removeAttribute', { name: row.name })}
              onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
            >
              ×
            </Button>
          </div>
        ))}
        <Button
          onClick={() => {
            lastRow.current += 1;
            setRows([...rows, { key: lastRow.current, name: '', value: '' }]);
          }}
        >
          {t('addAttribute')}
        </Button>
      </fieldset>
      {keep.error && ofPhone === undefined && <ProblemNote error={keep.error} />}
    </Dialog>
  );
}

interface AttributeRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

function rowsOf(attributes: Attributes): readonly AttributeRow[] {
  return Object.entries(attributes).map(([name, value], key) => ({
    key,
    name,
    value: String(value),
  }));
}

/** What was typed; a value that stays the same keeps its type. */
function attributesOf(rows: readonly AttributeRow[], before: Attributes): Attributes {
  return Object.fromEntries(
    rows.map(({ name, value }) => {
      const old = before[name.trim()];
      return [name.trim(), old !== undefined && String(old) === value ? old : value];
    }),
  );
}
