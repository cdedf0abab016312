import { darkStyles, light } from './email-palette.ts'

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

type EmailDocument = {
  title: string
  /** Preview text next to the subject in the inbox. */
  preheader: string
  /** Maximum width in pixels. */
  width: number
  /** Inner HTML. */
  body: string
  /** Other markup whose classes need dark mode rules. */
  alsoInside?: string
}

/** Invisible characters that keep the start of the email out of the preview text. */
const preheaderPadding = '&#847; &#8203; '.repeat(24)

/**
 * The HTML document of every email. Styles are inline, because some clients drop `<style>`; it only adds the mobile and
 * dark mode rules. The inner table is for Outlook on Windows, which ignores `max-width`.
 */
export function emailDocument({ title, preheader, width, body, alsoInside = '' }: EmailDocument): string {
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
  .edge { padding: 20px 0 !important; }
  .outside { padding-left: 18px !important; padding-right: 18px !important; }
  .card { padding: 24px 18px !important; border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important; }
}
${darkStyles(`<body class="paper card">${body}${alsoInside}`)}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${light.paper};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)} ${preheaderPadding}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" style="table-layout:fixed;background-color:${light.paper}">
<tr><td class="edge" align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="${width}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<div style="max-width:${width}px;margin:0 auto;text-align:left;overflow-wrap:break-word">
${body}
</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

/** The card around the content. A table cell, because Outlook on Windows pads nothing else. */
export const cardHtml = (body: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr><td class="card" style="padding:32px 36px;background-color:${light.card};border:1px solid ${light.line};border-radius:8px">
${body}
</td></tr></table>`

/** A link styled as a button, in a colored table cell because Outlook on Windows doesn't pad links. */
export const buttonHtml = (label: string, href: string, font: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td class="button" bgcolor="${light.pine}" style="border-radius:5px;background-color:${light.pine}"><a class="button" href="${href}" style="display:inline-block;padding:12px 20px;border-radius:5px;background-color:${light.pine};color:${light.onPine};font:600 16px/24px ${font};text-decoration:none">${label}</a></td></tr></table>`
