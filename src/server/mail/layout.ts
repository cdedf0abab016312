import { publication } from '#shared/publication.ts'

/** One part of a mail, said once and set twice: as HTML and as plain text. */
export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; href: string }
  /** A title that leads somewhere, with one line under it. */
  | { kind: 'link'; label: string; href: string; detail: string }
  | { kind: 'code'; label: string; code: string }
  | { kind: 'list'; items: readonly string[] }
  /** Smaller and quieter, such as "If this was not you …". */
  | { kind: 'note'; text: string }

export type MailContent = {
  title: string
  /** The line that mailboxes show beside the subject. */
  preview: string
  blocks: readonly MailBlock[]
  /** One sentence under the rule: why this person gets this mail. */
  reason: string
  /** For mail that a reader may stop; account mail has none. */
  unsubscribeUrl?: string
}

/** Paper, ink and pine as plain hex: mail programs know no colour functions and no custom properties. */
const light = { paper: '#faf7f1', card: '#fefdf9', ink: '#261f1a', muted: '#5d554e', line: '#dad5cd', pine: '#0f533c' }
const dark = { paper: '#1a1613', card: '#221e1b', ink: '#ebe7df', muted: '#b2aba1', line: '#3d3834', pine: '#7acfa7' }
const serif = "Fraunces, Georgia, 'Times New Roman', serif"
const sans = "'Instrument Sans', 'Segoe UI', Helvetica, Arial, sans-serif"

/**
 * Sets a mail in the publication's look. Styles are inline, since some programs drop `<style>`; those that keep it and
 * know dark mode get the dark palette, and the others show legible ink on paper in either mode.
 */
export function layoutMail(content: MailContent): { html: string; text: string } {
  return { html: layoutHtml(content), text: layoutText(content) }
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function layoutHtml(content: MailContent): string {
  const unsubscribe = content.unsubscribeUrl
    ? ` <a class="muted" href="${escapeHtml(content.unsubscribeUrl)}" style="color:${light.muted}">Unsubscribe</a>`
    : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.title)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: ${dark.paper} !important; }
  .card { background: ${dark.card} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .muted { color: ${dark.muted} !important; }
  .pine { color: ${dark.pine} !important; }
  .button { background: ${dark.pine} !important; color: ${dark.paper} !important; }
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper" style="background:${light.paper}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td class="pine" style="padding:0 0 20px;font:600 20px/28px ${serif};color:${light.pine}">${escapeHtml(publication.name)}</td></tr>
<tr><td class="card" style="padding:32px 28px;background:${light.card};border:1px solid ${light.line};border-radius:8px">
<h1 class="ink" style="margin:0 0 16px;font:600 26px/32px ${serif};color:${light.ink}">${escapeHtml(content.title)}</h1>
${content.blocks.map(blockHtml).join('\n')}
</td></tr>
<tr><td class="muted" style="padding:20px 0 0;font:400 13px/20px ${sans};color:${light.muted}">${escapeHtml(content.reason)}${unsubscribe}<br>${escapeHtml(`${publication.name} · ${publication.tagline} · ${publication.footer}`)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

function blockHtml(block: MailBlock): string {
  const paragraph = `margin:0 0 16px;font:400 16px/24px ${sans};color:${light.ink}`
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="${paragraph}">${escapeHtml(block.text)}</p>`
    case 'button':
      return `<p style="margin:24px 0"><a class="button" href="${escapeHtml(block.href)}" style="display:inline-block;padding:12px 20px;border-radius:5px;background:${light.pine};color:${light.card};font:600 16px/24px ${sans};text-decoration:none">${escapeHtml(block.label)}</a></p>`
    case 'link':
      return `<p class="muted" style="margin:0 0 16px;font:400 14px/20px ${sans};color:${light.muted}"><a class="pine" href="${escapeHtml(block.href)}" style="font:600 18px/26px ${serif};color:${light.pine}">${escapeHtml(block.label)}</a><br>${escapeHtml(block.detail)}</p>`
    case 'code':
      return `<p class="ink" style="${paragraph}">${escapeHtml(block.label)}<br><span style="font:600 28px/40px ui-monospace, Menlo, Consolas, monospace;letter-spacing:4px">${escapeHtml(block.code)}</span></p>`
    case 'list':
      return `<ul class="ink" style="${paragraph};padding-left:20px">${block.items.map((item) => `<li style="margin:0 0 6px">${escapeHtml(item)}</li>`).join('')}</ul>`
    case 'note':
      return `<p class="muted" style="margin:16px 0 0;font:400 14px/20px ${sans};color:${light.muted}">${escapeHtml(block.text)}</p>`
  }
}

function layoutText(content: MailContent): string {
  const foot = [
    content.reason,
    ...(content.unsubscribeUrl ? [`Unsubscribe: ${content.unsubscribeUrl}`] : []),
    `${publication.name} · ${publication.tagline} · ${publication.footer}`,
  ]
  return `${[content.title, ...content.blocks.map(blockText), `--\n${foot.join('\n')}`].join('\n\n')}\n`
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return block.text
    case 'button':
      return `${block.label}:\n${block.href}`
    case 'link':
      return `${block.label}\n${block.detail}\n${block.href}`
    case 'code':
      return `${block.label} ${block.code}`
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
  }
}
