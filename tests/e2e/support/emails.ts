import { type APIRequestContext, expect } from '@playwright/test'
import type { Account, Session } from './accounts.ts'

export type SandboxEmail = { to: string; subject: string; text: string; html: string; createdAt: string }

export async function emailsTo(api: APIRequestContext, address: string): Promise<SandboxEmail[]> {
  const response = await api.get('/sandbox/mail.json', { params: { to: address } })
  expect(response.status()).toBe(200)
  return (await response.json()) as SandboxEmail[]
}

/** Emails go through a queue, so they arrive shortly after the response. */
export async function waitForEmail(
  api: APIRequestContext,
  address: string,
  subject: RegExp,
  timeout = 20_000,
): Promise<SandboxEmail> {
  let found: SandboxEmail | undefined
  await expect
    .poll(
      async () => {
        found = (await emailsTo(api, address)).find((email) => subject.test(email.subject))
        return found?.subject
      },
      { timeout },
    )
    .toMatch(subject)
  if (!found) throw new Error(`No email to ${address}`)
  return found
}

/** The action link in an email. */
export function linkIn({ text }: SandboxEmail): string {
  const [link] = /https?:\/\/\S+\/auth\/v1\/verify\S+/.exec(text) ?? []
  if (!link) throw new Error(`No link in: ${text}`)
  return link
}

/** The six-digit code in an email or text message. */
export function codeIn({ text }: { text: string }): string {
  // An address may have six digits in a row after a letter.
  const [code] = /\b\d{6}\b/.exec(text.replace(/https?:\S+/g, '')) ?? []
  if (!code) throw new Error(`No code in: ${text}`)
  return code
}

export async function waitForMessage(api: APIRequestContext, phone: string): Promise<{ text: string }> {
  let newest: { text: string } | undefined
  await expect
    .poll(async () => {
      const response = await api.get('/sandbox/messages.json', { params: { to: phone } })
      newest = ((await response.json()) as { text: string }[])[0]
      return newest
    })
    .toBeDefined()
  if (!newest) throw new Error(`No message to ${phone}`)
  return newest
}

/** Confirms the email with the code from the sign-up email. */
export async function confirmEmail(api: APIRequestContext, email: string) {
  const token = codeIn(await waitForEmail(api, email, /Confirm your email address/))
  const response = await api.post('/auth/v1/verify', { data: { type: 'signup', email, token } })
  expect(response.status(), await response.text()).toBe(200)
  return (await response.json()) as Session
}

/** Confirms the email unless it is confirmed already. Factors require a confirmed email. */
export async function ensureConfirmed(api: APIRequestContext, { email, session }: Account) {
  const headers = { Authorization: `Bearer ${session.access_token}` }
  const user = (await (await api.get('/auth/v1/user', { headers })).json()) as { email_confirmed_at?: string }
  if (!user.email_confirmed_at) await confirmEmail(api, email)
}
