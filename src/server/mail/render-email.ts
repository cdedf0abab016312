import type { Publication } from '#shared/publication-defaults.ts'
import {
  buttonHtml,
  type EmailConfig,
  emailDocument,
  escapeHtml,
  footnoteHtml,
  headingHtml,
  imprint,
  linkRowHtml,
  linkRowsHtml,
  titleHtml,
} from './email-document.ts'
import { applyLook, dashes, light, mono, sans } from './email-palette.ts'
import type { Email } from './mailer.ts'
import { factsText, headingText, mastheadText, textColumns, titleText, wrapText } from './wrap-text.ts'

export type { EmailConfig } from './email-document.ts'

/** Values by name: "Renews on", "Dec 1, 2026". Empty ones are left out. */
export type Facts = Readonly<Record<string, string | null | false>>

/** A title with one line of detail. Null `href`: the title isn't a link. */
export type LinkRow = { label: string; href: string | null; detail: string }

/** A part of an email, rendered as HTML and as plain text. A string is a paragraph. */
export type EmailBlock =
  | string
  | { kind: 'heading'; text: string }
  /** Quiet: an outline, for what only some readers need. */
  | { kind: 'button'; label: string; href: string; isQuiet?: boolean }
  /** Plans, dates and amounts, where a reader looks for them. */
  | { kind: 'facts'; facts: Facts }
  | { kind: 'links'; links: readonly LinkRow[] }
  | { kind: 'code'; label: string; code: string }
  | { kind: 'list'; items: readonly string[] }
  /** Small muted text. */
  | { kind: 'note'; text: string }

export type MaybeBlock = EmailBlock | false | null | undefined

export type EmailContent = {
  subject: string
  /** What kind of email it is, at the right of the masthead. */
  department: 'Account' | 'Security' | 'Billing' | 'Team' | 'Answers' | 'Admin' | 'Welcome' | 'Free edition'
  /** Above the text; the subject by default. */
  title?: string
  /** Preview text next to the subject in the inbox. Says what the subject doesn't. */
  preview: string
  /** Empty ones are left out. */
  blocks: readonly MaybeBlock[]
  /** Footer sentence: why the recipient gets this email. */
  reason: string
  /** In the footer, for emails that the recipient can turn off. */
  footerLinks?: readonly { label: string; href: string }[]
}

/** Renders an email in the publication's design. */
export function renderEmail(config: EmailConfig, content: EmailContent): Omit<Email, 'to'> {
  const { publication } = config.settings
  const blocks = content.blocks.flatMap((block) => block || [])
  return {
    subject: content.subject,
    html: applyLook(layoutHtml(config, { ...content, blocks }), publication),
    text: layoutText(publication, { ...content, blocks }),
  }
}

type Content = Omit<EmailContent, 'blocks'> & { blocks: readonly EmailBlock[] }

const layoutHtml = (
  config: EmailConfig,
  { subject, department, title = subject, preview, blocks, reason, footerLinks = [] }: Content,
): string =>
  emailDocument(config, {
    title,
    preheader: preview,
    aside: department,
    body: [titleHtml(title), ...blocks.map(blockHtml)].join('\n'),
    foot: [escapeHtml(reason), ...footerLinks.map(footerLinkHtml), escapeHtml(imprint(config.settings.publication))]
      .map(footnoteHtml)
      .join('\n'),
  })

const footerLinkHtml = ({ label, href }: { label: string; href: string }) =>
  `<a class="pine" href="${escapeHtml(href)}" style="color:${light.pine}">${escapeHtml(label)}</a>`

const paragraph = `margin:0 0 16px;font:400 17px/27px ${sans};color:${light.ink}`

function blockHtml(block: EmailBlock): string {
  if (typeof block === 'string') return `<p class="ink text" style="${paragraph}">${linkify(block)}</p>`
  switch (block.kind) {
    case 'heading':
      return headingHtml(block.text)
    case 'button':
      return buttonHtml(escapeHtml(block.label), escapeHtml(block.href), block.isQuiet ? 'quiet' : 'button')
    case 'facts':
      return factsHtml(listed(block.facts))
    case 'links':
      return [linkRowsHtml.before, ...block.links.map(rowHtml), linkRowsHtml.after].join('')
    case 'code':
      return `<p class="sunken ink" style="margin:0 0 16px;padding:14px 18px;border-radius:5px;background-color:${light.sunken};font:400 15px/22px ${sans};color:${light.ink}">${escapeHtml(block.label)}<br><span style="font:600 28px/40px ${mono};letter-spacing:4px">${escapeHtml(block.code)}</span></p>`
    case 'list':
      return `<ul class="ink text" style="${paragraph};padding-left:22px;${dashes}">${block.items.map((item) => `<li style="margin:0 0 6px">${linkify(item)}</li>`).join('')}</ul>`
    case 'note':
      return `<p class="muted" style="margin:0 0 16px;font:400 15px/23px ${sans};color:${light.muted}">${linkify(block.text)}</p>`
  }
}

const rowHtml = ({ label, href, detail }: LinkRow) =>
  linkRowHtml({ label: escapeHtml(label), href: href && escapeHtml(href), detail: escapeHtml(detail) })

const listed = (facts: Facts) =>
  Object.entries(facts).flatMap(([name, value]) => (value ? [[name, value] as const] : []))

function factsHtml(facts: ReturnType<typeof listed>): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th class="line muted" scope="row" align="left" width="34%" style="padding:9px 16px 9px 0;border-top:1px solid ${light.line};font:400 15px/22px ${sans};color:${light.muted};text-align:left;vertical-align:top">${escapeHtml(name)}</th><td class="line ink" style="padding:9px 0;border-top:1px solid ${light.line};font:600 15px/22px ${sans};color:${light.ink};font-variant-numeric:tabular-nums;vertical-align:top">${escapeHtml(value)}</td></tr>`,
  )
  return `<table class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;margin:20px 0;border-bottom:1px solid ${light.line}">
${rows.join('\n')}
</table>`
}

/** Escapes the text and links its URLs, for email clients that don't. */
const linkify = (text: string) =>
  text
    .split(/(https?:\/\/[^\s]*[^\s.,])/)
    .map((piece, index) =>
      index % 2 === 0
        ? escapeHtml(piece)
        : `<a class="pine" href="${escapeHtml(piece)}" style="color:${light.pine};word-break:break-word">${escapeHtml(piece)}</a>`,
    )
    .join('')

const layoutText = (
  publication: Publication,
  { subject, department, title = subject, blocks, reason, footerLinks = [] }: Content,
): string =>
  `${[
    mastheadText(publication, department),
    titleText(title),
    ...blocks.map(blockText),
    [
      `--\n${wrapText(reason)}`,
      ...footerLinks.map(({ label, href }) => `${label}:\n${href}`),
      wrapText(imprint(publication)),
    ].join('\n'),
  ].join('\n\n')}\n`

function blockText(block: EmailBlock): string {
  if (typeof block === 'string') return wrapText(block)
  switch (block.kind) {
    case 'note':
      return wrapText(block.text)
    case 'heading':
      return headingText(block.text)
    case 'button':
      return `${block.label}:\n${block.href}`
    case 'facts':
      return factsText(listed(block.facts))
    case 'links':
      return block.links
        .map(({ label, href, detail }) =>
          [wrapText(label), ...(detail ? [wrapText(detail)] : []), ...(href ? [href] : [])].join('\n'),
        )
        .join('\n\n')
    case 'code':
      return `${block.label} ${block.code}`
    case 'list':
      return block.items.map((item) => wrapText(`- ${item}`, textColumns, '  ')).join('\n')
  }
}
