import { textColumns, wrapText } from '#server/mail/wrap-text.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { publication } from '#shared/publication.ts'
import {
  contentsTitle,
  type EmailContent,
  exampleTitle,
  hasContents,
  type Item,
  questionTitle,
  unsubscribeLabel,
  worthTitle,
} from './email-content.ts'
import { mapEntries, type Pieces } from './email-html.ts'
import type { EmailMarkdown } from './email-markdown.ts'
import type { PersonalParts } from './personal-parts.ts'
import { plainText } from './plain-text.ts'

type Setting = {
  email: EmailContent
  markdown: EmailMarkdown
  parts: PersonalParts
  preferences: string
}

const rule = `${'-'.repeat(textColumns)}\n\n`

/** The plain-text version, in the same pieces. Its links are never tracked. */
export function renderText({ email, markdown, parts, preferences }: Setting): Pieces {
  const text = (source: string) => plainText(markdown.parse(source))
  const { kind, href, closing, worth, question } = email
  const end = [
    ...(closing ? [text(closing)] : []),
    ...(question ? [`${questionTitle.toUpperCase()}\n${wrapText(question)}`] : []),
    ...(href ? [`${kind === 'digest' ? 'The portal' : 'This drop in the portal'}:\n${href}`] : []),
  ]
  const foot = [
    '--',
    wrapText(email.because),
    `${unsubscribeLabel[kind]}:\n${parts.mark({ kind: 'unsubscribe' })}`,
    `Email preferences:\n${preferences}`,
    wrapText(`${publication.name} · ${publication.tagline} · ${publication.footer}`),
    ...email.postalAddress.map((line) => wrapText(line)),
  ].join('\n')
  return {
    before: `${blocks([publication.name + (email.date ? `, ${formatDay(email.date)}` : ''), titleText(email.title), ...(worth ? [worthTitle.toUpperCase(), text(worth)] : []), text(email.intro)])}${hasContents(email) ? `${contentsTitle[kind]}\n` : ''}`,
    contents: hasContents(email) ? email.items.map(contentsLine) : email.items.map(() => ''),
    between: hasContents(email) ? '\n' : '',
    rule,
    reason: (words) => `${wrapText(`(${words}.)`)}\n\n`,
    items: email.items.map((item) => itemText(item, text)),
    examples: email.items.map(({ examples }) =>
      mapEntries(examples, (vertical, source) => blocks([`${exampleTitle(vertical).toUpperCase()}`, text(source)])),
    ),
    itemEnds: email.items.map(({ href: path }) => blocks(path ? [`In the portal:\n${path}`] : [])),
    after: `${parts.mark({ kind: 'changes' })}${end.length > 0 ? `${rule}${blocks(end)}` : ''}${foot}\n`,
  }
}

/** Adds an empty line after each block. */
const blocks = (all: readonly string[]) =>
  all
    .filter(Boolean)
    .map((block) => `${block}\n\n`)
    .join('')

const titleText = (title: string) => {
  const lines = wrapText(title)
  return `${lines}\n${'='.repeat(Math.max(...lines.split('\n').map((line) => line.length)))}`
}

const contentsLine = ({ heading, minutes }: Item) =>
  `${wrapText(`- ${heading}${minutes ? ` (${minutes})` : ''}`, textColumns, '  ')}\n`

function itemText({ heading, minutes, facts, summary, body }: Item, text: (source: string) => string): string {
  const meta = [...(minutes ? [minutes] : []), ...facts].join(' · ')
  return blocks([
    [wrapText(heading.toUpperCase()), ...(meta ? [wrapText(meta)] : [])].join('\n'),
    wrapText(summary),
    text(body),
  ])
}
