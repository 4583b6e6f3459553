import { openFolder } from './folder.ts';
import type { Objects, ObjectsOptions } from './objects.ts';
import { openBucket } from './s3.ts';

/**
 * A local folder, or a bucket of a store that speaks S3:
 *
 *   const objects = openObjects({ home, url, key });
 */
export function openObjects(options: ObjectsOptions): Objects {
  return options.url === undefined ? openFolder(options.home) : openBucket(options);
}
