import type { Token } from 'markdown-it'
import { type EmailConfig, imprint } from '#server/mail/email-document.ts'
import { headingText, mastheadText, textColumns, titleText, wrapText } from '#server/mail/wrap-text.ts'
import { formatDay } from '#shared/domain/format.ts'
import { bestAnswersText } from './best-answers.ts'
import {
  type EmailContent,
  exampleTitle,
  firstTitle,
  hasContents,
  type Item,
  kindWords,
  pollTitle,
  stepsTitle,
  worthTitle,
} from './email-content.ts'
import { mapEntries, type Pieces } from './email-html.ts'
import type { EmailMarkdown } from './email-markdown.ts'
import type { PersonalParts } from './personal-parts.ts'
import { plainText } from './plain-text.ts'

type Setting = {
  config: EmailConfig
  email: EmailContent
  markdown: EmailMarkdown
  parts: PersonalParts
  preferences: string
}

const rule = `${'-'.repeat(textColumns)}\n\n`

/** The plain-text version, in the same pieces. Its links are never tracked. */
export function renderText({ config, email, markdown, parts, preferences }: Setting): Pieces {
  const { publication } = config.settings
  const text = (source: string) => plainText(markdown.parse(source))
  const { href, closing, worth, question, poll, editorNote, members, bestAnswers } = email
  const listed = hasContents(email)
  const end = [
    ...(closing ? [text(closing)] : []),
    ...(poll
      ? [
          `${headingText(pollTitle)}\n${wrapText(poll.question)}`,
          ...poll.answers.map(({ text: answer, href: vote }) => `${wrapText(answer)}:\n${vote}`),
        ]
      : []),
    ...(question ? [`${headingText(email.questionTitle)}\n${wrapText(question)}`] : []),
    ...(href ? [`${email.linkLabel}:\n${href}`] : []),
    ...(members ? [`${wrapText(members.line)}\n${members.href}`] : []),
    ...(bestAnswers ? bestAnswersText(bestAnswers) : []),
  ]
  const foot = [
    '--',
    wrapText(email.because),
    ...(email.unsubscribeLabel
      ? [`${email.unsubscribeLabel}:\n${parts.mark({ kind: 'unsubscribe' })}`, `Email preferences:\n${preferences}`]
      : []),
    wrapText(imprint(publication)),
    ...email.postalAddress.map((line) => wrapText(line)),
  ].join('\n')
  return {
    before: blocks([
      mastheadText(publication, asideText(email)),
      ...(email.kind === 'personal' ? [] : [titleText(email.title)]),
    ]),
    firsts: email.items.map(({ heading }) => (listed ? blocks([wrapText(`${firstTitle}: ${heading}`)]) : '')),
    intro: `${blocks([...(editorNote ? [`${wrapText(editorNote.text)}\n-- ${editorNote.signature}`] : []), text(email.intro), ...(worth ? [headingText(worthTitle), text(worth)] : [])])}${listed ? `${headingText(email.contentsTitle)}\n` : ''}`,
    contents: email.items.map((item) => (listed && item.heading ? contentsLine(item) : '')),
    between: listed ? '\n' : '',
    rules: email.items.map(({ heading }) => (heading ? rule : '')),
    reason: (words) => `${wrapText(`(${words}.)`)}\n\n`,
    items: email.items.map((item) => itemText(item, text)),
    examples: email.items.map(({ examples }) =>
      mapEntries(examples, (vertical, source) => blocks([`${exampleTitle(vertical).toUpperCase()}`, text(source)])),
    ),
    itemEnds: email.items.map(({ heading, body, href: path }) =>
      blocks(
        path && (heading || hasPrompt(markdown.parse(body)))
          ? [`${members ? 'On the site' : 'In the portal'}:\n${path}`]
          : [],
      ),
    ),
    after: `${parts.mark({ kind: 'changes' })}${end.length > 0 ? `${rule}${blocks(end)}` : ''}${foot}\n`,
  }
}

/** The link that HTML has too: it leads to the prompt even without a heading. */
const hasPrompt = (tokens: readonly Token[]) =>
  tokens.some(({ children }) => children?.some(({ type }) => type === 'mark_open'))

/** Adds an empty line after each block. */
const blocks = (all: readonly string[]) =>
  all
    .filter(Boolean)
    .map((block) => `${block}\n\n`)
    .join('')

const asideText = ({ kind, number, date }: EmailContent) =>
  [...kindWords(kind), ...(number ? [`No. ${number}`] : []), ...(date ? [formatDay(date)] : [])].join(' · ')

const contentsLine = ({ heading, minutes, step, label }: Item) =>
  `${wrapText(`${step ? `${step.number}.` : '-'} ${label ? `${label}: ` : ''}${heading}${minutes ? ` (${minutes})` : ''}`, textColumns, step ? '   ' : '  ')}\n`

function itemText(item: Item, text: (source: string) => string): string {
  const { heading, minutes, facts, summary, body, step, label } = item
  const meta = [...(minutes ? [minutes] : []), ...facts].join(' · ')
  const number = step ? `${step.number}. ` : ''
  return blocks([
    ...(step?.number === 1 ? [`${stepsTitle}: ${step.steps}`] : []),
    [
      ...(label ? [label] : []),
      ...(heading ? [headingText(number + heading)] : []),
      ...(meta ? [wrapText(meta)] : []),
    ].join('\n'),
    wrapText(summary),
    text(body),
  ])
}
