/** For tests and benches of broadcasts: an SMS app, a template, and a segment of any size. */

/** Runs a statement past row-level security. */
export type Sql = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;
/** One call of the messaging API; throws unless it succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
export type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<any>;

/** A client that throws for every error answer. */
export function clientOf(url: string, key: string): Call {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

export interface Campaign {
  readonly template: string;
  readonly segment: string;
  readonly app_id: string;
}

/** Makes an app, a template and a segment with that many contacts. */
export async function makeCampaign(
  call: Call,
  sql: Sql,
  { name, contacts, perSecond }: { name: string; contacts: number; perSecond: number },
): Promise<Campaign> {
  const app = await call('POST', '/sms/v1/apps/', {
    provider: 'generic-http-sms',
    name,
    settings: { messages_per_second: String(perSecond) },
  });
  const template = `template ${name}`;
  await call('POST', '/sms/v1/templates/', { name: template, body: 'Hello {{name}}, good news.' });
  const { id } = await call('POST', '/contacts/segments/', { name });
  await fillSegment(sql, id, contacts);
  return { template, segment: name, app_id: app.id };
}

/**
 * Inserts the contacts directly, because importing has its own tests and benches. No number ends in
 * the last digits that have a meaning in a simulator.
 */
async function fillSegment(sql: Sql, segmentId: string, contacts: number): Promise<void> {
  const [{ next }] = (await sql<{ next: number }>('select count(*)::int as next from contact')) as [
    { next: number },
  ];
  await sql(
    `insert into contact (id, tenant_id, environment, name, phone, created_at, updated_at)
     select 'con_' || lpad((n + $2::int)::text, 26, '0'), s.tenant_id, s.environment, 'Asha',
       '+6012' || lpad((n + $2::int)::text, 6, '0') || '8', now(), now()
     from generate_series(1, $3::int) n, segment s where s.id = $1`,
    [segmentId, next, contacts],
  );
  // Otherwise each foreign key is checked as in a small table, by reading all of it.
  await sql('analyze contact');
  await sql(
    `insert into contact_segment
     select s.tenant_id, s.environment, $1, 'con_' || lpad((n + $2::int)::text, 26, '0')
     from generate_series(1, $3::int) n, segment s where s.id = $1`,
    [segmentId, next, contacts],
  );
}
