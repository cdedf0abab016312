import type { Config } from '#server/config/config.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { darkStyles, light, sans, serif } from './email-palette.ts'

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Site address and settings, which every email needs besides its data. */
export type EmailConfig = Pick<Config, 'publicUrl' | 'settings'>

type EmailDocument = {
  title: string
  /** Preview text next to the subject in the inbox. */
  preheader: string
  /** Words at the right of the masthead, as HTML: the department, or number and date. */
  aside: string
  /** Inner HTML. */
  body: string
  /** Inner HTML below the last line. */
  foot: string
  /** Other markup whose classes need dark mode rules. */
  alsoInside?: string
}

/** Width of the text column in pixels: about 70 characters. */
export const columnWidth = 560

/** Invisible characters that keep the start of the email out of the preview text. */
const preheaderPadding = '&#847; &#8203; '.repeat(24)

/** Attributes of tables for layout. */
export const layoutTable = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'

/**
 * The HTML document of every email: masthead, double rule, one column on paper. Styles are inline, because some clients
 * drop `<style>`; it only adds the mobile and dark mode rules. The inner table is for Outlook on Windows, which ignores
 * `max-width`.
 */
export function emailDocument(
  config: EmailConfig,
  { title, preheader, aside, body, foot, alsoInside = '' }: EmailDocument,
): string {
  const content = `${mastheadHtml(config, aside)}
${body}
<div class="line" style="margin:36px 0 0;padding:16px 0 0;border-top:1px solid ${light.line}">
${foot}
</div>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .edge { padding: 16px 18px 32px !important; }
  .title { font-size: 28px !important; line-height: 34px !important; }
  .action { width: 100% !important; }
  .action a { display: block !important; text-align: center !important; }
}
${darkStyles(`<body class="paper">${content}${alsoInside}`)}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${light.paper};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)} ${preheaderPadding}</div>
<table ${layoutTable} class="paper" bgcolor="${light.paper}" style="table-layout:fixed;background-color:${light.paper}">
<tr><td class="edge" align="center" style="padding:28px 24px 48px">
<!--[if mso]><table role="presentation" width="${columnWidth}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<div style="max-width:${columnWidth}px;margin:0 auto;text-align:left;overflow-wrap:break-word">
${content}
</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

/** The bell, or the publisher’s icon. A PNG, since email clients show no SVG. */
const appIcon = { src: '/app-icon-192.png', width: 28, height: 28 }

function logoHtml({ publicUrl, settings: { publication } }: EmailConfig) {
  const { src, width, height } = publication.logo ?? appIcon
  return `<img src="${escapeHtml(publicUrl + src)}" width="${width}" height="${height}" alt="" style="display:inline-block;margin:0 10px 0 0;border:0;vertical-align:bottom">`
}

/** The wordmark over the design's rule, as on the site. `aside` is beside a name on the left, and below the rule otherwise. */
function mastheadHtml(config: EmailConfig, aside: string): string {
  const { name, look } = config.settings.publication
  const isLeft = look.header === 'left'
  const cell = (names: string, align: string, style: string, html: string) =>
    `<td class="${names}"${isLeft ? '' : ' colspan="2"'} align="${align}" valign="bottom" style="${style}">${html}</td>`
  const wordmark = cell(
    'ink name',
    isLeft ? 'left' : 'center',
    `padding:0 12px 10px 0;font:600 23px/28px ${serif};letter-spacing:-0.3px;color:${light.ink}`,
    `${logoHtml(config)}${look.header === 'picture' ? '<br>' : ''}${escapeHtml(name)}`,
  )
  const words = cell(
    'muted aside',
    isLeft ? 'right' : 'center',
    `padding:${isLeft ? '0 0 10px' : '10px 0 0'};font:400 14px/22px ${sans};color:${light.muted}`,
    aside,
  )
  const rule = `<tr><td colspan="2" class="${look.design === 'bulletin' ? 'example' : 'rule'} double" height="2" style="height:2px;border-top:2px solid ${light.ink};border-bottom:1px solid ${light.ink};font-size:0;line-height:0;mso-line-height-rule:exactly">&nbsp;</td></tr>`
  return `<table ${layoutTable}><tr>${isLeft ? `${wordmark}${words}</tr>\n${rule}` : `${wordmark}</tr>\n${rule}<tr>${words}</tr>`}</table>`
}

export const titleHtml = (title: string): string =>
  `<h1 class="title ink" style="margin:28px 0 16px;font:600 32px/39px ${serif};letter-spacing:-0.4px;color:${light.ink}">${escapeHtml(title)}</h1>`

/** A heading over a list or a block of an email. */
export const headingHtml = (words: string): string =>
  `<h2 class="ink heading" style="margin:32px 0 10px;font:600 20px/26px ${serif};color:${light.ink}">${escapeHtml(words)}</h2>`

export const footnoteHtml = (html: string): string =>
  `<p class="muted" style="margin:0 0 8px;font:400 13px/20px ${sans};color:${light.muted}">${html}</p>`

/** Name and tagline, and what the law asks for. */
export const imprint = ({ name, tagline, footer }: Publication): string => `${name} · ${tagline} · ${footer}`

/**
 * A link styled as a button, in a colored table cell because Outlook on Windows doesn't pad links. As wide as the column
 * on phones. `quiet`: an outline, for what only some readers need.
 */
export function buttonHtml(label: string, href: string, look: 'button' | 'quiet' = 'button'): string {
  const { before, link, after } = buttonParts(look)
  return `${before}<a class="${look}" href="${href}" style="${link}">${label}</a>${after}`
}

/** Around a button's link, and the link's style. */
export function buttonParts(look: 'button' | 'quiet' = 'button') {
  const { background, color, border } =
    look === 'button'
      ? { background: light.pine, color: light.onPine, border: light.pine }
      : { background: light.card, color: light.ink, border: light.lineStrong }
  return {
    before: `<table role="presentation" class="action" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td class="${look}" bgcolor="${background}" style="border-radius:5px;background-color:${background}">`,
    link: `display:inline-block;padding:12px 22px;border:1px solid ${border};border-radius:5px;background-color:${background};color:${color};font:600 16px/24px ${sans};text-decoration:none`,
    after: '</td></tr></table>',
  }
}

/** Around rows of links. */
export const linkRowsHtml = {
  before: `<table ${layoutTable} class="line" style="table-layout:fixed;margin:0 0 8px;border-bottom:1px solid ${light.line}">\n`,
  after: '</table>',
}

/** A row below a hairline, linked as a whole, as tall as a thumb. All given as HTML; a null `href` is no link. */
export function linkRowHtml({ label, href, detail }: { label: string; href: string | null; detail: string }): string {
  const [name, color] = href ? ['pine', light.pine] : ['ink', light.ink]
  const words = `<span class="${name}" style="font:600 18px/25px ${serif};color:${color}">${label}</span>${detail && `<br>${detail}`}`
  const look = `display:block;padding:11px 0;font:400 15px/22px ${sans};color:${light.muted};text-decoration:none`
  const row = href
    ? `<a class="muted" href="${href}" style="${look}">${words}</a>`
    : `<div class="muted" style="${look}">${words}</div>`
  return `<tr><td class="line" style="border-top:1px solid ${light.line}">${row}</td></tr>\n`
}
