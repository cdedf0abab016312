import { readFileSync } from 'node:fs'

/** `docs/security.md`, whose claims tests hold it to. */
export const securityPage = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')

/** The settings that the page names for ASVS level 2, as an environment. */
export function levelTwoSettings(): Record<string, string> {
  const block = /^## Settings for level 2$[\s\S]*?^```sh$\n([\s\S]*?)^```$/m.exec(securityPage)?.[1] ?? ''
  return Object.fromEntries([...block.matchAll(/^([A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]))
}
