import { got, messaging } from '../../api/client.ts';

/** The other one becomes part of a contact, with those values of the other one. */
export const mergeContacts = (id: string, other: string, valuesOfOther: readonly string[]) =>
  got(
    messaging.POST('/contacts/{id}/merge/', {
      params: { path: { id } },
      body: { contact_id: other, values_of_other: [...valuesOfOther] },
    }),
  );
