import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { everyPage, pagesOf } from '../../api/paging.ts';

export type Template = components['schemas']['Template'];
type Query = NonNullable<operations['listWaTemplates']['parameters']['query']>;
export type TemplateFilters = Pick<Query, 'status' | 'name'>;

/** Channels that have templates of texts. */
export const templateChannels = ['wa', 'sms', 'botchat', 'rcs'] as const;
export type TemplateChannel = (typeof templateChannels)[number];

/** All that shows templates has a key that begins so. */
export const templatesKey = ['templates'] as const;

export const templatesQuery = (channel: TemplateChannel, filters: TemplateFilters) =>
  pagesOf([...templatesKey, channel, filters], (page) =>
    got(messaging.GET(`/${channel}/v1/templates/`, { params: { query: { ...filters, ...page } } })),
  );

/** Templates that may be sent now, of every channel. */
export const sendableTemplatesQuery = queryOptions({
  queryKey: [...templatesKey, 'sendable'],
  queryFn: async (): Promise<readonly Template[]> => {
    const pages = await Promise.all(
      templateChannels.map((channel) =>
        everyPage((page) =>
          got(
            messaging.GET(`/${channel}/v1/templates/`, {
              params: { query: { status: 'approved', ...page } },
            }),
          ),
        ),
      ),
    );
    return pages.flatMap(({ results }) => results);
  },
});

const path = (id: string) => ({ params: { path: { id } } });
/** The network answers by itself. */
const askEveryMs = 5_000;

export const templateQuery = (channel: TemplateChannel, id: string) =>
  queryOptions({
    queryKey: [...templatesKey, channel, 'one', id],
    queryFn: () => got(messaging.GET(`/${channel}/v1/templates/{id}/`, path(id))),
    refetchInterval: ({ state: { data } }) => (data?.status === 'pending' ? askEveryMs : false),
  });

export const removeTemplate = (channel: TemplateChannel, id: string) =>
  got(messaging.DELETE(`/${channel}/v1/templates/{id}/`, path(id)));

export type ReviewedTemplate = components['schemas']['WaTemplateRequest'];
export type OwnTemplate = components['schemas']['TemplateRequest'];

/** What the network would refuse of a text. */
export const checkQuery = (body: ReviewedTemplate) =>
  queryOptions({
    queryKey: [...templatesKey, 'check', body],
    queryFn: () => got(messaging.POST('/wa/v1/templates/check/', { body })),
  });

export const submitTemplate = (body: ReviewedTemplate, key: string) =>
  got(
    messaging.POST('/wa/v1/templates/', { params: { header: { 'Idempotency-Key': key } }, body }),
  );

export const keepTemplate = (
  channel: Exclude<TemplateChannel, 'wa'>,
  body: OwnTemplate,
  key: string,
) =>
  got(
    messaging.POST(`/${channel}/v1/templates/`, {
      params: { header: { 'Idempotency-Key': key } },
      body,
    }),
  );
