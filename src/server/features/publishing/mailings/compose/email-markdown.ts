import type { Token } from 'markdown-it'
import { createMarkdown, wrapTables } from '#server/features/library/content/render-markdown.ts'
import { buttonParts, columnWidth } from '#server/mail/email-document.ts'
import { dashes, light, mono, sans, serif } from '#server/mail/email-palette.ts'
import { parseImageTitle } from '#shared/domain/image-titles.ts'
import { isSitePage } from '#shared/domain/internal-links.ts'
import { parseImageAddress } from '#shared/domain/markdown-images.ts'
import type { CalloutKind } from '#shared/domain/marked-quotations.ts'
import { hasMarker, type PersonalParts } from './personal-parts.ts'

const paragraph = `margin:0 0 16px;font:400 17px/27px ${sans};color:${light.ink}`
const looks: Record<string, { class?: string; style: string }> = {
  p: { class: 'ink text', style: paragraph },
  h3: { class: 'ink heading', style: `margin:28px 0 10px;font:600 19px/26px ${serif};color:${light.ink}` },
  h4: { class: 'ink', style: `margin:24px 0 8px;font:600 17px/25px ${serif};color:${light.ink}` },
  h5: { class: 'ink', style: `margin:20px 0 8px;font:600 17px/25px ${sans};color:${light.ink}` },
  h6: { class: 'ink', style: `margin:20px 0 8px;font:600 17px/25px ${sans};color:${light.ink}` },
  ul: { class: 'ink text', style: `${paragraph};padding-left:22px;${dashes}` },
  ol: { class: 'ink text', style: `${paragraph};padding-left:24px` },
  li: { style: 'margin:0 0 6px' },
  blockquote: {
    class: 'quote',
    style: `margin:0 0 20px;padding:16px 18px 4px;border-left:3px solid ${light.pine};border-radius:0 5px 5px 0;background-color:${light.sunken}`,
  },
  code: { style: `font-family:${mono};font-size:15px;word-break:break-word` },
  pre: {
    class: 'sunken ink',
    style: `margin:0 0 20px;padding:14px 16px;border-radius:5px;background-color:${light.sunken};color:${light.ink};font:400 14px/22px ${mono};white-space:pre-wrap;word-break:break-word`,
  },
  hr: { class: 'line', style: `margin:24px 0;border:0;border-top:1px solid ${light.line}` },
  table: {
    class: 'ink',
    style: `width:100%;margin:0 0 20px;border-collapse:collapse;font:400 15px/22px ${sans};color:${light.ink}`,
  },
  th: {
    class: 'rule',
    style: `padding:6px 10px 6px 0;border-bottom:2px solid ${light.ink};font-weight:600;text-align:left;vertical-align:bottom`,
  },
  td: {
    class: 'line',
    style: `padding:8px 10px 8px 0;border-bottom:1px solid ${light.line};vertical-align:top`,
  },
  mark: {
    class: 'placeholder',
    style: `padding:0 2px;border-radius:3px;background-color:${light.accentSoft};color:${light.accentInk};font-weight:500`,
  },
  a: {
    class: 'pine',
    style: `color:${light.pine};text-decoration:underline;word-break:break-word`,
  },
}
/** A callout is a box like a quotation; a warning has the accent's color. */
const calloutLook = (kind: CalloutKind) =>
  kind === 'warning'
    ? { class: 'quote example', style: `${looks.blockquote?.style};border-left-color:${light.accent}` }
    : { class: 'quote', style: looks.blockquote?.style ?? '' }
const calloutTitleLook = (kind: CalloutKind) =>
  kind === 'warning'
    ? { class: 'reason', style: `margin:0 0 6px;font:600 15px/22px ${sans};color:${light.accentInk}` }
    : { class: 'pine', style: `margin:0 0 6px;font:600 15px/22px ${sans};color:${light.pine}` }
const bookmarkStyle = `margin:0 0 20px;padding:16px 18px 0;border:1px solid ${light.line};border-radius:5px`
/** Prompts to copy, smaller than body text. */
const quoted = `margin:0 0 12px;font:400 16px/25px ${sans};color:${light.ink}`
const quotedStyles: Record<string, string> = {
  p: quoted,
  ul: `${quoted};padding-left:22px;${dashes}`,
  ol: `${quoted};padding-left:24px`,
}

/** Lists set as rows: the sums of what an issue is worth, with the result last, or answers to choose from. */
type Rows = 'worth' | 'answers'
const row = `padding:9px 0;border-top:1px solid ${light.line};font:400 16px/24px ${sans};color:${light.ink};font-variant-numeric:tabular-nums`
const rowStyles: Record<Rows, Record<string, { class: string; style: string }>> = {
  worth: {
    ul: {
      class: 'rule',
      style: `margin:0 0 16px;padding:0;border-bottom:1px solid ${light.ink};list-style:none`,
    },
    li: { class: 'line ink', style: row },
  },
  answers: {
    ul: { class: 'line', style: `margin:0 0 16px;padding:0;border-bottom:1px solid ${light.line};list-style:none` },
    li: { class: 'line', style: `border-top:1px solid ${light.line}` },
    a: {
      class: 'pine',
      style: `display:block;padding:10px 0;font:600 16px/24px ${sans};color:${light.pine};text-decoration:none`,
    },
  },
}

export type EmailMarkdown = { parse(text: string, rows?: Rows): Token[]; html(tokens: Token[]): string }

/**
 * Renders Markdown like the portal, for email: inline styles, absolute URLs, links as personal parts.
 * @param path of the issue, for links to its sections; null if there is none
 * @param addressOf where the reader finds a page of the portal
 */
export function createEmailMarkdown(
  publicUrl: string,
  parts: PersonalParts,
  path: string | null,
  addressOf: (url: string) => string = (url) => url,
): EmailMarkdown {
  const markdown = createMarkdown(publicUrl)
  const { validateLink } = markdown
  // A URL with a marker in it wouldn't work.
  markdown.validateLink = (url) =>
    !hasMarker(url) && (validateLink(url) || isSitePage(url)) && !(path === null && url.startsWith('#'))
  markdown.core.ruler.push('absolute_links', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open')
        token.attrSet('href', absolute(publicUrl, addressOf(String(token.attrGet('href') ?? '')), path))
    }
  })
  // Mail programs know paragraphs better than figures, and open no toggles.
  markdown.core.ruler.push('plain_figures', ({ tokens }) => {
    const plain: Record<string, string> = { figure: 'p', summary: 'p', details: 'div' }
    for (const token of tokens) token.tag = plain[token.tag] ?? token.tag
  })
  markdown.core.ruler.push('dress', ({ tokens, env }) => dress(tokens, rowsOf(env)))
  const { rules } = markdown.renderer
  rules.link_open = (tokens, index) => {
    const url = String(tokens[index]?.attrGet('href') ?? '')
    const token = tokens[index]
    const look = { class: String(token?.attrGet('class') ?? ''), style: String(token?.attrGet('style') ?? '') }
    return `<a href="${parts.mark({ kind: 'link', url })}"${attributes(look)}>`
  }
  // Outlook on Windows doesn't pad links, so a button is a table cell.
  rules.paragraph_open = (tokens, index, options, _env, self) =>
    tokens[index]?.meta?.isAction ? buttonParts().before : self.renderToken(tokens, index, options)
  rules.paragraph_close = (tokens, index, options, _env, self) =>
    tokens[index]?.meta?.isAction ? buttonParts().after : self.renderToken(tokens, index, options)
  rules.video_label = (tokens, index) =>
    `<span class="pine" style="display:block;margin:8px 0 0;font:600 15px/22px ${sans};color:${light.pine}">&#9654;&#xFE0E; ${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</span>`
  rules.file_facts = (tokens, index) =>
    ` <span class="muted" style="font:400 15px/22px ${sans};color:${light.muted}">${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</span>`
  rules.audio_player = () => ''
  rules.image_caption = (tokens, index) =>
    `<span class="muted" style="display:block;margin:8px 0 0;font:400 14px/20px ${sans};color:${light.muted}">${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</span>`
  const image = rules.image
  rules.image = (tokens, index, options, env, self) => {
    const written = parseImageAddress(String(tokens[index]?.attrGet('src') ?? ''))
    const { size } = parseImageTitle(tokens[index]?.attrGet('title') as string | null)
    const own = Math.min(written?.width ?? columnWidth, columnWidth)
    const width = size === 'wide' ? columnWidth : size === 'small' ? Math.min(own, columnWidth / 2) : own
    const look = `display:block;width:100%;max-width:${width}px;height:auto;border:0;border-radius:5px`
    // Email has no lazy loading, and Outlook on Windows needs the displayed width.
    return (image?.(tokens, index, options, env, self) ?? '').replace(
      /(?: width="\d+" height="\d+")? loading="lazy">$/,
      ` width="${width}" style="${look}">`,
    )
  }
  wrapTables(markdown, 'style="overflow-x:auto"')
  const preformatted = (tokens: Token[], index: number) =>
    `<pre${attributes(looks.pre)}>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</pre>\n`
  rules.fence = preformatted
  rules.code_block = preformatted
  return {
    parse: (text, rows) => markdown.parse(text, { rows }),
    html: (tokens) => markdown.renderer.render(tokens, markdown.options, {}),
  }
}

/** Makes portal links, and links to sections of the issue at `path`, absolute. */
const absolute = (publicUrl: string, url: string, path: string | null): string => {
  if (url.startsWith('#') && path !== null) return publicUrl + path + url
  return url.startsWith('/') ? publicUrl + url : url
}

/** Alt text of an image. */
export const altOf = (token: Token | undefined): string =>
  (token?.children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('')

const attributes = (look?: { class?: string; style: string }) =>
  look ? `${look.class ? ` class="${look.class}"` : ''} style="${look.style}"` : ''

const rowsOf = (env: object | undefined): Rows | undefined =>
  env && 'rows' in env && (env.rows === 'worth' || env.rows === 'answers') ? env.rows : undefined

/** Styles callouts and buttons, whose tag doesn't say what they are. */
function blockLook({ meta }: Token): { class?: string; style: string } | undefined {
  if (meta?.callout) return calloutLook(meta.callout as CalloutKind)
  if (meta?.calloutTitle) return calloutTitleLook(meta.calloutTitle as CalloutKind)
  if (meta?.box === 'toggle') return calloutLook('note')
  if (meta?.box === 'bookmark') return { class: 'line', style: bookmarkStyle }
  if (meta?.box) return undefined
  if (meta?.isSummary) return { class: 'ink', style: `${paragraph};font-weight:600` }
  return meta?.block === 'button' ? { class: 'button', style: buttonParts().link } : undefined
}

function dress(tokens: Token[], rows?: Rows, inQuote = false) {
  let depth = inQuote ? 1 : 0
  const lastRow =
    rows === 'worth' ? tokens.findLast(({ type, level }) => type === 'list_item_open' && level === 1) : null
  for (const token of tokens) {
    if (token.type === 'blockquote_open') depth += 1
    if (token.type === 'blockquote_close') depth -= 1
    if (token.children) dress(token.children, rows, depth > 0)
    const tag = token.type === 'code_inline' ? 'code' : token.tag
    const look = blockLook(token) ?? (token.nesting >= 0 ? ((rows && rowStyles[rows][tag]) ?? looks[tag]) : undefined)
    if (!look || token.type === 'fence' || token.type === 'code_block') continue
    // Keep the alignment of table columns.
    const aligned = token.attrGet('style')
    const style = (depth > 0 ? quotedStyles[token.tag] : undefined) ?? look.style
    const weight = token === lastRow ? `${style};font-weight:600` : style
    token.attrSet('style', aligned ? `${weight};${aligned}` : weight)
    if (look.class) token.attrSet('class', look.class)
  }
}
