import { createHash } from 'node:crypto'
import { escapeHtml } from '#server/mail/mail-document.ts'
import { publication } from '#shared/publication.ts'
import type { MailedLink } from './verify-link.ts'

const words: Readonly<Record<string, { title: string; lead: string; button: string }>> = {
  recovery: {
    title: 'Choose a new password',
    lead: 'One click and you can set a new password for your account.',
    button: 'Continue',
  },
  magiclink: { title: 'Sign in', lead: 'One click and you are signed in on this device.', button: 'Sign in' },
  invite: {
    title: 'Take your invitation',
    lead: 'One click confirms that this address is yours, and signs you in on this device.',
    button: 'Take the invitation',
  },
  email_change: {
    title: 'Change your address',
    lead: 'Please confirm that your account may change its address.',
    button: 'Confirm the change',
  },
}
const confirmWords = {
  title: 'Confirm your address',
  lead: 'Please confirm that this address is yours.',
  button: 'Confirm my address',
}

const style = `
:root { color-scheme: light dark; --paper: light-dark(#faf7f1, #1a1613); --ink: light-dark(#261f1a, #ebe7df);
  --pine: light-dark(#0f533c, #7acfa7); --on-pine: light-dark(#fcfaf5, #061b12); --focus: light-dark(#a8611a, #f0b25a); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-rows: auto 1fr auto; padding: 24px; background: var(--paper);
  color: var(--ink); font: 16px/1.5 'Instrument Sans', 'Segoe UI', Helvetica, Arial, sans-serif; }
header { color: var(--pine); font: 600 20px/28px Fraunces, Georgia, serif; }
main { align-self: center; justify-self: center; width: 100%; max-width: 28rem; }
h1 { margin: 0 0 8px; font: 600 30px/36px Fraunces, Georgia, serif; }
button { margin-top: 16px; min-height: 48px; padding: 0 24px; border: 0; border-radius: 5px; background: var(--pine);
  color: var(--on-pine); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The page's own policy, as this mount allows pages nothing. Browsers hold a form's redirects against `form-action` too,
 * so it names where an allowed link leads.
 */
export function verifyPagePolicy(redirectTo: string): string {
  const { protocol, origin } = new URL(redirectTo)
  const target = protocol === 'http:' || protocol === 'https:' ? origin : protocol
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self' ${target}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * What a mailed link opens. Scanners and previews follow links too, so opening one changes nothing: the button does.
 * It needs no script, and no other file, and gives its own address, which holds the token, to nobody.
 */
export function verifyPage(link: MailedLink): string {
  const { title, lead, button } = (Object.hasOwn(words, link.type) ? words[link.type] : undefined) ?? confirmWords
  const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${title} · ${publication.name}`)}</title>
<style>${style}</style>
</head>
<body>
<header>${escapeHtml(publication.name)}</header>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(lead)}</p>
<form method="post" action="/auth/v1/verify">
${field('token', link.token)}${field('type', link.type)}${field('redirect_to', link.redirectTo)}
<button type="submit">${escapeHtml(button)}</button>
</form>
</main>
<footer>${escapeHtml(publication.footer)}</footer>
</body>
</html>
`
}
