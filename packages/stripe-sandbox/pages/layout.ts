import type { WebResponse } from '../http/server.ts'

/** Safe markup. Templates escape everything else. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | string | number | null | undefined | false | Part[]

const escapes: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (Array.isArray(part)) return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}

/** A template whose values are escaped, unless they are templates themselves. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((all, text, index) => all + render(parts[index - 1]) + text))
}

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

/** The authentication page (3D Secure), where the payer chooses the result. */
export function authenticatePage(input: {
  action: string
  csrf: string
  what: string
  targets: (string | null)[]
}): WebResponse {
  return page({
    body: html`
<h1>Authenticate payment</h1>
<div class="card">
  <p>This test card requires authentication for ${input.what}. A real bank asks in its app. Here you choose the result.</p>
  <form method="post" action="${input.action}" class="actions" data-once>
    ${hiddenField('csrf', input.csrf)}
    <button class="primary" name="result" value="complete">Complete</button>
    <button class="danger" name="result" value="fail">Fail</button>
  </form>
</div>`,
    formTargets: input.targets,
    title: 'Authenticate payment',
  })
}

export const authenticationFailed =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

const tabs = [
  ['/sandbox', 'Customers'],
  ['/sandbox/events', 'Events and webhooks'],
  ['/sandbox/settings', 'Settings'],
] as const

export function controlPage(input: {
  title: string
  current: string
  body: Part
  refresh?: number
  formTargets?: (string | null)[]
}): WebResponse {
  const links: Html[] = tabs.map(
    ([href, text]) => html`<a href="${href}"${href === input.current && html` aria-current="page"`}>${text}</a>`,
  )
  return page({
    body: html`<nav class="tabs" aria-label="Sandbox">${links}</nav><h1>${input.title}</h1>${input.body}`,
    formTargets: input.formTargets,
    refresh: input.refresh,
    title: input.title,
    wide: true,
  })
}

/** All control pages share one form token. */
export const controlScope = 'control room'
