import { startReceiver } from './receiver.ts';

// A receiver in a separate process, so that its cost is not counted with the sender's.
const { url } = await startReceiver();
console.log(`listening on ${url}`);
