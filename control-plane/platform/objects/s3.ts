import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { request } from 'undici';
import { checkKey, type Objects, type ObjectsOptions } from './objects.ts';

const timeouts = { headersTimeout: 60_000, bodyTimeout: 60_000 };

/** Objects in a bucket of any store that speaks S3 (path style, signature version 4). */
export function openBucket({ url = '', key = '' }: ObjectsOptions): Objects {
  const bucket = new URL(url);
  const [accessKeyId = '', secretAccessKey = ''] = key.split(/:(.*)/s);
  const region = bucket.searchParams.get('region') ?? 'us-east-1';
  const endpoint = bucket.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const prefix = bucket.pathname.replace(/^\/|\/$/g, '');
  const base = [endpoint.replace(/\/$/, ''), bucket.host, prefix].filter(Boolean).join('/');
  const credentials = { accessKeyId, secretAccessKey, region, service: 's3' };

  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    objectKey: string,
    more: { stream?: Readable; headers?: Record<string, string> } = {},
  ) {
    const signed = await new AwsV4Signer({
      ...{ ...credentials, method, url: `${base}/${checkKey(objectKey)}` },
      headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...more.headers },
      allHeaders: true,
    }).sign();
    const headers = Object.fromEntries(signed.headers);
    const given = more.stream === undefined ? {} : { body: more.stream };
    return request(signed.url.href, { method, headers, ...given, ...timeouts });
  }

  return {
    place: base,
    put: async (objectKey, { stream, bytes, sha256 }) => {
      const headers = { 'x-amz-content-sha256': sha256, 'content-length': String(bytes) };
      const answer = await send('PUT', objectKey, { stream, headers });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw refusal('put', answer.statusCode);
    },
    get: async (objectKey, part) => {
      const headers = part === undefined ? {} : { range: `bytes=${part.first}-${part.last}` };
      const answer = await send('GET', objectKey, { headers });
      if (answer.statusCode === (part === undefined ? 200 : 206)) {
        return { stream: answer.body, bytes: Number(answer.headers['content-length']) };
      }
      await answer.body.dump();
      if (answer.statusCode === 404) return undefined;
      throw refusal('get', answer.statusCode);
    },
    remove: async (objectKey) => {
      const answer = await send('DELETE', objectKey);
      await answer.body.dump();
      if (![200, 204, 404].includes(answer.statusCode)) throw refusal('remove', answer.statusCode);
    },
  };
}

function refusal(what: string, status: number): Error {
  return new Error(`the object store answered ${status} to ${what}`);
}
