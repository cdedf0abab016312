/** Where a link of the navigation leads: a path of this site, an https address, or `page:` and the id of a page. */
export type LinkEntry = { target: string; label: string }

/** The form in which a list of links is stored: one per line, the target first, as in "/drops Drops". */
export const parseLinks = (text: string): LinkEntry[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, target = '', label = ''] = /^(\S*) ?(.*)$/.exec(line) ?? []
      return { target, label }
    })

export const writeLinks = (links: readonly LinkEntry[]): string =>
  links.map(({ target, label }) => `${target} ${label}`).join('\n')

/** The id of the page that a link leads to, or null for an address. */
export const pageOfTarget = (target: string): string | null =>
  /^page:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(target)?.[1] ?? null

/** A path that can't lead to another site, as "//example.com" and "/\example.com" would. */
const isPath = (address: string) => /^\/(?![/\\])[\x21-\x7e]*$/.test(address) && !address.includes('\\')

function isHttps(address: string): boolean {
  const url = /^https:\/\//i.test(address) ? URL.parse(address) : null
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}

export const isLinkTarget = (target: string): boolean =>
  target.length <= 500 && (pageOfTarget(target) !== null || isPath(target) || isHttps(target))

type LinkLimits = { maxLinks: number; maxLabelLength: number }

/** Says what to fix in a list of links, or null. */
export function findLinksProblem(text: string, { maxLinks, maxLabelLength }: LinkLimits): string | null {
  const links = parseLinks(text)
  if (links.length > maxLinks) return `Here is room for ${maxLinks} links`
  const seen = new Set<string>()
  for (const { target, label } of links) {
    if (!isLinkTarget(target))
      return `“${target}” isn’t an address for a link. Choose a page, or enter a path such as /drops or an address that starts with https://`
    if (label.trim() === '') return 'Enter a name for each link'
    if (label.length > maxLabelLength) return `A name can have up to ${maxLabelLength} characters. Shorten “${label}”`
    if (seen.has(target)) return `Two links lead to the same address: “${label}” is one of them`
    seen.add(target)
  }
  return null
}
