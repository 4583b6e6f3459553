import { hasBasicAuthorization } from '../../../simulation/basic-authorization.ts';
import { type Call, type Endpoint, formOf, type Reply } from '../../../simulation/server.ts';
import type { VoiceNetwork } from '../../simulation/voice/network.ts';

interface Account {
  readonly account_sid: string;
  readonly auth_token: string;
  readonly intelligence_service_sid: string;
}

interface Transcript {
  readonly sid: string;
  readonly source: string;
  /** It is done when it was asked for once. */
  asked: number;
}

/** Conversational Intelligence: every recording says the same two sentences. */
export function transcriptEndpoints(network: VoiceNetwork, account: Account): readonly Endpoint[] {
  const transcripts: Transcript[] = [];
  const guarded = (work: (call: Call) => Reply) => (call: Call) =>
    hasBasicAuthorization(call.headers, account.account_sid, account.auth_token)
      ? work(call)
      : refusal(401, 20003, 'Authenticate');
  const shown = ({ sid, source, asked }: Transcript) => ({
    sid,
    account_sid: account.account_sid,
    service_sid: account.intelligence_service_sid,
    channel: { media_properties: { source_sid: source } },
    status: asked > 1 ? 'completed' : 'queued',
    language_code: 'en-US',
  });
  return [
    {
      method: 'post',
      path: '/v2/Transcripts',
      handle: guarded(({ body }) => {
        const { ServiceSid, Channel = '' } = formOf(body);
        if (ServiceSid !== account.intelligence_service_sid) {
          return refusal(404, 20404, `The service ${ServiceSid} was not found`);
        }
        const source = sourceIn(Channel);
        if (source === undefined || network.recording(source, 'audio/x-wav') === undefined) {
          return refusal(400, 60600, 'Channel does not name a recording');
        }
        const transcript = { sid: `GT${network.hex(32)}`, source, asked: 0 };
        transcripts.push(transcript);
        return { status: 201, body: shown(transcript) };
      }),
    },
    {
      method: 'get',
      path: '/v2/Transcripts',
      handle: guarded(({ query }) => {
        const wanted = query.get('SourceSid');
        const found = transcripts.filter(({ source }) => wanted === null || source === wanted);
        for (const each of found) each.asked += 1;
        return {
          status: 200,
          body: { transcripts: found.map(shown), meta: { key: 'transcripts' } },
        };
      }),
    },
    {
      method: 'get',
      path: '/v2/Transcripts/:transcript/Sentences',
      handle: guarded(({ params }) => {
        const found = transcripts.find(({ sid }) => sid === params.transcript);
        if (found === undefined) return refusal(404, 20404, 'The transcript was not found');
        const sentences = ['Hello, I have your parcel.', 'I will leave it at the door.'].map(
          (transcript, sentence_index) => ({ media_channel: 1, sentence_index, transcript }),
        );
        return { status: 200, body: { sentences, meta: { key: 'sentences' } } };
      }),
    },
  ];
}

function sourceIn(channel: string): string | undefined {
  try {
    return JSON.parse(channel).media_properties.source_sid;
  } catch {
    return undefined;
  }
}

function refusal(status: number, code: number, message: string): Reply {
  return { status, body: { code, message, status } };
}
