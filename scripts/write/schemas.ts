import { printXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { profileFolder } from './profile-folder.ts';
import type { Written } from './written.ts';

/** The W3C schema of each profile and document type, as stage 1 runs it. */
export function schemas(): Written {
  const files = profiles.flatMap((profile) =>
    Object.entries(profile.bindings).flatMap(([type, binding]) => {
      const folder = `${profileFolder(profile)}/xsd/${type}`;
      const { main, imports } = printXsd(binding);
      return Object.entries({ 'main.xsd': main, ...imports }).map(([name, text]) => [
        `${folder}/${name}`,
        text,
      ]);
    }),
  );
  return Object.fromEntries(files);
}
