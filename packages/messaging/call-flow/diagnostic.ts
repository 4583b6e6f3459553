/** The markups that a call flow compiles to. */
export type Target = 'twiml' | 'plivo' | 'ncco';

/**
 * What each code means. `E_`: the call would not do what the flow says, so no call may be placed
 * with it. `W_`: the call does it, with a small difference. A code is never reused for another
 * meaning.
 */
export const diagnosticCodes = {
  E_NO_CONSENT: 'a recording that the policy does not allow: the call ends there instead',
  E_SIMRING: 'numbers cannot ring together: they ring one after another',
  E_NUMBER: 'neither `+` and 7 to 15 digits nor `sip:…`: skipped',
  E_SPEECH: 'a PBX cannot speak, and there is no recording to play instead',
  E_LANGUAGE: 'the language cannot be spoken, and there is no recording to play instead',
  E_SSML: 'markup within a text, which would be read aloud: write the text alone',
  E_TEXT: 'a text longer than the target speaks: cut',
  E_SIZE: 'a document larger than the target takes',
  W_CLAMP: 'a number outside the range of the target: the nearest is taken',
  W_FINISHKEY: 'not every finish key ends the input at once: the others end it when it is read',
  W_LANGUAGE: 'another dialect of the language is spoken',
  W_RECORDED_PROMPT: 'the text or its language cannot be spoken: the recording is played',
  W_VOICE: 'no such voice for the language: its default voice speaks',
  W_BARGE_IN: 'keys are heard only from the last prompt on',
  W_FIRST_WAIT: 'an incoming call is answered only after the pause at its start',
  W_HOLD_MUSIC: "members who wait hear the provider's own music, or nothing",
  W_CONFERENCE_START: 'the conference begins with the first member',
  W_VARIABLE: 'a variable has no value: it stays as it was written',
  W_AFTER_CONFERENCE: 'the nodes after a conference may not be reached when its owner ends it',
} as const;

/** Something that a target cannot express as the flow says it. */
export interface Diagnostic {
  readonly code: keyof typeof diagnosticCodes;
  readonly node: string;
  readonly message: string;
}

/** Whether a diagnostic forbids the call. */
export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.code.startsWith('E_');
}

/** Collects the diagnostics of a document while it is printed. */
export class DiagnosticList {
  readonly all: Diagnostic[] = [];

  add(code: Diagnostic['code'], node: string, message: string): void {
    this.all.push({ code, node, message });
  }

  /** The value within the target's bounds. */
  clamp(node: string, what: string, value: number, [min, max]: readonly [number, number]): number {
    const clamped = Math.min(max, Math.max(min, value));
    if (clamped !== value) this.add('W_CLAMP', node, `${what} ${value} becomes ${clamped}`);
    return clamped;
  }
}
