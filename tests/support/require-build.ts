import { existsSync } from 'node:fs'

const pages = new URL('../../dist/pages', import.meta.url)

/** @throws if the pages aren't built: a test of them must not be skipped unnoticed */
export function requireBuild() {
  if (!existsSync(pages)) throw new Error('This test reads the built pages. Run `npm run build` first.')
}
