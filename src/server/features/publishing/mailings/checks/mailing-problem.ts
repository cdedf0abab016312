import type { MailingKind } from '#shared/contracts/publishing/newsletter.ts'

/** A position in the content: field, section (from 0) and line (from 1). */
export type Place = {
  part:
    | 'subject'
    | 'preheader'
    | 'title'
    | 'worth'
    | 'editorNote'
    | 'intro'
    | 'closing'
    | 'question'
    | 'poll'
    | 'heading'
    | 'summary'
    | 'body'
    | 'example'
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
  /** Errors block sending unless accepted; warnings don't. */
  severity: 'error' | 'warning'
  check: CheckName
  message: string
  /** Null for the email as a whole. */
  place: Place | null
}

/** Field labels as in the editor. */
const partNames: Record<Place['part'], string> = {
  subject: 'Subject',
  preheader: 'Preview text',
  title: 'Title',
  worth: 'What it’s worth',
  editorNote: 'Editor’s note',
  intro: 'Opening',
  closing: 'Closing',
  question: 'Question',
  poll: 'Poll',
  heading: 'heading',
  summary: 'summary',
  body: 'text',
  example: 'example',
}

const order = Object.keys(partNames)

/** Orders by position in the email; problems of the whole email come last. */
export function comparePlaces(one: Place | null, other: Place | null): number {
  if (!one || !other) return Number(one === null) - Number(other === null)
  const [a, b] = [one, other].map(({ part, section, line }) => {
    const chapter =
      section === null
        ? part === 'closing' || part === 'question' || part === 'poll'
          ? Number.MAX_SAFE_INTEGER
          : -1
        : section
    return [chapter, order.indexOf(part), line ?? 0] as const
  }) as [Rank, Rank]
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

type Rank = readonly [chapter: number, part: number, line: number]

/** "Section 2, text, line 4", "Opening, line 1", "Subject". News has one field, "Text". */
export function formatPlace({ part, section, line }: Place, kind: MailingKind = 'issue'): string {
  const name = kind === 'news' && part === 'intro' ? 'Text' : partNames[part]
  const where = section === null ? [name] : [`Section ${section + 1}`, name]
  return [...where, ...(line === null ? [] : [`line ${line}`])].join(', ')
}
