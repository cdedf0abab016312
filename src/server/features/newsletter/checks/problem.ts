import type { MailingKind } from '#shared/contracts/newsletter.ts'

/** Where in what was written: a field, the section it belongs to (counted from 0), and the line in it (from 1). */
export type Place = {
  part: 'subject' | 'preheader' | 'title' | 'intro' | 'closing' | 'heading' | 'summary' | 'body'
  section: number | null
  line: number | null
}

export type CheckName =
  | 'subject'
  | 'preheader'
  | 'no-text'
  | 'placeholder'
  | 'merge-field'
  | 'link'
  | 'picture'
  | 'size'
  | 'contrast'
  | 'plain-text'
  | 'postal-address'
  | 'spf'
  | 'dkim'
  | 'dmarc'

export type Problem = {
  /** An error would reach readers; a warning is for the publisher to judge. */
  severity: 'error' | 'warning'
  check: CheckName
  message: string
  /** Null for the mail as a whole. */
  place: Place | null
}

/** As the fields are called on the pages where they are written. */
const partNames: Record<Place['part'], string> = {
  subject: 'Subject',
  preheader: 'Preview text',
  title: 'Title',
  intro: 'Opening',
  closing: 'Closing',
  heading: 'heading',
  summary: 'summary',
  body: 'text',
}

const order = Object.keys(partNames)

/** As they stand in the letter, what is about the whole of it last: places in the order in which they are mended. */
export function comparePlaces(one: Place | null, other: Place | null): number {
  if (!one || !other) return Number(one === null) - Number(other === null)
  const [a, b] = [one, other].map(({ part, section, line }) => {
    const chapter = section === null ? (part === 'closing' ? Number.MAX_SAFE_INTEGER : -1) : section
    return [chapter, order.indexOf(part), line ?? 0] as const
  }) as [Rank, Rank]
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

type Rank = readonly [chapter: number, part: number, line: number]

/** "Section 2, text, line 4", "Opening, line 1", "Subject". News have one text, and its field is called that. */
export function placeInWords({ part, section, line }: Place, kind: MailingKind = 'issue'): string {
  const name = kind === 'news' && part === 'intro' ? 'Text' : partNames[part]
  const where = section === null ? [name] : [`Section ${section + 1}`, name]
  return [...where, ...(line === null ? [] : [`line ${line}`])].join(', ')
}
