/** Paths in the CIM, as terms and views write them: `lines[].tax.category`. */

/** The path without its list marks: `lines.tax.category`. */
export function plainPath(path: string): string {
  return path.replaceAll('[]', '');
}

/** The name of the member at the end, without list mark: `category`. */
export function memberName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replace('[]', '');
}

/** The plain path of the group that contains the member, `''` for the document: `lines.tax`. */
export function holderPath(path: string): string {
  return plainPath(path.slice(0, Math.max(0, path.lastIndexOf('.'))));
}
