/** Three numbers: `0.10.2`. */
export const versionPattern = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

/** Below 0 when `a` is older than `b`, 0 when they are the same. Both match `versionPattern`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const place = left!.findIndex((number, at) => number !== right![at]);
  return place === -1 ? 0 : left![place]! - right![place]!;
}
