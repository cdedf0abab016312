import { textColumns, wrapText } from '#server/mail/wrap-text.ts'
import { formatDay } from '#shared/domain/format.ts'
import { publication } from '#shared/publication.ts'
import type { Holes } from './holes.ts'
import { contentsTitle, hasContents, type Item, type Letter, unsubscribeLabel } from './letter.ts'
import type { Pieces } from './letter-html.ts'
import type { MailMarkdown } from './mail-markdown.ts'
import { plainText } from './plain-text.ts'

type Setting = {
  letter: Letter
  markdown: MailMarkdown
  holes: Holes
  preferences: string
  publicUrl: string
}

const rule = `${'-'.repeat(textColumns)}\n\n`

/** The letter for whoever reads without HTML, in the same pieces. Links are bare and lead straight to their place. */
export function setText({ letter, markdown, holes, preferences, publicUrl }: Setting): Pieces {
  const text = (source: string) => plainText(markdown.parse(source), publicUrl)
  const { kind, href, closing } = letter
  const end = [
    ...(closing ? [text(closing)] : []),
    ...(href ? [`${kind === 'digest' ? 'The portal' : 'This drop in the portal'}:\n${href}`] : []),
  ]
  const foot = [
    '--',
    wrapText(letter.because),
    `${unsubscribeLabel[kind]}:\n${holes.mark({ kind: 'unsubscribe' })}`,
    `Mail preferences:\n${preferences}`,
    wrapText(`${publication.name} · ${publication.tagline} · ${publication.footer}`),
    ...letter.postalAddress.map((line) => wrapText(line)),
  ].join('\n')
  return {
    before: `${blocks([publication.name + (letter.date ? `, ${formatDay(letter.date)}` : ''), titleText(letter.title), text(letter.intro)])}${hasContents(letter) ? `${contentsTitle[kind]}\n` : ''}`,
    contents: hasContents(letter) ? letter.items.map(contentsLine) : letter.items.map(() => ''),
    between: hasContents(letter) ? '\n' : '',
    rule,
    reason: (words) => `${wrapText(`(${words}.)`)}\n\n`,
    items: letter.items.map((item) => itemText(item, text)),
    after: `${end.length > 0 ? `${rule}${blocks(end)}` : ''}${foot}\n`,
  }
}

/** Each block with an empty line after it. */
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

function itemText({ heading, minutes, facts, summary, body, href }: Item, text: (source: string) => string): string {
  const meta = [...(minutes ? [minutes] : []), ...facts].join(' · ')
  return blocks([
    [wrapText(heading.toUpperCase()), ...(meta ? [wrapText(meta)] : [])].join('\n'),
    wrapText(summary),
    text(body),
    ...(href ? [`In the portal:\n${href}`] : []),
  ])
}
