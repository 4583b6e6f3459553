// A webhook receiver without any library: node docs/quickstart/webhook-receiver.mjs whsec_…
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.argv[2];
const signatureMember = /,"signature":"sha256=([0-9a-f]{64})"\}$/;
const toleranceMs = 300_000;

/** The event of a body whose signature holds, else undefined. The body is the text as received. */
function verified(body) {
  const [member, digest] = signatureMember.exec(body) ?? [];
  const unsigned = member && `${body.slice(0, -member.length)}}`;
  const [, ts] = /,"ts":"([^"]+)"\}$/.exec(unsigned ?? '') ?? [];
  if (ts === undefined || !(Math.abs(Date.now() - Date.parse(ts)) <= toleranceMs)) return undefined;
  const expected = createHmac('sha256', secret).update(`${ts}.${unsigned}`).digest();
  return timingSafeEqual(expected, Buffer.from(digest, 'hex')) ? JSON.parse(unsigned) : undefined;
}

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const event = verified(body);
  console.log(event === undefined ? 'refused' : `verified ${event.event} ${event.id}`);
  response.writeHead(event === undefined ? 401 : 204).end();
}).listen(9000, '127.0.0.1');
