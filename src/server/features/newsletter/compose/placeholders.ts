import { type MergeField, replaceMergeFields } from '#shared/domain/merge-fields.ts'

/** A place in a text that differs from reader to reader. */
export type Placeholder =
  | { kind: 'field'; field: MergeField }
  | { kind: 'link'; url: string }
  | { kind: 'unsubscribe' }
  | { kind: 'opened' }

/** Two characters of the private use area, which no font and no keyboard has, with a number between them. */
const mark = /\ue000(\d+)\ue001/
/** Marks of somebody else's, and control characters, which no mail program shows. */
const unwanted = /[\ue000\ue001]|(?![\t\n\r])\p{Cc}/gu

/** A text without control characters and without what only looks like a mark. */
export const stripMarkers = (text: string): string => text.replace(unwanted, '')

/**
 * Holes travel through Markdown and layout as marks and are found again when all is set. One collection for one letter.
 */
export class Placeholders {
  readonly #placeholders: Placeholder[] = []

  mark(placeholder: Placeholder): string {
    return `\ue000${this.#placeholders.push(placeholder) - 1}\ue001`
  }

  /** A text as it was written, with a hole for each known merge field and without what only looks like a mark. */
  inText(text: string): string {
    return replaceMergeFields(stripMarkers(text), (field) => this.mark({ kind: 'field', field }))
  }

  /** Text and holes in turn; the even ones are text. */
  split(text: string): (string | Placeholder)[] {
    return text.split(mark).map((piece, index) => (index % 2 === 0 ? piece : (this.#placeholders[Number(piece)] ?? '')))
  }
}

export const hasMarker = (text: string): boolean => mark.test(text)
