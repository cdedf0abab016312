import { breakLinks } from '#server/mail/break-links.ts'
import { escapeHtml, headingHtml, linkRowHtml, linkRowsHtml } from '#server/mail/email-document.ts'
import { headingText, wrapText } from '#server/mail/wrap-text.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { stripMarkers } from './personal-parts.ts'

/** What readers answered to the drop before. Their words have no merge fields, links or Markdown. */
export type BestAnswers = { title: string; href: string; answers: { name: string; words: string }[] }

export const bestAnswersOf = (
  { title, path, answers }: NonNullable<MailingContent['bestAnswers']>,
  publicUrl: string,
): BestAnswers => {
  const clean = (text: string) => breakLinks(stripMarkers(text))
  return {
    title: `What readers answered to “${stripMarkers(title)}”`,
    href: publicUrl + path,
    answers: answers.map(({ name, words }) => ({ name: clean(name), words: clean(words) })),
  }
}

const linkLabel = 'Read the answers'

export const bestAnswersHtml = ({ title, href, answers }: BestAnswers, link: (url: string) => string): string =>
  [
    headingHtml(title),
    linkRowsHtml.before,
    ...answers.map(({ name, words }) =>
      linkRowHtml({ label: escapeHtml(name), href: null, detail: escapeHtml(words) }),
    ),
    linkRowHtml({ label: linkLabel, href: link(href), detail: '' }),
    linkRowsHtml.after,
  ].join('\n')

export const bestAnswersText = ({ title, href, answers }: BestAnswers): string[] => [
  headingText(title),
  ...answers.map(({ name, words }) => wrapText(`${name}: ${words}`)),
  `${linkLabel}:\n${href}`,
]
