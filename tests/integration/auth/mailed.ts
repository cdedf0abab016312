import type { TestApp } from '#tests/support/create-test-app.ts'

/** Link and code of the newest mail to an address. */
export function mailed(server: TestApp, to: string) {
  const [mail] = server.outbox.list(to)
  const text = mail?.text ?? ''
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0] ?? ''
  const code = /code: (\d{6})/.exec(text)?.[1] ?? ''
  const query = link ? new URL(link).searchParams : new URLSearchParams()
  return { subject: mail?.subject, link, code, token: query.get('token') ?? '', type: query.get('type') ?? '' }
}

/** Presses the button of the page that a link opens; answers where the browser goes. */
export async function pressConfirm(server: TestApp, link: string, cookie = '') {
  const page = await server.request(link)
  const form = new URLSearchParams()
  for (const [, name = '', value = ''] of (await page.text()).matchAll(/name="(\w+)" value="([^"]*)"/g)) {
    form.append(
      name,
      value.replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number))),
    )
  }
  const answer = await server.request('/auth/v1/verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...(cookie && { Cookie: cookie }) },
    body: form.toString(),
  })
  const location = answer.headers.get('Location') ?? ''
  return {
    page,
    status: answer.status,
    location,
    cookie: answer.headers.get('Set-Cookie') ?? '',
    fragment: new URLSearchParams(location.split('#')[1]),
  }
}
