import type { InfiniteData } from '@tanstack/react-query';
import type { ListPage } from '../../api/paging.ts';
import type { Conversation, Filters } from './queries.ts';

type List = InfiniteData<ListPage<Conversation>>;

/** Which conversations a list has; `userId` is `me`. */
export interface ListedFor {
  readonly filters: Filters;
  readonly userId: string;
}

/**
 * The list with a conversation as it is by now: in its new place, or gone where it belongs no more. What
 * belongs behind the pages that are loaded comes with them. The same list when nothing changes.
 */
export function withConversation(list: List, changed: Conversation, listedFor: ListedFor): List {
  const known = list.pages.flatMap(({ results }) => results).find(({ id }) => id === changed.id);
  // A list that was asked for later may be newer than what was told before.
  if (known !== undefined && known.updated_at > changed.updated_at) return list;
  const isListed = belongs(changed, listedFor);
  if (known === undefined && !isListed) return list;
  const rest = withoutConversation(list, changed.id);
  return isListed ? insert(rest, changed, listedFor.filters) : rest;
}

/** The list without a conversation; the same list when it has none of that id. */
export function withoutConversation(list: List, id: string): List {
  if (!list.pages.some(({ results }) => results.some((each) => each.id === id))) return list;
  const pages = list.pages.map((page) => {
    return { ...page, results: page.results.filter((each) => each.id !== id) };
  });
  return { ...list, pages };
}

function belongs(
  { state, assignee_id, last_channel, tags, waiting_since }: Conversation,
  { filters, userId }: ListedFor,
): boolean {
  const assignee = filters.assignee === 'me' ? userId : filters.assignee;
  const isAssigned = assignee === 'none' ? assignee_id === null : assignee_id === assignee;
  return (
    (filters.state === undefined || state === filters.state) &&
    (assignee === undefined || isAssigned) &&
    (filters.order !== 'longest_wait' || waiting_since !== null) &&
    (filters.channel === undefined || last_channel === filters.channel) &&
    (filters.tag === undefined || tags.includes(filters.tag))
  );
}

/** By what the API sorts: what stands after the underscore of the newest message or call, or the wait. */
function isBehind(row: Conversation, changed: Conversation, { order }: Filters): boolean {
  if (order !== 'longest_wait') return placeOf(row) < placeOf(changed);
  const [since, until] = [row.waiting_since ?? '', changed.waiting_since ?? ''];
  return since === until ? row.id > changed.id : since > until;
}

const placeOf = ({ last_item_id }: Conversation) => last_item_id.slice(last_item_id.indexOf('_'));

function insert(list: List, changed: Conversation, filters: Filters): List {
  const isAfter = (row: Conversation) => isBehind(row, changed, filters);
  const found = list.pages.findIndex(({ results }) => results.some(isAfter));
  const isWhole = list.pages.at(-1)?.next == null;
  if (found < 0 && !isWhole) return list;
  const at = found < 0 ? list.pages.length - 1 : found;
  const pages = list.pages.map((page, index) => {
    if (index !== at) return page;
    const place = page.results.findIndex(isAfter);
    const results = page.results.toSpliced(place < 0 ? page.results.length : place, 0, changed);
    return { ...page, results };
  });
  return { ...list, pages };
}
