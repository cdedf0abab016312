import { type MergeField, replaceMergeFields } from '#shared/domain/merge-fields.ts'

/** A part of the email that differs between readers. */
export type PersonalPart =
  | { kind: 'field'; field: MergeField }
  | { kind: 'link'; url: string }
  | { kind: 'poll'; issueId: string; answer: string }
  | { kind: 'unsubscribe' }
  | { kind: 'opened' }
  | { kind: 'changes' }
  | { kind: 'freeReason' }

/** A number between two private-use characters. */
const marker = /\ue000(\d+)\ue001/
/** Forged markers and control characters. */
const unwanted = /[\ue000\ue001]|(?![\t\n\r])\p{Cc}/gu

/** Removes control characters and anything that looks like a marker. */
export const stripMarkers = (text: string): string => text.replace(unwanted, '')

/** Personal parts pass through Markdown and layout as markers and are restored after rendering. One instance per email. */
export class PersonalParts {
  readonly #parts: PersonalPart[] = []

  mark(part: PersonalPart): string {
    return `\ue000${this.#parts.push(part) - 1}\ue001`
  }

  /** Replaces each known merge field with a marker and removes forged markers. */
  inText(text: string): string {
    return replaceMergeFields(stripMarkers(text), (field) => this.mark({ kind: 'field', field }))
  }

  /** Alternating text and personal parts, starting with text. */
  split(text: string): (string | PersonalPart)[] {
    return text.split(marker).map((piece, index) => (index % 2 === 0 ? piece : (this.#parts[Number(piece)] ?? '')))
  }
}

export const hasMarker = (text: string): boolean => marker.test(text)
