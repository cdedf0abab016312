import { html } from 'hono/html'
import { linkPagePolicy } from '#server/pages/link-pages.ts'
import { type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import type { OwnershipPrompt } from './ownership-prompt.ts'
import type { EmailLink } from './verify-link.ts'

const wordsByType: Readonly<Record<string, { title: string; lead: string; button: string }>> = {
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
  title: 'Confirm your email',
  lead: 'Confirm that this email address is yours.',
  button: 'Confirm my email',
}

const whenFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Asked if someone else may have created the account. */
const questions: Readonly<
  Record<OwnershipPrompt['reason'], (signedUpAt: string) => { lead: string; keep: string; fresh: string; note: string }>
> = {
  'unknown-browser': () => ({
    lead: 'Did you create this account yourself? It has a password or a signed-in device, and you haven’t used this browser with it before.',
    keep: 'Yes, keep my password',
    fresh: 'No, start fresh',
    note: 'Starting fresh removes the password and profile, and signs out every other device. You can then choose a password of your own.',
  }),
  'several-sign-ups': (signedUpAt) => ({
    lead: `There was more than one sign-up with this address. This link belongs to the one on ${signedUpAt} UTC. Was that you?`,
    keep: 'Yes, use the password I chose then',
    fresh: 'I’m not sure, continue without a password',
    note: 'Without a password, you’re signed in now and can choose a new one. No one else’s password will work.',
  }),
}

/** Content security policy of the page. Browsers apply `form-action` to redirects too, so it includes the target. */
export function verifyPagePolicy(redirectTo: string): string {
  const { protocol, origin } = new URL(redirectTo)
  const target = protocol === 'http:' || protocol === 'https:' ? origin : protocol
  return linkPagePolicy(`'self' ${target}`)
}

/**
 * The page behind an emailed link. Only its button redeems the token, because email scanners open links. Works without
 * script.
 */
export function verifyPage(link: EmailLink, question: OwnershipPrompt | null, config: PageConfig) {
  const words = (Object.hasOwn(wordsByType, link.type) ? wordsByType[link.type] : undefined) ?? confirmWords
  const { lead, buttons, note } = question
    ? choiceOf(question)
    : {
        lead: words.lead,
        buttons: html`<button type="submit">${words.button}</button>`,
        note: 'Didn’t request this link? Close this page. Nothing changes unless you continue.',
      }
  return pageLayout({
    title: words.title,
    shape: 'column',
    config,
    main: html`<h1>${words.title}</h1>
      <p class="lead">${lead}</p>
      <form class="actions" method="post" action="/auth/v1/verify">
        <input type="hidden" name="token" value="${link.token}">
        <input type="hidden" name="type" value="${link.type}">
        <input type="hidden" name="redirect_to" value="${link.redirectTo}">
        ${buttons}
      </form>
      <p class="note">${note}</p>`,
  })
}

function choiceOf({ reason, signedUpAt }: OwnershipPrompt) {
  const { lead, keep, fresh, note } = questions[reason](whenFormat.format(signedUpAt))
  const buttons = html`<button type="submit" value="yes" name="keep">${keep}</button>
        <button type="submit" value="no" name="keep" class="button secondary">${fresh}</button>`
  return { lead, buttons, note }
}
