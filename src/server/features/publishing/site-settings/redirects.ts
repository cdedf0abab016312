import { trimTrailingSlashes } from '#server/http/trim-trailing-slashes.ts'

/** `to` is a path of this site or an https address. */
export type Redirect = { from: string; to: string; permanent: boolean }

type Parsed = { redirects: Redirect[]; problems: string[] }

/** "/old/" and "/OLD" are the same old address. */
export const normalizeOldPath = (path: string): string => {
  const trimmed = path.length > 1 ? trimTrailingSlashes(path) : path
  return safeDecode(trimmed).toLowerCase() || '/'
}

function safeDecode(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Ghost writes old addresses as patterns. The usual ones stand for one address: "^\/old\/?$". */
const withoutPattern = (written: string): string =>
  written
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll('\\/', '/')
    .replaceAll('\\.', '.')
    .replaceAll('\\-', '-')
    .replace(/\/\?$/, '')

/**
 * Reads redirects, one per line ("/old /new", with 302 at its end for a temporary one), or the text of Ghost's
 * redirects.yaml or redirects.json. Says what is wrong with the others, among them those that lead back to themselves.
 */
export function parseRedirects(text: string): Parsed {
  const problems: string[] = []
  const found = new Map<string, Redirect>()
  for (const { from: written, to, permanent } of readEntries(text, problems)) {
    const from = normalizeOldPath(withoutPattern(written))
    if (!from.startsWith('/') || /[\s?#]/.test(from)) problems.push(`“${written}” isn’t an address such as /old-page`)
    else if (/[\\^$*+|()[\]{}]/.test(from)) problems.push(`“${written}” is a pattern. Write one line for each address`)
    else if (!isTarget(to)) problems.push(`“${to}” isn’t a path such as /drops or an https address`)
    else if (found.has(from)) problems.push(`“${from}” is there twice`)
    else found.set(from, { from, to, permanent })
  }
  const redirects = [...found.values()]
  return { redirects, problems: [...problems, ...findLoops(redirects)] }
}

/** A path that can't be read as another site's address, or an https address. */
const isTarget = (to: string) =>
  /^\/(?![/\\])[^\s\\]*$/.test(to) || (/^https:\/\/[^\s\\]+$/i.test(to) && URL.canParse(to))

function readEntries(text: string, problems: string[]): Redirect[] {
  if (/^\s*\[/.test(text)) return readJson(text, problems)
  let permanent = true
  return text.split('\n').flatMap((given) => {
    const line = given.trim()
    const [, status] = /^(301|302):$/.exec(line) ?? []
    if (status) permanent = status === '301'
    if (status || line === '' || line.startsWith('#')) return []
    const [, from = '', to = '', own] =
      /^["']?([^\s"']+?)["']?:?\s+["']?([^\s"']+)["']?(?:\s+(301|302))?$/.exec(line) ?? []
    if (from) return [{ from, to, permanent: own ? own === '301' : permanent }]
    problems.push(`“${line.slice(0, 60)}” isn’t an old and a new address`)
    return []
  })
}

function readJson(text: string, problems: string[]): Redirect[] {
  try {
    const entries: unknown = JSON.parse(text)
    if (!Array.isArray(entries)) throw new Error('no list')
    return entries.flatMap((entry: { from?: unknown; to?: unknown; permanent?: unknown } | null) => {
      if (typeof entry?.from === 'string' && typeof entry.to === 'string')
        return [{ from: entry.from, to: entry.to, permanent: entry.permanent !== false }]
      problems.push('An entry has no “from” or “to”')
      return []
    })
  } catch {
    problems.push('The list isn’t valid JSON')
    return []
  }
}

/** Follows each redirect through the others, and visits each address once. */
function findLoops(redirects: readonly Redirect[]): string[] {
  const targets = new Map(redirects.map(({ from, to }) => [from, normalizeOldPath(to.split(/[?#]/, 1)[0] ?? '')]))
  const walkOf = new Map<string, string>()
  const looping = new Set<string>()
  for (const { from } of redirects) {
    let at: string | undefined = from
    for (; at !== undefined && targets.has(at) && !walkOf.has(at); at = targets.get(at)) walkOf.set(at, from)
    if (at === undefined || walkOf.get(at) !== from) continue
    for (; at !== undefined && !looping.has(at); at = targets.get(at)) looping.add(at)
  }
  return redirects.flatMap(({ from }) => (looping.has(from) ? [`“${from}” leads back to itself`] : []))
}

/** One line for each, as `parseRedirects` reads them. */
export const writeRedirects = (redirects: readonly Redirect[]): string =>
  redirects.map(({ from, to, permanent }) => `${from} ${to}${permanent ? '' : ' 302'}`).join('\n')
