import {
  buttonHtml,
  type EmailConfig,
  emailDocument,
  escapeHtml,
  footnoteHtml,
  headingHtml,
  imprint,
  layoutTable,
  titleHtml,
} from '#server/mail/email-document.ts'
import { light, sans, serif } from '#server/mail/email-palette.ts'
import { formatDay } from '#shared/domain/format.ts'
import { type Vertical, verticals } from '#shared/domain/verticals.ts'
import { bestAnswersHtml } from './best-answers.ts'
import { changesLook } from './changed-items.ts'
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
import type { EmailMarkdown } from './email-markdown.ts'
import type { PersonalParts } from './personal-parts.ts'

/** The pieces of an email, joined in this order. Lists have one entry per section, in the order of the content. */
export type Pieces = {
  before: string
  /** Names the section that comes first, if there is a reason. */
  firsts: string[]
  intro: string
  /** Table of contents, one line per section. */
  contents: string[]
  between: string
  /** Separators above the sections. */
  rules: string[]
  /** Why the first section comes first, if there is a reason. */
  reason(words: string): string
  items: string[]
  /** Examples of each item by trade. They follow the item for readers of that trade. */
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

type Setting = {
  config: EmailConfig
  email: EmailContent
  markdown: EmailMarkdown
  parts: PersonalParts
  preferences: string
}

const muted = `font:400 14px/20px ${sans};color:${light.muted}`
const cut = '<!--here-->'

export function renderHtml({ config, email, markdown, parts, preferences }: Setting): Pieces {
  const link = (url: string) => parts.mark({ kind: 'link', url })
  const text = (source: string) => markdown.html(markdown.parse(source))
  const body = (source: string) =>
    email.kind === 'follow-up' ? markdown.html(markdown.parse(source, 'answers')) : text(source)
  const listed = hasContents(email)
  const firsts = email.items.map((item) => (listed ? firstHtml(item) : ''))
  const contents = email.items.map((item) => (listed && item.heading ? contentsLine(item, link) : ''))
  const rules = email.items.map((item) => (item.heading ? ruleHtml(email.kind, item) : ''))
  const items = email.items.map((item) => itemHtml(item, body, link))
  const examples = email.items.map((item) =>
    mapEntries(item.examples, (vertical, source) => exampleHtml(vertical, text(source))),
  )
  const itemEnds = email.items.map((item, index) => {
    const hasPrompt = items[index]?.includes('<mark') ?? false
    // A text without a heading is the whole drop, which the button at the end opens.
    return item.heading || hasPrompt ? itemEndHtml(item, openLabel(email, hasPrompt), link) : ''
  })
  const worth = email.worth
    ? `${headingHtml(worthTitle)}\n${markdown.html(markdown.parse(email.worth, 'worth'))}${hairline('8px 0 24px')}`
    : ''
  const [before = '', intro = '', between = '', after = ''] = emailDocument(config, {
    title: email.title,
    preheader: email.preheader,
    aside: asideHtml(email),
    body: `${email.kind === 'personal' ? gap : titleHtml(email.title)}
${cut}${email.editorNote ? noteHtml(email.editorNote) : ''}${text(email.intro)}${worth}${listed ? contentsHtml(email) : cut}
${cut}${parts.mark({ kind: 'changes' })}${closingHtml(email, text, link)}`,
    foot: `${footHtml(config, email, parts, preferences)}${parts.mark({ kind: 'opened' })}`,
    // Inserted later, but their classes need dark mode rules too.
    alsoInside: [
      ...firsts,
      ...rules,
      ...items,
      ...examples.flatMap(Object.values<string>),
      ...itemEnds,
      ...contents,
      reasonHtml(''),
      changesLook,
    ].join(''),
  }).split(cut)
  return { before, firsts, intro, contents, between, rules, reason: reasonHtml, items, examples, itemEnds, after }
}

/** A personal email reads like a letter, without its subject as a headline. */
const gap = '<div style="height:28px;line-height:28px;font-size:0">&nbsp;</div>'

/** The line that the site shows over a drop: "No. 12 · Nov 17, 2026". */
const asideHtml = ({ kind, number, date }: EmailContent) =>
  [
    ...kindWords(kind),
    ...(number
      ? [`<span class="reason" style="font-weight:600;color:${light.accentInk}">No.&nbsp;${number}</span>`]
      : []),
    ...(date ? [formatDay(date).replaceAll(' ', '&nbsp;')] : []),
  ].join(' &nbsp;·&nbsp; ')

const dot = `<span class="mark" aria-hidden="true" style="color:${light.accent}">&#9679;</span>&nbsp; `

const firstHtml = ({ heading }: Item) =>
  `<p class="reason" style="margin:0 0 20px;font:600 15px/22px ${sans};color:${light.accentInk}">${dot}${firstTitle}: <span class="ink" style="color:${light.ink}">${escapeHtml(heading)}</span></p>\n`

const reasonHtml = (words: string) =>
  `<p class="reason" style="margin:0 0 8px;font:600 14px/20px ${sans};color:${light.accentInk}">${dot}${escapeHtml(words)}</p>\n`

const hairline = (margin: string) =>
  `<hr class="line" style="margin:${margin};border:0;border-top:1px solid ${light.line}">\n`

const noteHtml = ({ text, signature }: NonNullable<EmailContent['editorNote']>) =>
  `<p class="ink" style="margin:0 0 8px;font:400 20px/30px ${serif};color:${light.ink}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>
<p class="muted" style="margin:0;${muted}">${escapeHtml(signature)}</p>
${hairline('20px 0 24px')}`

/** The site's lines: a bold line above the steps, a strong one above what stands alone, a hairline between the rest. */
function ruleHtml(kind: EmailContent['kind'], { step }: Item): string {
  if (kind === 'digest') return hairline('20px 0 18px')
  if (step && step.number > 1) return hairline('32px 0 24px')
  const [name, line] = step ? ['rule', `2px solid ${light.ink}`] : ['strong', `1px solid ${light.lineStrong}`]
  return `<hr class="${name}" style="margin:40px 0 18px;border:0;border-top:${line}">\n`
}

const contentsHtml = ({ contentsTitle }: EmailContent) =>
  `<p class="ink" style="margin:28px 0 8px;font:600 14px/20px ${sans};color:${light.ink}">${escapeHtml(contentsTitle)}</p>
<table ${layoutTable} class="line" style="border-bottom:1px solid ${light.line}">
${cut}</table>`

const contentsLine = ({ heading, minutes, step, label, href }: Item, link: (url: string) => string) => {
  const number = step
    ? `<span class="reason" style="font-family:${serif};color:${light.accentInk}">${step.number}</span>&nbsp; `
    : ''
  const kicker = label
    ? `<span class="muted" style="font-size:13px;line-height:18px;color:${light.muted}">${label}</span><br>`
    : ''
  const look = `display:block;padding:11px 12px 11px 0;font:400 16px/22px ${sans};color:${light.ink};text-decoration:none`
  const words = `${kicker}${number}${escapeHtml(heading)}`
  const title = href
    ? `<a class="ink" href="${link(href)}" style="${look}">${words}</a>`
    : `<span class="ink" style="${look}">${words}</span>`
  return `<tr><td class="line" style="border-top:1px solid ${light.line}">${title}</td><td class="line muted" align="right" style="padding:12px 0;border-top:1px solid ${light.line};${muted};white-space:nowrap;vertical-align:bottom">${minutes ?? ''}</td></tr>\n`
}

function itemHtml(item: Item, text: (source: string) => string, link: (url: string) => string): string {
  const { heading, summary, facts, minutes, href, body, step, label, headingIsLink } = item
  const meta = [...(minutes ? [minutes] : []), ...facts].join(' · ')
  const title =
    href && headingIsLink
      ? `<a class="pine" href="${link(href)}" style="display:block;padding:9px 0;color:${light.pine};text-decoration:none">${escapeHtml(heading)}</a>`
      : escapeHtml(heading)
  const number = step
    ? `<span class="reason" style="font-size:30px;line-height:38px;color:${light.accentInk}">${step.number}</span><br>`
    : ''
  return [
    ...(step?.number === 1 ? [stepsHtml(step.steps)] : []),
    ...(label
      ? [`<p class="pine" style="margin:0 0 6px;font:600 14px/20px ${sans};color:${light.pine}">${label}</p>`]
      : []),
    ...(title
      ? [
          `<h2 class="ink heading" style="margin:0 0 6px;font:600 ${body && !label ? '25px/31px' : '20px/27px'} ${serif};color:${light.ink}">${number}${title}</h2>`,
        ]
      : []),
    ...(meta ? [`<p class="muted" style="margin:0 0 12px;${muted}">${escapeHtml(meta)}</p>`] : []),
    ...(summary ? [summaryHtml(summary, body ? '18px/27px' : '16px/24px')] : []),
    text(body).trimEnd(),
    '',
  ].join('\n')
}

/** Above the first step. */
const stepsHtml = (steps: string) =>
  `<table ${layoutTable} style="margin:0 0 16px"><tr><td class="ink" style="font:600 14px/20px ${sans};color:${light.ink}">${stepsTitle}</td><td class="muted" align="right" style="${muted}">${steps}</td></tr></table>`

/** In the portal a prompt can be filled in; everything else can be saved or marked as tried. */
function openLabel({ members }: EmailContent, hasPrompt: boolean): string {
  if (members) return 'Read it on the site'
  return hasPrompt ? 'Fill in this prompt in the portal' : 'Open in the portal'
}

const itemEndHtml = ({ href, headingIsLink }: Item, label: string, link: (url: string) => string) =>
  href && !headingIsLink
    ? `<p style="margin:0;font:600 15px/24px ${sans}"><a class="pine" href="${link(href)}" style="display:inline-block;padding:10px 0;color:${light.pine};text-decoration:underline">${label}</a></p>\n`
    : ''

const exampleHtml = (vertical: Vertical, html: string) =>
  `<div class="example" style="margin:20px 0;padding:0 0 1px 16px;border-left:3px solid ${light.accent}"><p class="ink" style="margin:0 0 6px;font:600 14px/20px ${sans};color:${light.ink}">${escapeHtml(exampleTitle(vertical))}</p>\n${html}</div>\n`

const summaryHtml = (summary: string, size: string) =>
  `<p class="muted" style="margin:0 0 16px;font:400 ${size} ${sans};color:${light.muted}">${escapeHtml(summary)}</p>`

function closingHtml(
  { closing, question, questionTitle, openLabel, poll, href, members, bestAnswers }: EmailContent,
  text: (source: string) => string,
  link: (url: string) => string,
) {
  const button = href ? buttonHtml(openLabel, link(href)) : ''
  const asked = question
    ? `<p class="ink" style="margin:24px 0 8px;font:600 14px/20px ${sans};color:${light.ink}">${escapeHtml(questionTitle)}</p><p class="ink" style="margin:0 0 24px;font:600 25px/32px ${serif};color:${light.ink}">${escapeHtml(question)}</p>`
    : ''
  const polled = poll
    ? `<p class="ink" style="margin:24px 0 4px;font:600 14px/20px ${sans};color:${light.ink}">${pollTitle}</p><p class="ink" style="margin:0 0 12px;font:600 20px/28px ${serif};color:${light.ink}">${escapeHtml(poll.question)}</p>${poll.answers
        .map(
          (answer) =>
            `<p style="margin:0 0 8px"><a class="pine" href="${answer.href}" style="display:block;padding:12px 16px;border:1px solid ${light.pine};border-radius:4px;font:600 16px/22px ${sans};color:${light.pine};text-decoration:none">${escapeHtml(answer.text)}</a></p>`,
        )
        .join('\n')}`
    : ''
  const more = members
    ? `<p class="ink" style="margin:24px 0 8px;font:400 17px/27px ${sans};color:${light.ink}">${escapeHtml(members.line)} <a class="pine" href="${link(members.href)}" style="color:${light.pine};text-decoration:underline">See what members get</a></p>`
    : ''
  const answered = bestAnswers ? bestAnswersHtml(bestAnswers, link) : ''
  const end = `${text(closing)}${polled}${asked}${button}${more}${answered}`
  return end ? `<hr class="rule" style="margin:40px 0 24px;border:0;border-top:2px solid ${light.ink}">\n${end}` : ''
}

function footHtml(
  config: EmailConfig,
  { because, unsubscribeLabel, postalAddress }: EmailContent,
  parts: PersonalParts,
  preferences: string,
): string {
  const link = (label: string, url: string) =>
    `<a class="muted" href="${url}" style="display:inline-block;padding:12px 20px 12px 0;color:${light.muted};text-decoration:underline">${label}</a>`
  const links = unsubscribeLabel
    ? [link(unsubscribeLabel, parts.mark({ kind: 'unsubscribe' })), link('Email preferences', escapeHtml(preferences))]
    : []
  return [
    escapeHtml(because),
    ...(links.length > 0 ? [links.join('')] : []),
    [imprint(config.settings.publication), ...postalAddress].map(escapeHtml).join('<br>'),
  ]
    .map(footnoteHtml)
    .join('\n')
}
