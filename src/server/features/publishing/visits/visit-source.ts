/** Where a visit came from. */
export type VisitSource = { source: string; campaign: string }

const maxLength = 60
export const directSource = 'direct'

/** Names of large sites by their host, so that "www.google.de" and "news.google.com" are one source. */
const knownHosts: readonly [pattern: RegExp, name: string][] = [
  [/(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/, 'google'],
  [/(^|\.)bing\.com$/, 'bing'],
  [/(^|\.)duckduckgo\.com$/, 'duckduckgo'],
  [/(^|\.)(facebook\.com|fb\.me)$/, 'facebook'],
  [/(^|\.)(linkedin\.com|lnkd\.in)$/, 'linkedin'],
  [/(^|\.)(twitter\.com|x\.com|t\.co)$/, 'x'],
  [/(^|\.)(youtube\.com|youtu\.be)$/, 'youtube'],
  [/(^|\.)reddit\.com$/, 'reddit'],
]

/** One short line of harmless characters, in lowercase: anyone can write anything into an address. */
const clean = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ._\-/+@&]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)

/**
 * The source of a page view: the campaign's parameters, else the site with the link. Null for a view that comes from a page
 * of our own, which continues a visit.
 * @param query of the page's address; `ownHost` of this site
 */
export function sourceOfVisit(
  query: URLSearchParams,
  referrer: string | undefined,
  ownHost: string,
): VisitSource | null {
  const campaign = clean(query.get('utm_campaign') ?? '')
  const named = clean(query.get('utm_source') ?? query.get('ref') ?? '')
  if (named) return { source: named, campaign }
  const host = hostOf(referrer)
  if (host === ownHost) return null
  const known = host && knownHosts.find(([pattern]) => pattern.test(host))?.[1]
  return { source: known || clean(host.replace(/^www\./, '')) || directSource, campaign }
}

const hostOf = (referrer = '') => (URL.canParse(referrer) ? new URL(referrer).host.toLowerCase() : '')
