import type { TestApp } from '#tests/support/create-test-app.ts'

/** Link and code of the latest email to an address. */
export function latestEmail(server: TestApp, to: string) {
  const [email] = server.outbox.list(to)
  const text = email?.text ?? ''
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0] ?? ''
  const code = /code: (\d{6})/.exec(text)?.[1] ?? ''
  const query = link ? new URL(link).searchParams : new URLSearchParams()
  return { subject: email?.subject, link, code, token: query.get('token') ?? '', type: query.get('type') ?? '' }
}

/**
 * Presses the button on the page that a link opens, and returns where the browser goes.
 * @param cookie from an earlier sign-in
 * @param keep which of the two buttons, if the page asks who signed up
 */
export async function pressConfirm(server: TestApp, link: string, cookie = '', keep?: 'yes' | 'no') {
  const browser = cookie ? { Cookie: cookie.split(';')[0] ?? '' } : undefined
  const page = await server.request(link, { headers: browser })
  const text = await page.text()
  const form = new URLSearchParams()
  for (const [, name = '', value = ''] of text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    form.append(
      name,
      value.replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number))),
    )
  }
  if (keep) form.append('keep', keep)
  const answer = await server.request('/auth/v1/verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...browser },
    body: form.toString(),
  })
  const location = answer.headers.get('Location') ?? ''
  return {
    page,
    /** Whether the page asks who signed up. */
    asks: text.includes('name="keep"'),
    status: answer.status,
    location,
    cookie: answer.headers.get('Set-Cookie') ?? '',
    fragment: new URLSearchParams(location.split('#')[1]),
  }
}
