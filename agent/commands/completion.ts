import { Argument, type Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addBareAction, command } from './command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `commands` are all that there are, and load when they are called. */
export function completionCommand(
  runtime: Runtime,
  commands: Readonly<Record<string, () => Promise<(runtime: Runtime) => Command>>>,
): Command {
  const target = command({
    name: 'completion',
    summary: 'Print a script by which a shell completes commands and options.',
    examples: [
      'drawbridge completion bash > /etc/bash_completion.d/drawbridge',
      'drawbridge completion zsh >> ~/.zshrc',
      'drawbridge completion fish > ~/.config/fish/completions/drawbridge.fish',
    ],
  }).addArgument(new Argument('<shell>').choices(shells));
  return addBareAction(target, runtime, async (_, __: object, shell) => {
    const all = await Promise.all(
      Object.values(commands).map(async (load) => (await load())(runtime)),
    );
    const script = scripts[shell as Shell](wordsOf(all));
    return { kind: 'done', data: { shell, script }, shown: script.trimEnd() };
  });
}

/** What may follow some words: `connector` → its subcommands, `connector add` → its options. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsOf(all: readonly Command[]): Words {
  const words = new Map([['', all.map((one) => one.name())]]);
  const walk = (one: Command, above: string) => {
    const path = `${above} ${one.name()}`.trim();
    const options = one.options.flatMap(({ long }) => long ?? []);
    const below = one.commands as readonly Command[];
    words.set(path, [...below.map((each) => each.name()), ...options, '--help']);
    for (const each of below) walk(each, path);
  };
  for (const one of all) walk(one, '');
  return words;
}

const scripts: Readonly<Record<Shell, (words: Words) => string>> = {
  bash: (words) => `${bashFunction(words)}complete -o default -F _drawbridge drawbridge\n`,
  zsh: (words) =>
    `autoload -U +X bashcompinit && bashcompinit\n${bashFunction(words)}complete -o default -F _drawbridge drawbridge\n`,
  fish: (words) =>
    [...words].flatMap(([path, next]) => next.map((word) => fishLine(path, word))).join(''),
};

/** Options do not count as words that say where one is. */
function bashFunction(words: Words): string {
  const cases = [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;\n`);
  return `_drawbridge() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case "$path" in
${cases.join('')}    esac
    [ -n "$words" ] && break
    case "$path" in *' '*) path="\${path% *}" ;; *) break ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
`;
}

function fishLine(path: string, word: string): string {
  const names = path.split(' ').filter(Boolean);
  const condition =
    names.length === 0
      ? '__fish_use_subcommand'
      : names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
  return `complete -c drawbridge -n '${condition}' ${what}\n`;
}
