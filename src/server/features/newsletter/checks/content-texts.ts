import type { MailingContent } from '#shared/contracts/newsletter.ts'
import type { Place } from './problem.ts'

export type ContentText = {
  part: Place['part']
  section: number | null
  text: string
  /** Set as Markdown; the others are taken as they are. */
  markdown: boolean
}

/** Everything that somebody wrote, in the order in which it is written. */
export function listTexts(content: MailingContent): ContentText[] {
  const plain = (part: Place['part'], text: string, section: number | null = null) => ({
    part,
    section,
    text,
    markdown: false,
  })
  const markdown = (part: Place['part'], text: string, section: number | null = null) => ({
    part,
    section,
    text,
    markdown: true,
  })
  return [
    plain('subject', content.subject),
    plain('preheader', content.preheader),
    plain('title', content.title),
    markdown('intro', content.intro),
    ...content.sections.flatMap(({ heading, summary, body }, section) => [
      plain('heading', heading, section),
      plain('summary', summary, section),
      // A digest tells and leads; the text itself is not in it.
      ...(content.kind === 'digest' ? [] : [markdown('body', body, section)]),
    ]),
    markdown('closing', content.closing),
  ]
}

/** Lines of a text from 1, and whether each is quoted or code: there a blank in brackets is part of a prompt. */
export const linesOf = ({ part, section, text, markdown }: ContentText) =>
  text.split('\n').map((line, index) => ({
    line,
    place: { part, section, line: markdown ? index + 1 : null } satisfies Place,
    quoted: markdown && /^\s*>|^ {4}|^\t/.test(line),
  }))
