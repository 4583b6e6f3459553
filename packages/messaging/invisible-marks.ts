const marks = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** The text without marks of writing direction and of no width, which come along when it is copied. */
export function withoutMarks(text: string): string {
  return text.replace(marks, '');
}
