import { type APIRequestContext, expect } from '@playwright/test'
import type { Account, Session } from './accounts.ts'

export type SandboxMail = { to: string; subject: string; text: string; html: string; createdAt: string }

export async function mailsTo(api: APIRequestContext, address: string): Promise<SandboxMail[]> {
  const response = await api.get('/sandbox/mail.json', { params: { to: address } })
  expect(response.status()).toBe(200)
  return (await response.json()) as SandboxMail[]
}

/** Mail leaves through a queue, so it arrives a moment after the answer. */
export async function waitForMail(api: APIRequestContext, address: string, subject: RegExp): Promise<SandboxMail> {
  let found: SandboxMail | undefined
  await expect
    .poll(async () => {
      found = (await mailsTo(api, address)).find((mail) => subject.test(mail.subject))
      return found?.subject
    })
    .toMatch(subject)
  if (!found) throw new Error(`No mail to ${address}`)
  return found
}

/** The link that a mail wants clicked. */
export function linkIn({ text }: SandboxMail): string {
  const [link] = /https?:\/\/\S+\/auth\/v1\/verify\S+/.exec(text) ?? []
  if (!link) throw new Error(`No link in: ${text}`)
  return link
}

/** The six digits that a mail carries beside its link. */
export function codeIn({ text }: { text: string }): string {
  const [code] = /(?<!\d)\d{6}(?!\d)/.exec(text.replace(/https?:\S+/g, '')) ?? []
  if (!code) throw new Error(`No code in: ${text}`)
  return code
}

/** Text messages leave through a queue as well. */
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

/** Proves the address with the code of the mail that came at sign-up. */
export async function confirmAddress(api: APIRequestContext, email: string) {
  const token = codeIn(await waitForMail(api, email, /Confirm your address/))
  const response = await api.post('/auth/v1/verify', { data: { type: 'signup', email, token } })
  expect(response.status(), await response.text()).toBe(200)
  return (await response.json()) as Session
}

/** The same for an account that may have done so: what guards an account is set up after its address is proven. */
export async function ensureConfirmed(api: APIRequestContext, { email, session }: Account) {
  const headers = { Authorization: `Bearer ${session.access_token}` }
  const user = (await (await api.get('/auth/v1/user', { headers })).json()) as { email_confirmed_at?: string }
  if (!user.email_confirmed_at) await confirmAddress(api, email)
}
