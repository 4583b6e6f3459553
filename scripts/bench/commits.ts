import pg from 'pg';

/**
 * Single-row commits per second of a plain loop on that many connections. A service that makes each
 * request durable by its own commit cannot be faster.
 */
export async function commitsPerSecond(
  url: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client(url));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    await clients[0]!.query(
      'create table bench_commit (id bigint generated always as identity primary key, body text)',
    );
    const endsAt = performance.now() + seconds * 1_000;
    const counts = await Promise.all(clients.map((client) => insertUntil(client, endsAt)));
    return counts.reduce((sum, count) => sum + count, 0) / seconds;
  } finally {
    await clients[0]!.query('drop table if exists bench_commit');
    await Promise.all(clients.map((client) => client.end()));
  }
}

const body = 'x'.repeat(200);

async function insertUntil(client: pg.Client, endsAt: number): Promise<number> {
  let count = 0;
  while (performance.now() < endsAt) {
    const text = 'insert into bench_commit (body) values ($1)';
    await client.query({ name: 'insert', text, values: [body] });
    count++;
  }
  return count;
}
