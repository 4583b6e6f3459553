import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { operatorNamed } from '../outbound/address.ts';
import { type OpenAnswer, openOutboundClient } from '../outbound/client.ts';
import { checkKey, type Objects, type ObjectsOptions } from './objects.ts';

/** A large object may take any time, as long as something comes. */
const limits = {
  connectMs: 10_000,
  headMs: 60_000,
  bodyIdleMs: 60_000,
  totalMs: Number.POSITIVE_INFINITY,
};

/** Objects in a bucket of any store that speaks S3 (path style, signature version 4). */
export function openBucket({ url = '', key = '' }: ObjectsOptions): Objects {
  const bucket = new URL(url);
  const [accessKeyId = '', secretAccessKey = ''] = key.split(/:(.*)/s);
  const region = bucket.searchParams.get('region') ?? 'us-east-1';
  const endpoint = bucket.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const prefix = bucket.pathname.replace(/^\/|\/$/g, '');
  const base = [endpoint.replace(/\/$/, ''), bucket.host, prefix].filter(Boolean).join('/');
  const client = openOutboundClient(limits);
  const credentials = { accessKeyId, secretAccessKey, region, service: 's3' };

  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    objectKey: string,
    more: { stream?: Readable; headers?: Record<string, string> } = {},
  ): Promise<OpenAnswer> {
    const signed = await new AwsV4Signer({
      ...credentials,
      method,
      url: `${base}/${checkKey(objectKey)}`,
      headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...more.headers },
      allHeaders: true,
    }).sign();
    const outcome = await client.open({
      method,
      url: signed.url.href,
      headers: Object.fromEntries(signed.headers),
      body: more.stream,
      policy: operatorNamed,
    });
    if (outcome.kind === 'answered') return outcome.answer;
    throw new Error(`the object store did not answer to ${method}: ${outcome.reason}`);
  }

  return {
    place: base,
    put: async (objectKey, { stream, bytes, sha256 }) => {
      const headers = { 'x-amz-content-sha256': sha256, 'content-length': String(bytes) };
      const answer = await send('PUT', objectKey, { stream, headers });
      await answer.body.dump();
      if (answer.status !== 200) throw refusal('put', answer.status);
    },
    get: async (objectKey, part) => {
      const headers = part === undefined ? {} : { range: `bytes=${part.first}-${part.last}` };
      const answer = await send('GET', objectKey, { headers });
      if (answer.status === (part === undefined ? 200 : 206)) {
        return { stream: answer.body, bytes: Number(answer.headers['content-length']) };
      }
      await answer.body.dump();
      if (answer.status === 404) return undefined;
      throw refusal('get', answer.status);
    },
    remove: async (objectKey) => {
      const answer = await send('DELETE', objectKey);
      await answer.body.dump();
      if (![200, 204, 404].includes(answer.status)) throw refusal('remove', answer.status);
    },
  };
}

function refusal(what: string, status: number): Error {
  return new Error(`the object store answered ${status} to ${what}`);
}
