import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type Contact = components['schemas']['Contact'];
export type ContactRequest = components['schemas']['ContactRequest'];
export type ContactPatch = components['schemas']['ContactPatch'];
export type Channel = components['schemas']['ConsentRequest']['channel'];
type Query = NonNullable<operations['listContacts']['parameters']['query']>;
export type ContactFilters = Pick<Query, 'text' | 'segment' | 'phone'>;

/** All that shows contacts has a key that begins so. */
export const contactsKey = ['contacts'] as const;
const path = (id: string) => ({ params: { path: { id } } });

export const contactsQuery = (filters: ContactFilters) =>
  pagesOf([...contactsKey, 'list', filters], (page) =>
    got(messaging.GET('/contacts/', { params: { query: { ...filters, ...page } } })),
  );

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', id],
    queryFn: () => got(messaging.GET('/contacts/{id}/', path(id))),
  });

export const consentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', id, 'consents'],
    queryFn: () => got(messaging.GET('/contacts/{id}/consents/', path(id))),
  });

/** The newest messages with somebody, over every channel. */
export const saidQuery = (contact: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', contact, 'said'],
    queryFn: () =>
      got(
        messaging.GET('/team-inbox/api/messages/', { params: { query: { contact, limit: 10 } } }),
      ),
  });

export const conversationOfQuery = (contact: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', contact, 'conversation'],
    queryFn: () =>
      got(
        messaging.GET('/team-inbox/api/conversations/', {
          params: { query: { contact, limit: 1 } },
        }),
      ),
  });

export const addContact = (body: ContactRequest) => got(messaging.POST('/contacts/', { body }));

export const changeContact = (id: string, body: ContactPatch) =>
  got(messaging.PATCH('/contacts/{id}/', { ...path(id), body }));

export const removeContact = (id: string) => got(messaging.DELETE('/contacts/{id}/', path(id)));

export const recordConsent = (id: string, channel: Channel, state: 'granted' | 'revoked') =>
  got(messaging.POST('/contacts/{id}/consents/', { ...path(id), body: { channel, state } }));
