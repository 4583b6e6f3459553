import { type Endpoint, jsonObject } from './server.ts';

/** What is done by POST, with an example of its body. */
export type ControlCommand = readonly [
  example: object,
  run: (body: Readonly<Record<string, unknown>>) => void,
];

/**
 * The commands of a simulator below `/_control`, whose bodies are the arguments as JSON, and `GET /_control`: what can
 * be read there, and what can be done, each with an example of its body.
 */
export function controlCommands(control: {
  readonly kind: string;
  readonly read: readonly string[];
  readonly commands: Readonly<Record<string, ControlCommand>>;
}): readonly Endpoint[] {
  const { kind, read } = control;
  const commands = Object.entries(control.commands);
  const post = Object.fromEntries(commands.map(([name, [example]]) => [name, example]));
  return [
    {
      method: 'get',
      path: '/_control/',
      handle: () => ({ status: 200, body: { kind, read, post } }),
    },
    ...commands.map(
      ([name, [, run]]): Endpoint => ({
        method: 'post',
        path: `/_control/${name}`,
        handle: (call) => {
          const body = jsonObject(call);
          if (body === undefined)
            return { status: 400, body: { detail: 'a JSON object is needed' } };
          try {
            run(body);
          } catch (error) {
            return { status: 400, body: { detail: String(error) } };
          }
          return { status: 204 };
        },
      }),
    ),
  ];
}
