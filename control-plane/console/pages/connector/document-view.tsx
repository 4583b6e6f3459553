import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card, EmptyState, ProblemNote, Skeleton } from '../../design/page.tsx';
import styles from './document-view.module.css';
import { useMappingPlace } from './mapping-place.ts';
import { documentQuery, type MappedDocument, mappingQuery } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

type Section = MappedDocument['sections'][number];
type Row = Section['rows'][number];
type Value = MappedDocument['values'][number];

/** A cell of the source, as one text. */
const cellOf = (section: string, key: string, column: string) =>
  JSON.stringify([section, key, column]);
const cellOfValue = ({ from }: Value) => from && cellOf(from.section, from.key, from.column);

/** A document of the source beside the invoice; what is looked at on one side is marked on both. */
export function DocumentView() {
  const t = useConnectorTexts();
  const place = useMappingPlace();
  const [ref, setRef] = useState<string>();
  const { data: document, error, refetch } = useQuery(documentQuery(place, ref));
  const [refs, setRefs] = useState<readonly string[]>([]);
  const known = document?.source_refs ?? refs;
  useEffect(() => {
    if (document !== undefined) setRefs(document.source_refs);
  }, [document]);
  if (document?.source_refs.length === 0) {
    return <EmptyState title={t('noDocuments')}>{t('noDocumentsText')}</EmptyState>;
  }
  return (
    <Card title={t('document')}>
      <p>{t('documentText')}</p>
      {known.length > 0 && (
        <SelectField
          label={t('chooseDocument')}
          value={ref ?? known[0]}
          onChange={({ target }) => setRef(target.value)}
        >
          {known.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      )}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {document === undefined && !error && <Skeleton lines={10} />}
      {document && <Sides key={document.source_ref} document={document} />}
    </Card>
  );
}

function Sides({ document }: { document: MappedDocument }) {
  const t = useConnectorTexts();
  const place = useMappingPlace();
  const { data: mapping } = useQuery(mappingQuery(place));
  const [shown, setShown] = useState<string>();
  const names = new Map(mapping?.coverage.fields.map(({ path, name }) => [path, name]));
  const used = new Set(document.values.map(cellOfValue));
  return (
    <>
      {document.problems.length > 0 && (
        <ul>
          {document.problems.map((problem) => (
            <li key={problem} dir="auto">
              <Badge tone="bad">{t('problem')}</Badge> {problem}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.sides}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <section className={styles.side} tabIndex={0} aria-label={t('source')}>
          <h3>{t('source')}</h3>
          {document.sections.map((section) => (
            <SourceSection
              key={section.section}
              section={section}
              used={used}
              shown={shown}
              onShow={setShown}
            />
          ))}
        </section>
        <section className={styles.side} aria-label={t('invoice')}>
          <h3>{t('invoice')}</h3>
          <ul>
            {document.values.map((value) => (
              <li key={value.path}>
                <InvoiceValue
                  value={value}
                  name={names.get(value.target)}
                  isShown={shown !== undefined && shown === cellOfValue(value)}
                  onShow={() => setShown(cellOfValue(value))}
                />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

interface SourceSectionProps {
  readonly section: Section;
  /** Cells that the invoice takes. */
  readonly used: ReadonlySet<string | undefined>;
  readonly shown: string | undefined;
  onShow(cell: string): void;
}

function SourceSection({ section, ...rest }: SourceSectionProps) {
  const t = useConnectorTexts();
  const { section: name, origin, rows, rows_total } = section;
  return (
    <section>
      <h4>
        {name} {origin !== '' && <code>{origin}</code>}
      </h4>
      {rows.map((row) => (
        <SourceRow key={row.key} section={name} row={row} {...rest} />
      ))}
      {rows_total > rows.length && <p>{t('moreRows', { count: rows_total - rows.length })}</p>}
    </section>
  );
}

interface SourceRowProps extends Omit<SourceSectionProps, 'section'> {
  readonly section: string;
  readonly row: Row;
}

function SourceRow({ section, row, used, shown, onShow }: SourceRowProps) {
  const t = useConnectorTexts();
  const marked = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Only what has focus or the pointer elsewhere is shown here.
    if (shown !== undefined) marked.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <>
      <p className={styles.key}>{t('row', { key: row.key })}</p>
      <dl>
        {Object.entries(row.values).map(([column, value]) => {
          const cell = cellOf(section, row.key, column);
          const isShown = cell === shown;
          const isUsed = used.has(cell);
          return (
            <div
              key={column}
              ref={isShown ? marked : undefined}
              className={`${styles.row} ${isShown ? styles.shown : ''} ${isUsed ? '' : styles.unused}`}
              data-cell={isShown ? 'shown' : undefined}
              onPointerEnter={() => isUsed && onShow(cell)}
            >
              <dt>
                <code>{column}</code>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

interface InvoiceValueProps {
  readonly value: Value;
  readonly name: string | undefined;
  readonly isShown: boolean;
  onShow(): void;
}

/** A button, so that the keyboard reaches it: its place in the source is marked. */
function InvoiceValue({ value, name, isShown, onShow }: InvoiceValueProps) {
  const t = useConnectorTexts();
  const { path, by, from, status } = value;
  return (
    <button
      type="button"
      className={`${styles.value} ${isShown ? styles.shown : ''}`}
      onFocus={onShow}
      onPointerEnter={onShow}
      onClick={onShow}
    >
      <span className={styles.name} title={path}>
        {name === undefined ? <code>{path}</code> : <bdi lang="en">{name}</bdi>}
      </span>
      <bdi>{value.value}</bdi>
      <small>
        {from ? (
          <code>
            {from.section}.{from.column}
          </code>
        ) : (
          t(by === 'company' ? 'ofCompany' : 'constant')
        )}
        {status === 'proposed' && ` · ${t('proposed')}`}
      </small>
    </button>
  );
}
