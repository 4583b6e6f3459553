import { readFileSync } from 'node:fs';

/** Clock ticks of Linux's /proc in a second. */
const ticksPerSecond = 100;

/** CPU that a process has used; Linux only. */
export function cpuSecondsOf(pid: number): number {
  // Behind the name, which may hold spaces: the 12th and 13th field are its own time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
