/** Queues of calling; each kind of work waits behind its own alone. */

/** A call is asked for at its provider. */
export const placeQueue = 'voice-place';
/** A call that was not heard of is looked up. */
export const settleQueue = 'voice-settle';
/** A recording is fetched. */
export const recordingQueue = 'voice-recording';
/** A PBX is listened to: whoever holds the job holds the websocket. */
export const trunkQueue = 'voice-trunk';
