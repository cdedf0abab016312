import { buttonHtml, cardHtml, emailDocument, escapeHtml } from '#server/mail/email-document.ts'
import { light, sans, serif } from '#server/mail/email-palette.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { type Vertical, verticals } from '#shared/domain/verticals.ts'
import { publication } from '#shared/publication.ts'
import { changesHead } from './changed-items.ts'
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
import type { EmailMarkdown } from './email-markdown.ts'
import type { PersonalParts } from './personal-parts.ts'

/** The pieces of an email, joined in this order. `contents` and `items` are in the reader's ordering. */
export type Pieces = {
  before: string
  /** Table of contents, one line per section. */
  contents: string[]
  between: string
  /** Separator above each section. */
  rule: string
  /** Why the first section comes first, if there is a reason. */
  reason(words: string): string
  items: string[]
  /** Of each item, by trade: after the item, for readers of that trade. */
  examples: Partial<Record<Vertical, string>>[]
  itemEnds: string[]
  after: string
}

export const mapEntries = <Value>(
  texts: Partial<Record<Vertical, string>>,
  map: (vertical: Vertical, text: string) => Value,
): Partial<Record<Vertical, Value>> =>
  Object.fromEntries(
    verticals.flatMap((vertical) => {
      const text = texts[vertical]
      return text ? [[vertical, map(vertical, text)]] : []
    }),
  )

type Setting = { email: EmailContent; markdown: EmailMarkdown; parts: PersonalParts; preferences: string }

const muted = `font:400 14px/20px ${sans};color:${light.muted}`
const ruleHtml = (kind: EmailContent['kind']) =>
  `<hr class="line" style="margin:${kind === 'digest' ? 24 : 36}px 0 0;border:0;border-top:1px solid ${light.line}">\n`
const cut = '<!--here-->'

export function renderHtml({ email, markdown, parts, preferences }: Setting): Pieces {
  const link = (url: string) => parts.mark({ kind: 'link', url })
  const text = (source: string) => markdown.html(markdown.parse(source))
  const contents = hasContents(email) ? email.items.map(contentsLine) : email.items.map(() => '')
  const rule = ruleHtml(email.kind)
  const items = email.items.map((item) => itemHtml(item, text, link))
  const examples = email.items.map((item) =>
    mapEntries(item.examples, (vertical, source) => `${labelHtml(exampleTitle(vertical))}\n${text(source)}`),
  )
  const itemEnds = email.items.map((item) => itemEndHtml(item, link))
  const reason = (words: string) =>
    `<p class="reason" style="margin:24px 0 -16px;font:600 14px/20px ${sans};color:${light.accentInk}"><span class="mark" aria-hidden="true" style="color:${light.accent}">&#9679;</span>&nbsp; ${escapeHtml(words)}</p>\n`
  const sheet = cardHtml(`${headHtml(email)}
${email.worth ? `${labelHtml(worthTitle)}\n${text(email.worth)}` : ''}${text(email.intro)}${hasContents(email) ? contentsHtml(email) : cut}
${cut}${parts.mark({ kind: 'changes' })}${closingHtml(email, text, link)}`)
  const [before = '', between = '', after = ''] = emailDocument({
    title: email.title,
    preheader: email.preheader,
    width: 640,
    body: `${mastheadHtml(email)}\n${sheet}\n${footHtml(email, parts, preferences)}`,
    // Inserted later, but their classes need dark mode rules too.
    alsoInside: `${rule}${items.join('')}${examples.flatMap(Object.values<string>).join('')}${itemEnds.join('')}${contents.join('')}${reason('')}${changesHead.html}`,
  }).split(cut)
  return { before, contents, between, rule, reason, items, examples, itemEnds, after }
}

const mastheadHtml = ({ date }: EmailContent) =>
  `<p class="muted outside" style="margin:0 0 20px;${muted}"><span class="pine" style="font:600 20px/28px ${serif};color:${light.pine}">${escapeHtml(publication.name)}</span>${date ? ` &nbsp; ${formatDay(date).replaceAll(' ', '&nbsp;')}` : ''}</p>`

const headHtml = ({ title }: EmailContent) =>
  `<h1 class="ink" style="margin:0 0 18px;font:600 30px/36px ${serif};color:${light.ink}">${escapeHtml(title)}</h1>`

const contentsHtml = ({ kind }: EmailContent) =>
  `<p class="ink" style="margin:24px 0 6px;font:600 14px/20px ${sans};color:${light.ink}">${contentsTitle[kind]}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${cut}</table>`

const contentsLine = ({ heading, minutes }: Item) =>
  `<tr><td class="line ink" style="padding:8px 12px 8px 0;border-top:1px solid ${light.line};font:400 15px/21px ${sans};color:${light.ink}">${escapeHtml(heading)}</td><td class="line muted" align="right" style="padding:8px 0;border-top:1px solid ${light.line};${muted};white-space:nowrap;vertical-align:top">${minutes ?? ''}</td></tr>\n`

function itemHtml(item: Item, text: (source: string) => string, link: (url: string) => string): string {
  const { heading, summary, facts, minutes, href, body } = item
  const meta = [...(minutes ? [minutes] : []), ...facts].join(' · ')
  // Without a body, the heading links to the section.
  const look = body
    ? { class: 'ink', color: light.ink, line: 'none' }
    : { class: 'pine', color: light.pine, line: 'underline' }
  const title = href
    ? `<a class="${look.class}" href="${link(href)}" style="color:${look.color};text-decoration:${look.line}">${escapeHtml(heading)}</a>`
    : escapeHtml(heading)
  return [
    `<h2 class="ink" style="margin:24px 0 6px;font:600 ${body ? '24px/30px' : '20px/27px'} ${serif};color:${light.ink}">${title}</h2>`,
    ...(meta ? [`<p class="muted" style="margin:0 0 12px;${muted}">${escapeHtml(meta)}</p>`] : []),
    ...(summary ? [summaryHtml(summary, body ? '18px/27px' : '16px/24px')] : []),
    text(body).trimEnd(),
    '',
  ].join('\n')
}

const itemEndHtml = ({ href, body }: Item, link: (url: string) => string) =>
  href && body
    ? `<p style="margin:0;font:400 15px/24px ${sans}"><a class="pine" href="${link(href)}" style="color:${light.pine}">Read in the portal</a></p>\n`
    : ''

const labelHtml = (words: string) =>
  `<p class="ink" style="margin:20px 0 6px;font:600 14px/20px ${sans};color:${light.ink}">${escapeHtml(words)}</p>`

const summaryHtml = (summary: string, size: string) =>
  `<p class="muted" style="margin:0 0 16px;font:400 ${size} ${sans};color:${light.muted}">${escapeHtml(summary)}</p>`

function closingHtml(
  { closing, question, href, kind }: EmailContent,
  text: (source: string) => string,
  link: (url: string) => string,
) {
  const button = href ? buttonHtml(kind === 'digest' ? 'Open the portal' : 'Open this drop', link(href), sans) : ''
  const asked = question
    ? `${labelHtml(questionTitle)}<p class="ink" style="margin:0 0 20px;font:400 19px/28px ${serif};color:${light.ink}">${escapeHtml(question)}</p>`
    : ''
  const end = `${text(closing)}${asked}${button}`
  return end ? `${ruleHtml(kind)}<div style="padding-top:24px">${end}</div>` : ''
}

function footHtml(
  { because, kind, href, postalAddress }: EmailContent,
  parts: PersonalParts,
  preferences: string,
): string {
  const link = (label: string, url: string) =>
    `<a class="muted" href="${url}" style="color:${light.muted};text-decoration:underline">${label}</a>`
  const links = [
    link(unsubscribeLabel[kind], parts.mark({ kind: 'unsubscribe' })),
    link('Email preferences', escapeHtml(preferences)),
    ...(href ? [link('Read in the portal', parts.mark({ kind: 'link', url: href }))] : []),
  ]
  return `<p class="muted outside" style="margin:24px 0 0;font:400 14px/22px ${sans};color:${light.muted}">${escapeHtml(because)}<br>${links.join(' &nbsp;·&nbsp; ')}</p>
<p class="muted outside" style="margin:12px 0 0;font:400 13px/20px ${sans};color:${light.muted}">${[`${publication.name} · ${publication.tagline} · ${publication.footer}`, ...postalAddress].map(escapeHtml).join('<br>')}</p>${parts.mark({ kind: 'opened' })}`
}
