import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import type { Place } from './mailing-problem.ts'

export type ContentText = {
  part: Place['part']
  section: number | null
  text: string
  /** Rendered as Markdown; otherwise plain text. */
  markdown: boolean
}

/** All texts of the content in order. */
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
    ...(content.otherSubjects ?? []).map((subject) => plain('subject', subject)),
    plain('preheader', content.preheader),
    plain('title', content.title),
    markdown('worth', content.worth),
    plain('editorNote', content.editorNote ?? ''),
    markdown('intro', content.intro),
    ...content.sections.flatMap(({ heading, summary, body, examples }, section) => [
      plain('heading', heading, section),
      plain('summary', summary, section),
      // A digest has only summaries.
      ...(content.kind === 'digest'
        ? []
        : [
            markdown('body', body, section),
            ...Object.values(examples).map((text) => markdown('example', text, section)),
          ]),
    ]),
    markdown('closing', content.closing),
    plain('question', content.question),
    plain('poll', [content.poll?.question ?? '', ...(content.poll?.answers ?? [])].join('\n')),
  ]
}

/** Lines of a text, from 1. In quotes and code, brackets are part of a prompt. */
export const linesOf = ({ part, section, text, markdown }: ContentText) =>
  text.split('\n').map((line, index) => ({
    line,
    place: { part, section, line: markdown ? index + 1 : null } satisfies Place,
    quoted: markdown && /^\s*>|^ {4}|^\t/.test(line),
  }))
