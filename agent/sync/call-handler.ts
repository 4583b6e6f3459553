import type { Connector } from '@drawbridge/connectors/contract.ts';
import {
  type CommandMethod,
  isCommandMethod,
  type Method,
  methods,
  type Params,
  type Reply,
  type Result,
} from '@drawbridge/link/methods.ts';
import type { Sources, Used } from './sources.ts';

/** The methods that one connector answers. */
type Asked = Exclude<Method, 'connectors.list' | CommandMethod>;

const handlers: {
  readonly [M in Asked]: (
    connector: Connector,
    params: Params<M>,
    signal: AbortSignal,
  ) => Promise<Result<M>>;
} = {
  'connector.test': (connector, _, signal) => connector.test(signal),
  'connector.describe': (connector, _, signal) => connector.describe(signal),
  'connector.discover': async (connector, { wish }, signal) =>
    (await connector.discover?.(wish, signal)) ?? { kind: 'unsupported' },
  'connector.read': (connector, { ref }, signal) => connector.read(ref, signal),
  'connector.readMany': (connector, { refs }, signal) => connector.readMany(refs, signal),
  'connector.list': (connector, { cursor }, signal) => connector.list(cursor, signal),
  'connector.reject': async (connector, { command }, signal) =>
    (await connector.rejectDocument?.(command, signal)) ?? { kind: 'unsupported' },
};

/** Answers the calls of the control plane through the connectors; never throws. */
export function createCallHandler(sources: Sources) {
  return async (method: Method, params: unknown, signal: AbortSignal): Promise<Reply> => {
    const parsed = methods[method].params.safeParse(params);
    if (!parsed.success)
      return refuse('params_invalid', `The parameters of ${method} do not read.`);
    if (method === 'connectors.list') return { kind: 'ok', result: sources.list() };
    if (isCommandMethod(method)) {
      return refuse('call_not_durable', `${method} is a command, not a call.`);
    }
    const asked = parsed.data as Params<Asked>;
    const servant = handlers[method] as (
      connector: Connector,
      params: Params<Asked>,
      signal: AbortSignal,
    ) => Promise<unknown>;
    return replyOf(await sources.use(asked.connector, (one) => servant(one, asked, signal)));
  };
}

function replyOf(used: Used<unknown>): Reply {
  return used.kind === 'used'
    ? { kind: 'ok', result: used.value }
    : { kind: 'fault', fault: used.fault };
}

function refuse(code: string, message: string): Reply {
  return { kind: 'fault', fault: { code, message, retry: 'never' } };
}
