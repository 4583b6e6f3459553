import type { Json } from '../../simulation/json.ts';
import type { HeldMessage, Network } from './network.ts';

/** What a person sees of a message as one text, including links. */
export function linkOf(network: Network, message: HeldMessage): string {
  const { type, body } = message;
  if (type !== 'template') return textsIn(body[type]).join(' ');
  const use = (body.template ?? {}) as Json;
  const components = templateComponents(network, message, use);
  const buttons = components.flatMap((each) => objects(each.buttons));
  const used = objects(use.components);
  const links = buttons.flatMap(({ url }, index) => {
    if (typeof url !== 'string') return [];
    const filling = used.find((each) => each.sub_type === 'url' && Number(each.index) === index);
    return [url.replace(/\{\{[^{}]+\}\}/, textsIn(filling?.parameters).at(-1) ?? '')];
  });
  const parameters = used.flatMap((each) => textsIn(each.parameters));
  return [...parameters, ...components.map((each) => String(each.text ?? '')), ...links].join(' ');
}

/** The tap on the first button, in the network's form; undefined without a button. */
export function tapOf(network: Network, message: HeldMessage): Json | undefined {
  const { type, body } = message;
  if (type === 'interactive') {
    const action = ((body.interactive as Json).action ?? {}) as Json;
    const [button] = objects(action.buttons);
    const reply = button?.reply as Json | undefined;
    if (reply === undefined) return undefined;
    const button_reply = { id: reply.id, title: reply.title };
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply } };
  }
  if (type !== 'template') return undefined;
  const components = templateComponents(network, message, body.template as Json);
  const buttons = components.flatMap((each) => objects(each.buttons));
  const button = buttons.find((each) => each.type === 'QUICK_REPLY');
  if (button === undefined) return undefined;
  return { type: 'button', button: { payload: button.text, text: button.text } };
}

function templateComponents(network: Network, message: HeldMessage, use: Json): readonly Json[] {
  const wabaId = network.numbers.get(message.phoneNumberId)?.wabaId ?? '';
  const language = String((use.language as Json | undefined)?.code);
  return network.templateOf(wabaId, String(use.name), language)?.components ?? [];
}

/** The objects in an array; none where it is no array. */
export function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

/** Every text in a value, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
