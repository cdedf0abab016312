import assert from 'node:assert/strict'
import { demoEmail, demoPassword } from '#server/seed/seed-demo-accounts.ts'

type Json = Record<string, unknown>

async function post<Answer>(url: string, body: Json, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert.ok(response.ok, `${new URL(url).pathname} answered ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

export const signUp = (url: string, email: string, name: string) =>
  post(`${url}/auth/v1/signup`, { email, password: demoPassword, data: { full_name: name } })

/** Signs in a demo account of the sandbox and returns a function that calls the product's calls as it. */
export async function signIn(url: string, who: Parameters<typeof demoEmail>[0]) {
  const credentials = { email: demoEmail(who), password: demoPassword }
  const session = await post<{ access_token: string }>(`${url}/auth/v1/token?grant_type=password`, credentials)
  return <Answer>(name: string, input: Json = {}) =>
    post<Answer>(`${url}/functions/v1/${name}`, input, session.access_token)
}

/** Repeats a question until its answer is true. */
export async function until(what: string, isTrue: () => Promise<unknown>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, `${what} didn’t happen within ${timeoutMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
