import { html } from 'hono/html'
import { linkPagePolicy } from '#server/pages/link-pages.ts'
import { pageLayout } from '#server/pages/page-layout.ts'
import type { MailedLink } from './verify-link.ts'

const words: Readonly<Record<string, { title: string; lead: string; button: string }>> = {
  recovery: {
    title: 'Choose a new password',
    lead: 'Continue to set a new password for your account.',
    button: 'Continue',
  },
  magiclink: { title: 'Sign in', lead: 'Continue to sign in on this device.', button: 'Sign in' },
  invite: {
    title: 'Accept your invitation',
    lead: 'This confirms that the address is yours and signs you in on this device.',
    button: 'Accept invitation',
  },
  email_change: {
    title: 'Change your address',
    lead: 'Confirm that your account may use the new email address.',
    button: 'Confirm change',
  },
}
const confirmWords = {
  title: 'Confirm your address',
  lead: 'Confirm that this email address is yours.',
  button: 'Confirm my address',
}

/**
 * The page's own policy, as this mount allows pages nothing. Browsers hold a form's redirects against `form-action` too,
 * so it names where an allowed link leads.
 */
export function verifyPagePolicy(redirectTo: string): string {
  const { protocol, origin } = new URL(redirectTo)
  const target = protocol === 'http:' || protocol === 'https:' ? origin : protocol
  return linkPagePolicy(`'self' ${target}`)
}

/**
 * What a mailed link opens. Scanners and previews follow links too, so opening one changes nothing: the button does.
 * It needs no script and gives its own address, which holds the token, to nobody.
 */
export function verifyPage(link: MailedLink, sandbox: boolean) {
  const { title, lead, button } = (Object.hasOwn(words, link.type) ? words[link.type] : undefined) ?? confirmWords
  return pageLayout({
    title,
    shape: 'column',
    sandbox,
    main: html`<h1>${title}</h1>
      <p class="lead">${lead}</p>
      <form class="actions" method="post" action="/auth/v1/verify">
        <input type="hidden" name="token" value="${link.token}">
        <input type="hidden" name="type" value="${link.type}">
        <input type="hidden" name="redirect_to" value="${link.redirectTo}">
        <button type="submit">${button}</button>
      </form>
      <p class="note">You asked for this link, or somebody typed your address. If it wasn’t you, close this page: nothing changes.</p>`,
  })
}
