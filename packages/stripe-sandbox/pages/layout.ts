import type { WebResponse } from '../http/server.ts'
import { type Html, html, type Part } from './html.ts'

export type Page = {
  title: string
  body: Part
  status?: number
  /** Origins that forms on this page may redirect to, since browsers check redirects too. */
  formTargets?: (string | null)[]
  /** Wide pages are for tables. */
  wide?: boolean
  /** Seconds after which the page reloads itself. */
  refresh?: number
}

const originOf = (address: string | null): string => (address && URL.canParse(address) ? new URL(address).origin : '')

function policy(targets: (string | null)[]): string {
  const forms = [...new Set(targets.map(originOf))].filter((origin) => origin !== '').join(' ')
  return [
    `default-src 'none'`,
    `style-src 'self'`,
    `script-src 'self'`,
    `img-src 'self' data:`,
    `form-action 'self' ${forms}`.trim(),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

/** A complete page with banner, main and footer. */
export function page({ title, body, status = 200, formTargets = [], wide = false, refresh }: Page): WebResponse {
  const document: Html = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh !== undefined && html`<meta http-equiv="refresh" content="${refresh}">`}
<title>SANDBOX · ${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/sandbox.css">
<script src="/assets/sandbox.js" defer></script>
</head>
<body>
<header class="banner"><p><strong>STRIPE SANDBOX – no real payments</strong></p></header>
<main class="${wide ? 'wide' : 'narrow'}" id="main">${body}</main>
<footer class="footer"><p>A local stand-in for a payment service. No money moves, no card data leaves this machine, and only test cards work.</p></footer>
</body>
</html>
`
  return {
    status,
    headers: {
      'cache-control': 'no-store',
      'content-security-policy': policy(formTargets),
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: document.markup,
  }
}

/** Redirects to a GET after a form, so that reloading submits nothing. */
export const redirect = (location: string): WebResponse => ({
  status: 303,
  headers: { 'cache-control': 'no-store', location, 'referrer-policy': 'no-referrer' },
  body: '',
})

/** A page with only a message and a link. */
export function message(
  title: string,
  text: Part,
  link?: { href: string; text: string } | null,
  status = 200,
): WebResponse {
  return page({
    body: html`<h1>${title}</h1><p>${text}</p>${link && html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}`,
    status,
    title,
  })
}

/** A message about the submitted form, announced by screen readers. */
export const alertBox = (text: string | null): Html | null =>
  text === null ? null : html`<p class="alert" role="alert">${text}</p>`

export const noticeBox = (text: string | null): Html | null =>
  text === null ? null : html`<p class="notice" role="status">${text}</p>`

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`
