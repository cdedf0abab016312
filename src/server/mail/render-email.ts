import { publication } from '#shared/publication.ts'
import { buttonHtml, cardHtml, emailDocument, escapeHtml } from './email-document.ts'
import { light, mono, sans, serif } from './email-palette.ts'
import { textColumns, wrapText } from './wrap-text.ts'

/** A part of an email, rendered as HTML and as plain text. */
export type EmailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; href: string }
  /** A linked title with one line of detail. */
  | { kind: 'link'; label: string; href: string; detail: string }
  | { kind: 'code'; label: string; code: string }
  | { kind: 'list'; items: readonly string[] }
  /** Small muted text. */
  | { kind: 'note'; text: string }

export type EmailContent = {
  title: string
  /** Preview text next to the subject in the inbox. */
  preview: string
  blocks: readonly EmailBlock[]
  /** Footer sentence: why the recipient gets this email. */
  reason: string
  /** Account email has none. */
  unsubscribeUrl?: string
}

/** Renders an email in the publication's design. */
export function renderEmail(content: EmailContent): { html: string; text: string } {
  return { html: layoutHtml(content), text: layoutText(content) }
}

function layoutHtml(content: EmailContent): string {
  const unsubscribe = content.unsubscribeUrl
    ? ` <a class="muted" href="${escapeHtml(content.unsubscribeUrl)}" style="color:${light.muted}">Unsubscribe</a>`
    : ''
  return emailDocument({
    title: content.title,
    preheader: content.preview,
    width: 560,
    body: `<p class="pine outside" style="margin:0 0 20px;font:600 20px/28px ${serif};color:${light.pine}">${escapeHtml(publication.name)}</p>
${cardHtml(`<h1 class="ink" style="margin:0 0 16px;font:600 26px/32px ${serif};color:${light.ink}">${escapeHtml(content.title)}</h1>
${content.blocks.map(blockHtml).join('\n')}`)}
<p class="muted outside" style="margin:20px 0 0;font:400 13px/20px ${sans};color:${light.muted}">${escapeHtml(content.reason)}${unsubscribe}<br>${escapeHtml(`${publication.name} · ${publication.tagline} · ${publication.footer}`)}</p>`,
  })
}

function blockHtml(block: EmailBlock): string {
  const paragraph = `margin:0 0 16px;font:400 16px/24px ${sans};color:${light.ink}`
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="${paragraph}">${linkify(block.text)}</p>`
    case 'button':
      return buttonHtml(escapeHtml(block.label), escapeHtml(block.href), sans)
    case 'link':
      return `<p class="muted" style="margin:0 0 16px;font:400 14px/20px ${sans};color:${light.muted}"><a class="pine" href="${escapeHtml(block.href)}" style="font:600 18px/26px ${serif};color:${light.pine}">${escapeHtml(block.label)}</a><br>${escapeHtml(block.detail)}</p>`
    case 'code':
      return `<p class="ink" style="${paragraph}">${escapeHtml(block.label)}<br><span style="font:600 28px/40px ${mono};letter-spacing:4px">${escapeHtml(block.code)}</span></p>`
    case 'list':
      return `<ul class="ink" style="${paragraph};padding-left:20px">${block.items.map((item) => `<li style="margin:0 0 6px">${escapeHtml(item)}</li>`).join('')}</ul>`
    case 'note':
      return `<p class="muted" style="margin:16px 0 0;font:400 14px/20px ${sans};color:${light.muted}">${linkify(block.text)}</p>`
  }
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

function layoutText(content: EmailContent): string {
  const foot = [
    wrapText(content.reason),
    ...(content.unsubscribeUrl ? [`Unsubscribe: ${content.unsubscribeUrl}`] : []),
    wrapText(`${publication.name} · ${publication.tagline} · ${publication.footer}`),
  ]
  return `${[wrapText(content.title), ...content.blocks.map(blockText), `--\n${foot.join('\n')}`].join('\n\n')}\n`
}

function blockText(block: EmailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return wrapText(block.text)
    case 'button':
      return `${block.label}:\n${block.href}`
    case 'link':
      return `${block.label}\n${wrapText(block.detail)}\n${block.href}`
    case 'code':
      return `${block.label} ${block.code}`
    case 'list':
      return block.items.map((item) => wrapText(`- ${item}`, textColumns, '  ')).join('\n')
  }
}
