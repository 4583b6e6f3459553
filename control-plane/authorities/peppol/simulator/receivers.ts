/** How a receiver, its SMP entry or its access point behave. */
export const behaviours = [
  'accepts',
  'unregistered',
  'wrong-document-type',
  'expired-certificate',
  'not-serviced',
  'as4-error',
  'no-signal-once',
  'invalid-signal-once',
  'transport-error-once',
  'transport-error',
  'transport-error-no-retry',
  'invalid-parameters',
  'mls-rejects',
  'mls-acknowledges-then-accepts',
  'mls-acknowledges',
  'mls-never',
  'mls-late',
  'mls-twice',
] as const;

export type Behaviour = (typeof behaviours)[number];

/**
 * The last four digits of a participant's value choose its behaviour, for users of the sandbox.
 */
export const magicEndings: Readonly<Record<string, Behaviour>> = {
  '9980': 'as4-error',
  '9981': 'invalid-parameters',
  '9982': 'transport-error-no-retry',
  '9983': 'transport-error',
  '9984': 'invalid-signal-once',
  '9985': 'mls-late',
  '9986': 'mls-twice',
  '9987': 'mls-acknowledges',
  '9990': 'wrong-document-type',
  '9991': 'unregistered',
  '9992': 'not-serviced',
  '9993': 'no-signal-once',
  '9994': 'mls-rejects',
  '9995': 'mls-acknowledges-then-accepts',
  '9996': 'mls-never',
  '9997': 'expired-certificate',
  '9998': 'transport-error-once',
};

/**
 * What the receiver's access point answers to one try; `arrives` is whether the document got there.
 */
export interface TryResult {
  readonly sendingResult: string;
  readonly arrives: boolean;
  readonly detail?: string;
}

const success: TryResult = { sendingResult: 'SUCCESS', arrives: true };

/** The answer to try number `count` (from 1). */
export function answerTry(behaviour: Behaviour, count: number): TryResult {
  switch (behaviour) {
    case 'not-serviced':
      return {
        sendingResult: 'AS4_ERROR_MESSAGE_RECEIVED',
        arrives: false,
        detail: 'PEPPOL:NOT_SERVICED: the receiver is not served by this access point',
      };
    case 'as4-error':
      return {
        sendingResult: 'AS4_ERROR_MESSAGE_RECEIVED',
        arrives: false,
        detail: 'The incoming message could not be processed',
      };
    // It arrived, and the sender cannot know.
    case 'no-signal-once':
      return count > 1 ? success : { sendingResult: 'NO_SIGNAL_MESSAGE_RECEIVED', arrives: true };
    case 'invalid-signal-once':
      return count > 1
        ? success
        : { sendingResult: 'INVALID_SIGNAL_MESSAGE_RECEIVED', arrives: true };
    case 'transport-error-once':
      return count > 1 ? success : { sendingResult: 'TRANSPORT_ERROR', arrives: false };
    case 'transport-error':
      return { sendingResult: 'TRANSPORT_ERROR', arrives: false };
    case 'transport-error-no-retry':
      return { sendingResult: 'TRANSPORT_ERROR_NO_RETRY', arrives: false };
    case 'invalid-parameters':
      return { sendingResult: 'INVALID_PARAMETERS', arrives: false };
    default:
      return success;
  }
}

/** Which message level statuses the receiver sends, and how long after reception. */
export function mlsPlan(
  behaviour: Behaviour,
  delayMs: number,
): readonly { readonly code: 'AP' | 'AB' | 'RE'; readonly afterMs: number }[] {
  const minuteMs = 60_000;
  switch (behaviour) {
    case 'mls-rejects':
      return [{ code: 'RE', afterMs: delayMs }];
    case 'mls-acknowledges':
      return [{ code: 'AB', afterMs: delayMs }];
    case 'mls-acknowledges-then-accepts':
      return [
        { code: 'AB', afterMs: delayMs },
        { code: 'AP', afterMs: delayMs + 10 * minuteMs },
      ];
    case 'mls-late':
      return [{ code: 'AP', afterMs: 30 * minuteMs }];
    case 'mls-twice':
      return [
        { code: 'AP', afterMs: delayMs },
        { code: 'AP', afterMs: delayMs + minuteMs },
      ];
    case 'mls-never':
      return [];
    default:
      return [{ code: 'AP', afterMs: delayMs }];
  }
}
