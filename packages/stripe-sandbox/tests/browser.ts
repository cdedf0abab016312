/** A browser without JavaScript: reads pages, submits forms, follows redirects within the sandbox. */
export type Page = { status: number; url: string; text: string; headers: Headers; location: string | null }

const plainText = (text: string): string =>
  text
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")

/** Opens an address. Redirects that leave the sandbox aren't followed but returned as `location`. */
export async function visit(url: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location !== null) {
    const next = new URL(location, url)
    if (next.host === new URL(url).host) return visit(next.href)
    return { headers: response.headers, location, status: response.status, text: '', url }
  }
  return { headers: response.headers, location, status: response.status, text: await response.text(), url }
}

/** Submits the form with this button, with the page's fields and these values. */
export async function press(page: Page, button: string, values: Record<string, string> = {}): Promise<Page> {
  for (const [form = '', attributes = '', body = ''] of page.text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
    const found = [...body.matchAll(/<button([^>]*)>([\s\S]*?)<\/button>/g)].find((each) =>
      plainText(each[2] ?? '')
        .trim()
        .startsWith(button),
    )
    if (!found || form === '') continue
    const fields = new URLSearchParams()
    for (const [input] of body.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1]
      if (name && !input.includes('type="radio"')) fields.set(name, plainText(/value="([^"]*)"/.exec(input)?.[1] ?? ''))
    }
    const own = /name="([^"]*)" value="([^"]*)"/.exec(found[1] ?? '')
    if (own) fields.set(own[1] ?? '', plainText(own[2] ?? ''))
    for (const [name, value] of Object.entries(values)) fields.set(name, value)
    const action = plainText(/action="([^"]*)"/.exec(attributes)?.[1] ?? page.url)
    return visit(new URL(action, page.url).href, { body: fields, method: 'POST' })
  }
  throw new Error(`no form with a button ${button} on ${page.url}:\n${page.text}`)
}

/** The visible text of a page. */
export const words = (page: Page): string =>
  plainText(
    page.text
      .replace(/<head[\s\S]*?<\/head>/, '')
      .replace(/<\/?(?:time|strong|a|span)\b[^>]*>/g, '')
      .replace(/<[^>]+>/g, ' '),
  ).replace(/\s+/g, ' ')

/** Follows the link with this text. */
export async function follow(page: Page, text: string): Promise<Page> {
  for (const [, href = '', label = ''] of page.text.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)) {
    if (plainText(label).includes(text)) return visit(new URL(plainText(href), page.url).href)
  }
  throw new Error(`no link ${text} on ${page.url}:\n${words(page)}`)
}

export const card = (number: string) => ({ cvc: '123', expiry: '12 / 44', name: 'Ida Test', number })
