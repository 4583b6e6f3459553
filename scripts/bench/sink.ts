import { startReceiver } from './receiver.ts';

// A receiver as a process of its own: what it costs is not counted with who sends to it.
const { url } = await startReceiver();
console.log(`listening on ${url}`);
