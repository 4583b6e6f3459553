/** A process that moves documents, says so after each, and then waits to be killed. */
import { openDb } from '../../platform/db/database.ts';
import { createLog } from '../../platform/log/log.ts';
import { openObjects } from '../../platform/objects/open-objects.ts';
import { startMovingDocuments } from './move.ts';

const db = await openDb({ url: process.env.APP_URL! });
const objects = openObjects({ home: process.env.OBJECTS_HOME! });
const moving = startMovingDocuments(
  {
    db,
    objects: {
      ...objects,
      put: async (key, source) => {
        await objects.put(key, source);
        process.stdout.write(`stored ${key}\n`);
        await new Promise(() => {}); // neither the next one nor the commit
      },
    },
    clock: () => new Date(Number(process.env.NOW)),
    log: createLog({ level: 'silent' }),
  },
  30,
);
await moving.sweep();
