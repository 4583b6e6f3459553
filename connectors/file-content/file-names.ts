import { type ContentSettings, isReadKind } from './settings.ts';

type JoinedSettings = Pick<ContentSettings, 'headerFiles' | 'joinedFiles'>;

/** Whether documents are named by files of that name; those that are joined to others name none. */
export function isReadFile(
  file: string,
  settings: JoinedSettings & Pick<ContentSettings, 'kinds'>,
): boolean {
  return isReadKind(file, settings) && isHeaderFile(file, settings);
}

/** Whether a file holds headers whose lines stand in other files, or is read by itself. */
function isHeaderFile(file: string, settings: JoinedSettings): boolean {
  if (isJoinedFile(file, settings)) return false;
  const { headerFiles } = settings;
  return headerFiles === undefined || commonPart(headerFiles, baseName(file)) !== undefined;
}

/** Whether a file is read together with one of headers. */
export function isJoinedFile(file: string, { joinedFiles = {} }: JoinedSettings): boolean {
  const name = baseName(file);
  return Object.values(joinedFiles).some((each) => commonPart(each.file, name) !== undefined);
}

/** The names of the files that a file of headers is read with, by their sections. */
export function joinedNames(
  file: string,
  { headerFiles = '', joinedFiles = {} }: JoinedSettings,
): ReadonlyMap<string, string> {
  const part = commonPart(headerFiles, baseName(file)) ?? '';
  return new Map(
    Object.entries(joinedFiles).map(([section, { file: pattern }]) => {
      return [section, pattern.replace('*', () => part)] as const;
    }),
  );
}

/** What the `*` of a pattern stands for in a name; empty where the pattern is the name itself. */
function commonPart(pattern: string, name: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return name === pattern ? '' : undefined;
  const isLike =
    name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return isLike ? name.slice(before.length, name.length - after.length) : undefined;
}

/** The name of a file without its folders. */
export function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
