import { Facts } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { addressLines, type DocumentLine, type InvoiceDocument, type Party } from './document.ts';
import styles from './page.module.css';
import { useDocumentTexts } from './texts.ts';

interface ReadableDocumentProps {
  readonly document: InvoiceDocument;
  /** What an authority calls it. */
  readonly uin?: string | undefined;
}

/** A document as people read it, on the screen and on paper. */
export function ReadableDocument({ document, uin }: ReadableDocumentProps) {
  const t = useDocumentTexts();
  const columns = useColumns(document.currency);
  const { seller, buyer, lines = [], notes = [] } = document;
  const dayOf = useDay();
  return (
    <article className={styles.sheet}>
      <div className={styles.parties}>
        {seller && <PartyNote title={t('seller')} party={seller} />}
        {buyer && <PartyNote title={t('buyer')} party={buyer} />}
      </div>
      <Facts
        facts={[
          [t('number'), document.number, 'number'],
          [t('issued'), dayOf(document.issue_date), 'issued'],
          [t('due'), dayOf(document.due_date), 'due'],
          [t('order'), document.purchase_order, 'order'],
          [t('reference'), document.buyer_reference, 'reference'],
          [t('uin'), uin && <code>{uin}</code>, 'uin'],
        ]}
      />
      <Table
        label={t('lines')}
        columns={columns}
        rows={lines.map((line, at) => ({ line, at }))}
        keyOf={({ at }) => String(at)}
      />
      <Totals document={document} />
      {notes.length > 0 && <p className={styles.notes}>{notes.join('\n')}</p>}
    </article>
  );
}

function PartyNote({ title, party }: { title: string; party: Party }) {
  const { name, trading_name, tax_registrations = [], registration_id } = party;
  return (
    <section className={styles.party}>
      <h2>{title}</h2>
      <p dir="auto">
        <strong>{name ?? trading_name}</strong>
      </p>
      {addressLines(party).map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
      {tax_registrations.map(({ id, scheme }) => (
        <p key={`${scheme} ${id}`}>
          {scheme} <code>{id}</code>
        </p>
      ))}
      {registration_id && (
        <p>
          <code>{registration_id}</code>
        </p>
      )}
    </section>
  );
}

function Totals({ document: { totals = {}, currency } }: { document: InvoiceDocument }) {
  const t = useDocumentTexts();
  const money = useMoney(currency);
  const rows = ['lines', 'net', 'tax', 'gross', 'prepaid', 'rounding', 'due'] as const;
  return (
    <dl className={styles.totals}>
      {rows
        .filter((name) => totals[name] !== undefined)
        .map((name) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt className={name === 'due' ? styles.due : undefined}>{t(totalTexts[name])}</dt>
            <dd className={name === 'due' ? styles.due : undefined}>{money(totals[name])}</dd>
          </div>
        ))}
    </dl>
  );
}

const totalTexts = {
  lines: 'sumOfLines',
  net: 'net',
  tax: 'tax',
  gross: 'gross',
  prepaid: 'prepaid',
  rounding: 'rounding',
  due: 'toPay',
} as const;

type Row = { readonly line: DocumentLine; readonly at: number };

function useColumns(currency: string | undefined): readonly Column<Row>[] {
  const t = useDocumentTexts();
  const money = useMoney(currency);
  return [
    { name: 'at', title: t('at'), cell: ({ line, at }) => line.id ?? at + 1 },
    {
      name: 'item',
      title: t('item'),
      cell: ({ line: { name, description } }) => (
        <>
          <bdi>{name}</bdi>
          {description && description !== name && (
            <div>
              <bdi>{description}</bdi>
            </div>
          )}
        </>
      ),
    },
    {
      name: 'quantity',
      title: t('quantity'),
      isAmount: true,
      cell: ({ line: { qty, unit } }) => `${qty ?? ''} ${unit ?? ''}`,
    },
    {
      name: 'price',
      title: t('price'),
      isAmount: true,
      cell: ({ line: { unit_price } }) => money(unit_price),
    },
    {
      name: 'tax',
      title: t('tax'),
      isAmount: true,
      cell: ({ line: { tax } }) =>
        tax && `${tax.rate ?? ''}${tax.rate === undefined ? '' : ' %'} ${tax.category ?? ''}`,
    },
    { name: 'net', title: t('net'), isAmount: true, cell: ({ line }) => money(line.net) },
  ];
}

/** A day, or what stands in its place: the model may hold what is no day. */
function useDay(): (day: string | undefined) => string | undefined {
  const formats = useFormats();
  return (day) => (/^\d{4}-\d\d-\d\d$/.test(day ?? '') ? formats.day(day!) : day);
}

/** An amount in the currency of the document, or what stands in its place. */
function useMoney(currency: string | undefined): (amount: string | undefined) => string {
  const formats = useFormats();
  return (amount) => {
    if (amount === undefined) return '';
    const isExact = /^-?\d+(\.\d+)?$/.test(amount) && /^[A-Z]{3}$/.test(currency ?? '');
    return isExact ? formats.money(amount, currency!) : `${amount} ${currency ?? ''}`;
  };
}
