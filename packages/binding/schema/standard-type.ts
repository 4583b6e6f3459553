import { element, type Tag, tag } from './xsd-text.ts';

/** The declaration of a type in the notation of `Module.types`. */
export function declaredType(name: string, written: string): Tag {
  const words = written.split(' ');
  const flags = words.filter((word) => word === 'mixed' || word === 'abstract');
  const base = words.find((word) => /^[<>=]/.test(word));
  const values = words.filter((word) => word.startsWith('"'));
  const attributes = words.filter((word) => word.startsWith('@'));
  const particles = words.slice(
    flags.length + values.length + (base === undefined ? 0 : 1),
    words.length - attributes.length,
  );
  const isText = particles.length === 0;
  const content = [
    ...values.map((value) => tag('enumeration', { value: value.slice(1, -1) })),
    ...(isText ? [] : [group(particles)]),
    ...attributes.map(attribute),
  ];
  const own = { name, ...Object.fromEntries(flags.map((flag) => [flag, 'true'])) };
  if (base === undefined) return tag('complexType', own, content);
  const from = base.slice(1);
  const derived = tag(base.startsWith('>') ? 'extension' : 'restriction', { base: from }, content);
  if (base.startsWith('=')) return tag('simpleType', own, [derived]);
  const kind = isText ? 'simpleContent' : 'complexContent';
  return tag('complexType', own, [tag(kind, {}, [derived])]);
}

/** Reads the content of parentheses or of a type; removes the words that it reads from `words`. */
function group(words: string[]): Tag {
  const members: Tag[] = [];
  let kind = 'sequence';
  for (;;) {
    const word = words.shift();
    if (word === undefined) return tag(kind, {}, members);
    if (word.startsWith(')')) return tag(kind, occurs(word), members);
    if (word === '|') kind = 'choice';
    else members.push(word === '(' ? group(words) : particle(word));
  }
}

function particle(word: string): Tag {
  const written = word.replace(/[?*+]$/, '');
  if (written.startsWith('##')) {
    const [namespace, lax] = written.split(':') as [string, string?];
    const processContents = lax ?? 'strict';
    return tag('any', { namespace, processContents, ...occurs(word) });
  }
  const [name, type] = written.split('=') as [string, string?];
  const attributes: Tag['attributes'] = type === undefined ? { ref: name } : { name, type };
  return element({ ...attributes, ...occurs(word) });
}

function occurs(word: string): Tag['attributes'] {
  return {
    ...(/[?*]$/.test(word) ? { minOccurs: '0' } : {}),
    ...(/[*+]$/.test(word) ? { maxOccurs: 'unbounded' } : {}),
  };
}

function attribute(word: string): Tag {
  if (word === '@any') return tag('anyAttribute', {});
  const [, name, required, type] = /^@(\w+)(!?):(.+)$/.exec(word)!;
  return tag('attribute', {
    name: name!,
    type: type!,
    ...(required === '!' ? { use: 'required' } : {}),
  });
}
