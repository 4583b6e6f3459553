import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { groupsOf } from './openapi.ts';
import { Operation } from './operation.tsx';
import styles from './page.module.css';
import { type Contract, contractQuery } from './queries.ts';
import { useDocsTexts } from './texts.ts';

const route = getRouteApi('/docs');

/** Both APIs as their OpenAPI files describe them; nothing is fetched from elsewhere. */
export function DocsPage() {
  const t = useDocsTexts();
  const { api = 'einvoicing' } = route.useSearch();
  const navigate = useNavigate({ from: '/docs' });
  const [text, setText] = useState('');
  const { data: contract, error, refetch } = useQuery(contractQuery(api));
  const { data: session } = useQuery(sessionQuery);
  const groups = contract === undefined ? [] : groupsOf(contract, text);
  return (
    <main className={styles.page}>
      <Page title={t('title')} lead={t('lead')} actions={<Link to="/">{t('console')}</Link>}>
        <search className={styles.fields}>
          <SelectField
            label={t('api')}
            value={api}
            onChange={({ target }) => void navigate({ search: { api: target.value as Contract } })}
          >
            <option value="einvoicing">{t('einvoicing')}</option>
            <option value="messaging">{t('messaging')}</option>
          </SelectField>
          <TextField
            label={t('find')}
            type="search"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </search>
        {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
        {contract === undefined && !error && <Skeleton lines={10} />}
        {contract && groups.length === 0 && (
          <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
        )}
        {groups.map(({ tag, operations }) => (
          <section key={tag} className={styles.group} lang="en" dir="ltr">
            <h2>{tag}</h2>
            {operations.map((each) => (
              <Closed
                key={each.operationId}
                operation={each}
                schemas={contract!.components.schemas}
                maySend={session?.environment === 'sandbox'}
              />
            ))}
          </section>
        ))}
      </Page>
    </main>
  );
}

/** Only what was opened is on the page: an API has some hundred calls. */
function Closed(props: ComponentProps<typeof Operation>) {
  const { operation } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.operation}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <code>
          <b className={styles.method}>{operation.method}</b> {operation.path}
        </code>{' '}
        <span>{operation.summary}</span>
      </summary>
      {isOpen && <Operation {...props} />}
    </details>
  );
}
