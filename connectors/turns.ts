const lanes = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after all earlier work under the same key has ended. For sources that only lock
 * against other processes, or whose lock would stop this process's only thread.
 */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lanes.get(key) ?? Promise.resolve();
  const result = before.then(work);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  lanes.set(key, settled);
  void settled.then(() => {
    if (lanes.get(key) === settled) lanes.delete(key);
  });
  return result;
}
