import { type APIRequestContext, expect } from '@playwright/test'

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
