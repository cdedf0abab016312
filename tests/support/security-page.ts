import { readFileSync } from 'node:fs'

/** The text of `docs/security.md`, whose claims are tested. */
export const securityPage = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')

/** The page's environment variables for ASVS level 2. */
export function levelTwoSettings(): Record<string, string> {
  const block = /^## Settings for level 2$[\s\S]*?^```sh$\n([\s\S]*?)^```$/m.exec(securityPage)?.[1] ?? ''
  return Object.fromEntries([...block.matchAll(/^([A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]))
}
