/** The job queues of voice: one for each kind of work, so that none delays another. */

/** Places a call at its provider. */
export const placeQueue = 'voice-place';
/** Looks up a call whose end was not reported. */
export const reconcileQueue = 'voice-reconcile';
/** Fetches a recording. */
export const recordingQueue = 'voice-recording';
/** Has a recording transcribed. */
export const transcriptionQueue = 'voice-transcription';
/** Listens to a PBX: the node that holds the job holds the websocket. */
export const trunkQueue = 'voice-trunk';
