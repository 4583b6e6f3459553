import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Card, EmptyState, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useFormats } from '../../texts/formats.ts';
import { partsOf } from '../templates/parts.ts';
import { PhonePreview, type Shown, withExamples } from '../templates/phone-preview.tsx';
import {
  removeTemplate,
  type Template,
  type TemplateChannel,
  templateChannels,
  templateQuery,
  templatesKey,
} from '../templates/queries.ts';
import { TemplateState } from '../templates/state.tsx';
import { useTemplateTexts } from '../templates/texts.ts';
import styles from './page.module.css';

const route = getRouteApi('/signed-in/templates/$channel/$id');

export function TemplatePage() {
  const t = useTemplateTexts();
  const { channel, id } = route.useParams();
  const known = templateChannels.find((each) => each === channel);
  if (known !== undefined) return <KnownTemplate channel={known} id={id} />;
  return (
    <Page title={t('title')}>
      <EmptyState
        title={t('noneTitle')}
        action={<ButtonLink to="/templates">{t('title')}</ButtonLink>}
      >
        {t('lead')}
      </EmptyState>
    </Page>
  );
}

/** One template: how it reads, and how it stands with the network. */
function KnownTemplate({ channel, id }: { channel: TemplateChannel; id: string }) {
  const t = useTemplateTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'templates:write');
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(templateQuery(channel, id));
  return (
    <Page
      title={data?.name ?? t('title')}
      actions={
        mayWrite &&
        data && (
          <>
            <ButtonLink to="/templates/new" search={{ channel, from: id }}>
              {t('again')}
            </ButtonLink>
            {data.status !== 'deleted' && (
              <Confirm
                action={t('remove')}
                title={t('removeTitle')}
                isDangerous
                onConfirm={async () => {
                  await removeTemplate(channel, id);
                  await queryClient.invalidateQueries({ queryKey: templatesKey });
                  await whileShown(() => navigate({ to: '/templates', search: { channel } }));
                }}
              >
                {t('removeText')}
              </Confirm>
            )}
          </>
        )
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && <Content template={data} />}
    </Page>
  );
}

function Content({ template }: { template: Template }) {
  const t = useTemplateTexts();
  const formats = useFormats();
  const { status, reason, quality, variables, warnings = [] } = template;
  return (
    <div className={styles.columns}>
      <Card title={t('about')}>
        <p>
          <TemplateState status={status} />
        </p>
        {status === 'pending' && <p>{t('sentText')}</p>}
        <Facts
          facts={[
            [t('reason'), reason, 'reason'],
            [t('quality'), quality && t(quality), 'quality'],
            [t('language'), template.language, 'language'],
            [t('category'), t(template.category), 'category'],
            [t('variables'), variables.map((name) => `{{${name}}}`).join(', '), 'variables'],
            [t('made'), formats.instant(template.created_at), 'made'],
            [t('changed'), formats.instant(template.updated_at), 'changed'],
          ]}
        />
        {warnings.length > 0 && (
          <>
            <h3>{t('warnings')}</h3>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </>
        )}
      </Card>
      <PhonePreview shown={shownOf(template)} />
    </div>
  );
}

function shownOf(template: Template): Shown {
  const { body, variables } = template;
  const { header, footer, buttons, bodyExamples } = partsOf(template);
  const examples = Object.fromEntries(
    variables.map((name, at) => [name, bodyExamples?.[at] ?? '']),
  );
  return { header, body: withExamples(body, examples), footer, buttons };
}
